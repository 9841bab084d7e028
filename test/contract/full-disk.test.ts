/** A disk that fills up, made up by SQLite's own limit and, where the system lets us, a real small one. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { operationId } from "../../src/core/model/ids.ts";
import { LogUnavailable } from "../../src/host/store/log-store.ts";
import { SqliteLog } from "../../src/host/store/sqlite-log.ts";
import { History, ledgerOf } from "./a-history.ts";
import { buildWriter } from "./build-writer.ts";
import { scratchFolder } from "./scratch-folder.ts";

const folder = scratchFolder();

test("[LG10] when the disk is full a batch is refused whole, and nothing acknowledged is lost", async () => {
  const file = join(folder, "limited");
  const history = new History();
  let log = await SqliteLog.open(file, { thread: false, maxPages: 60 });
  const { epoch } = await log.claim();
  const fill = async (): Promise<unknown> => {
    for (;;) {
      const batch = history.propose(epoch, 20);
      const result = await log.append(epoch, batch).catch((error: unknown) => error);
      if (result !== "durable") return result;
      history.land(batch);
    }
  };
  const refusal = await fill();
  expect(refusal).toBeInstanceOf(LogUnavailable);
  expect(String(refusal)).toMatch(/Cannot append to the log .*: the disk is full. Free some space/);
  // Reads go on, and so does whatever still fits.
  expect(await log.read(history.revision - 3, 10)).toHaveLength(3);
  await log.close();
  log = await SqliteLog.open(file, { thread: false });
  const claimed = await log.claim();
  expect(claimed.commits).toEqual(history.commits);
  expect(await log.append(claimed.epoch, history.next(claimed.epoch, 20))).toBe("durable");
  await log.close();
});

/** A mount of its own, in a namespace that ends with the command: nothing is left behind. */
const inNamespace = (script: string) =>
  spawnSync("unshare", ["--user", "--map-root-user", "--mount", "sh", "-ec", script], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });

const canMount =
  inNamespace(`mkdir "${folder}/try"; mount -t tmpfs tmpfs "${folder}/try"`).status === 0;

// On the gate's own machine a missing mount is a failure, not a test that quietly does not run.
test.runIf(canMount || process.env["CI"] !== undefined)(
  "[LG10] a plane on a disk that is really full stops, goes on when there is room, and keeps its word",
  async () => {
    const program = await buildWriter("starved-writer");
    const disk = join(folder, "disk");
    const out = join(folder, "out");
    for (const path of [disk, out]) mkdirSync(path);
    const { stdout, stderr, status } = inNamespace(`
      mount -t tmpfs -o size=6m tmpfs "${disk}"
      head -c 3000000 /dev/zero > "${disk}/ballast"
      "${process.execPath}" "${program}" "${disk}/log" --ballast "${disk}/ballast"
      cp "${disk}"/log* "${out}"
    `);
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    const lines = stdout.trim().split("\n");
    const starved = lines.flatMap((line, at) => (line.startsWith("unavailable") ? [at] : []));
    expect(starved).toHaveLength(2);
    expect(lines[starved[0]!]).toContain("the disk is full. Free some space");
    const log = await SqliteLog.open(join(out, "log"), { thread: false });
    const ledger = ledgerOf(await log.claim());
    const told = lines.filter((line) => /^\d+\//.test(line)).map((line) => line.split(" "));
    expect(told.length).toBeGreaterThan(0);
    for (const [operation, revision] of told.slice(-60_000)) {
      const known = ledger.operations.ofAnybody(operationId(operation!))?.revision;
      expect({ operation, revision: known }).toEqual({ operation, revision: Number(revision) });
    }
    await log.close();
  },
);
