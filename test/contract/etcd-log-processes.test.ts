/** Planes and members of etcd as processes that are killed, paused and starved of room. */
import { strict as assert } from "node:assert";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { takeSnapshot } from "../../src/core/commit/snapshot.ts";
import { EtcdCaller } from "../../src/host/etcd/etcd-caller.ts";
import { EtcdOperator } from "../../src/host/etcd/etcd-operator.ts";
import { withoutBefore } from "../../src/host/store/batch-encoding.ts";
import type { SharedLog } from "../../src/host/store/shared-log.ts";
import { LogUnavailable } from "../../src/host/store/log-store.ts";
import { KeyedRandom } from "../../src/sim/faults/keyed-random.ts";
import { History, ledgerOf } from "./a-history.ts";
import { aLocalEtcd, placeIn } from "./a-local-etcd.ts";
import { buildWriter } from "./build-writer.ts";
import { named } from "./shared-log-contract.ts";

const etcd = aLocalEtcd();
const never = new AbortController().signal;
/** It ends a hang and measures nothing. */
const PATIENCE = { timeout: 120_000, interval: 10 };

let program = "";
beforeAll(async () => {
  program = await buildWriter("etcd-writer", "etcd-writer-process");
});

class Writer {
  readonly lines: string[] = [];
  readonly ended: Promise<unknown>;
  private readonly child: ChildProcessByStdio<null, Readable, null>;
  private rest = "";

  constructor(prefix: string, leaseSeconds: number) {
    const args = [program, etcd.etcd.endpoints.join(), prefix, String(leaseSeconds)];
    this.child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    this.ended = once(this.child, "close");
    this.child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (this.rest + text).split("\n");
      this.rest = lines.pop() ?? "";
      this.lines.push(...lines);
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async says(pattern: RegExp): Promise<string> {
    return vi.waitFor(() => {
      const line = this.lines.find((each) => pattern.test(each));
      if (line === undefined) throw new Error(`The writer has not said ${pattern.source} yet.`);
      return line;
    }, PATIENCE);
  }

  /** The last revision that it was told is durable. */
  get acknowledged(): number {
    const last = this.lines.findLast((line) => line.startsWith("durable"));
    return Number(last?.split(" ")[1] ?? 0);
  }
}

/** A writer keeps the lead however long the machine stands still; the test ends the lease of one that it has killed. */
const LONG_SECONDS = 120;
/** It has to run out: several times what it takes to lead and write a first batch. */
const SHORT_SECONDS = 4;

const writers: Writer[] = [];
const start = (prefix: string, leaseSeconds: number): Writer => {
  const writer = new Writer(prefix, leaseSeconds);
  writers.push(writer);
  return writer;
};
afterEach(async () => {
  for (const writer of writers) writer.signal("SIGKILL");
  await Promise.all(writers.splice(0).map(({ ended }) => ended));
});

type Place = ReturnType<typeof placeIn>;

const allParts = async (place: Place): Promise<string[]> => {
  const { kvs } = await etcd.client.range({ ...place.layout.allParts(), keysOnly: true });
  return kvs.map(({ key }) => place.layout.text(key));
};

/** One for all parts of a batch. */
const partKeys = async (place: Place): Promise<string[]> =>
  (await allParts(place)).map((key) => key.split("/").slice(0, 6).join("/"));

const untilThereAreMore = (place: Place, than: number): Promise<void> =>
  vi.waitFor(
    async () => {
      if ((await allParts(place)).length <= than) throw new Error("No part has come yet.");
    },
    { ...PATIENCE, interval: 1 },
  );

describe("a plane", () => {
  test("[LG2] [LG16] that is killed again and again while it writes in parts loses nothing it acknowledged", async () => {
    const random = new KeyedRandom(20_260_701, "etcd-crash");
    const place = placeIn(etcd, { keptRevisions: 10 });
    let wereLeftOver = 0;
    // Most incarnations end between two parts; the few that do not are no reason to fail.
    for (
      let incarnation = 0;
      incarnation < 6 || (incarnation < 40 && wereLeftOver === 0);
      incarnation += 1
    ) {
      const parts = (await allParts(place)).length;
      const writer = start(place.layout.prefix, LONG_SECONDS);
      await writer.says(/^writing/);
      // How long a batch takes to pack depends on the machine, so every other incarnation ends when etcd has the
      // first of its parts, and the others at any moment.
      if (incarnation % 2 === 0) await untilThereAreMore(place, parts);
      else await sleep(random.between("kill", incarnation, 0, 250));
      writer.signal("SIGKILL");
      await writer.ended;
      await place.lapse();
      const log = await place.open();
      const claimed = await log.claim();
      const ledger = ledgerOf(claimed);
      expect(ledger.revision).toBeGreaterThanOrEqual(writer.acknowledged);
      // A batch is one commit or six.
      const before = new Set(await partKeys(place));
      expect(await log.compact(claimed.epoch, takeSnapshot(ledger))).toBe("durable");
      const after = new Set(await partKeys(place));
      if (after.size < before.size) wereLeftOver += 1;
      // Whatever is left belongs to a batch that can be read.
      expect((await log.read(ledger.revision - 1, 10)).length).toBe(1);
      await log.close();
    }
    expect(wereLeftOver).toBeGreaterThan(0);
  });

  test("[LG15] that is paused for longer than its lease is fenced when it goes on, and knows it", async () => {
    const place = placeIn(etcd);
    const writer = start(place.layout.prefix, SHORT_SECONDS);
    await writer.says(/^durable/);
    const log = await place.open();
    writer.signal("SIGSTOP");
    // Nothing but the end of the lease gives the lead away.
    const led = await log.lead(named("b"), never);
    expect(led?.epoch).toBe(2);
    const history = await log.read(0, 100_000);
    expect(history).toHaveLength(led!.end);
    writer.signal("SIGCONT");
    expect(await writer.says(/^fenced/)).toBe("fenced false");
    await writer.ended;
    expect(led!.end).toBeGreaterThanOrEqual(writer.acknowledged);
    expect(await log.end()).toBe(led!.end);
    await log.close();
  });
});

describe("members of etcd", () => {
  const three = aLocalEtcd({ members: 3 });

  test("[LG2] [LG17] one of three that is killed, whichever it is, holds up nothing for good", async () => {
    const place = placeIn(three);
    const [log, other] = [await place.open(), await place.open()];
    const history = new History();
    let { epoch } = (await log.lead(named("a"), never))!;
    const heard: number[] = [];
    other.follow(undefined, (news) => {
      if (news.kind === "commits") heard.push(...news.commits.map(({ revision }) => revision));
    });
    for (const at of [0, 1, 2]) {
      await three.etcd.member(at).kill();
      for (let batch = 0; batch < 5; batch += 1) {
        epoch = await appendSurely(log, { epoch, history });
      }
      await three.etcd.member(at).start();
      await three.etcd.healthy();
    }
    await vi.waitFor(() => expect(heard.at(-1)).toBe(history.revision), PATIENCE);
    expect(heard).toEqual(history.commits.map(({ revision }) => revision));
    expect(await other.read(0, 1_000)).toEqual(history.commits.map(withoutBefore));
    await Promise.all([log.close(), other.close()]);
  });
});

/** As the host of a plane does it: after an answer that was lost it leads anew and looks where the log ends. */
async function appendSurely(
  log: SharedLog,
  of: { epoch: number; history: History },
): Promise<number> {
  const { history } = of;
  let { epoch } = of;
  for (;;) {
    const batch = history.propose(epoch);
    const result = await log.append(epoch, batch).catch((error: unknown) => {
      if (error instanceof LogUnavailable) return "unavailable";
      throw error;
    });
    if (result === "durable") {
      history.land(batch);
      return epoch;
    }
    const led = await log.lead(named("a"), never).catch(() => undefined);
    if (led === undefined) continue;
    assert.ok([history.revision, history.revision + 1].includes(led.end));
    if (led.end > history.revision) history.land(batch);
    ({ epoch } = led);
  }
}

describe("an etcd that is full", () => {
  const small = aLocalEtcd({ quotaBytes: 8 * 1024 * 1024 });

  test("[LG10] refuses writes with a sentence that says what to do, goes on reading, and takes writes again after that", async () => {
    const log = await placeIn(small).open();
    const history = new History();
    let { epoch } = await log.claim();
    let refusal: Error | undefined;
    while (refusal === undefined) {
      await wasteRoom();
      const batch = history.propose(epoch, 5);
      const result = await log.append(epoch, batch).catch((error: Error) => error);
      if (result === "durable") history.land(batch);
      else if (result === "unknown") {
        // The first one to meet the quota may have been written; a read shows it.
        if ((await log.end()) > history.revision) history.land(batch);
      } else if (result instanceof Error) refusal = result;
    }
    expect(refusal).toBeInstanceOf(LogUnavailable);
    expect(refusal.message).toMatch(/Cannot append to the log: nothing was written/);
    expect(refusal.message).toMatch(/etcdctl compact.*etcdctl defrag.*etcdctl alarm disarm/);
    await expect(log.lead(named("a"), never)).rejects.toThrow("alarm disarm");
    expect(await log.read(history.revision - 3, 10)).toHaveLength(3);
    expect(await log.end()).toBe(history.revision);
    await makeRoom();
    ({ epoch } = (await log.lead(named("a"), never))!);
    expect(await log.append(epoch, history.next(epoch))).toBe("durable");
    expect((await log.claim()).commits).toEqual(history.commits);
    await log.close();
  });

  /** Most of what fills an etcd is what was overwritten and is not yet forgotten. */
  async function wasteRoom(): Promise<void> {
    const put = { kind: "put", key: Buffer.from("waste"), value: randomBytes(1_000_000) } as const;
    await small.client.txn({ compare: [], success: [put] }).catch(() => {});
  }

  /** What the sentence says. */
  async function makeRoom(): Promise<void> {
    const { revision } = await small.client.range({ key: Buffer.from("any") });
    await small.client.compact(revision);
    const caller = new EtcdCaller({ endpoints: small.etcd.endpoints });
    const operator = new EtcdOperator(caller);
    await operator.defragment();
    for (const alarm of await operator.alarms()) await operator.disarm(alarm);
    caller.close();
  }
});
