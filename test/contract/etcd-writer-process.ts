/**
 * A plane that leads a log in etcd and appends without pause, as a program of its own, to be killed and paused:
 *
 *   node etcd-writer-process.mjs ENDPOINTS PREFIX LEASE_SECONDS
 *
 * Prints `leading EPOCH END`, `writing TURN` before each batch in parts, `durable REVISION` for each batch that was acknowledged, `fenced LEADS` when it leads no
 * more, with whether it still believed so by its lease, and whatever else went wrong.
 */
import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import { EtcdClient } from "../../src/host/etcd/etcd-client.ts";
import { EtcdLog } from "../../src/host/store/etcd/etcd-log.ts";
import { aCommit } from "../builders/a-commit.ts";
import { aNode } from "../builders/a-node.ts";

/** Straight to the system: what was said stays said when the process is killed. */
const say = (line: string): void => void writeSync(1, Buffer.from(`${line}\n`));

/** Every third batch takes three parts, every other one is a single small commit. */
function batchAfter(end: number, { epoch, turn }: { epoch: number; turn: number }) {
  const size = turn % 3 === 2 ? 6 : 1;
  const bytes = size === 1 ? 90 : 512 * 1024;
  return Array.from({ length: size }, (_, at) => {
    const revision = end + 1 + at;
    const labels = { blob: randomBytes(bytes).toString("base64") };
    const put = [aNode({ name: `n-${revision % 4}`, labels, revision })];
    return aCommit({ revision, epoch, put });
  });
}

const [endpoints = "", prefix = "", lease = ""] = process.argv.slice(2);
const client = new EtcdClient({ endpoints: endpoints.split(",") });
const log = await EtcdLog.open(client, { prefix, ttlSeconds: Number(lease) });
const led = await log.lead({ name: "writer", url: "" }, new AbortController().signal);
if (led === undefined) throw new Error("The lead was not given.");
const { epoch } = led;
let { end } = led;
say(`leading ${epoch} ${end}`);
for (let turn = 0; ; turn += 1) {
  const batch = batchAfter(end, { epoch, turn });
  if (batch.length > 1) say(`writing ${turn}`);
  const result = await log.append(epoch, batch);
  // A pause may have been longer than the answer was waited for; asking again tells where this plane stands.
  if (result === "unknown") continue;
  if (result !== "durable") {
    say(`${result} ${performance.now() < log.leadsUntilMs}`);
    break;
  }
  end += batch.length;
  say(`durable ${end}`);
}
await log.close();
