/**
 * Incidents are found in the simulator, so its store must be able to do what the real ones do and nothing
 * else. All of them go through the same operations here, faults included.
 */
import { strict as assert } from "node:assert";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { InvariantBroken } from "../../src/core/model/assert.ts";
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import { takeSnapshot } from "../../src/core/commit/snapshot.ts";
import { withoutBefore } from "../../src/host/store/batch-encoding.ts";
import { LogCompacted, type LogStore, LogUnavailable } from "../../src/host/store/log-store.ts";
import { type AppendFault, MemoryLog } from "../../src/host/store/memory-log.ts";
import { EtcdLog } from "../../src/host/store/etcd/etcd-log.ts";
import { loadSqlite } from "../../src/host/store/sqlite-database.ts";
import { SqliteLog } from "../../src/host/store/sqlite-log.ts";
import { StoreModel } from "../../src/sim/hosts/store-model.ts";
import { contentOf, History, ledgerOf } from "./a-history.ts";
import { aLocalEtcd } from "./a-local-etcd.ts";
import { FaultyDisk } from "./faulty-database.ts";
import { FaultyEtcd } from "./faulty-etcd.ts";
import { scratchFolder } from "./scratch-folder.ts";

const KEPT = 6;
const folder = scratchFolder();
const etcd = aLocalEtcd();

type Move =
  | { readonly verb: "claim" | "reopen" }
  | {
      readonly verb: "append";
      readonly behind: number;
      readonly size: number;
      readonly skip: number;
      readonly fault: AppendFault | undefined;
    }
  | { readonly verb: "read"; readonly from: number; readonly limit: number }
  | { readonly verb: "compact"; readonly behind: number; readonly back: number };

const mostly = <T>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));

const moves: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({ verb: fc.constantFrom("claim" as const, "reopen" as const) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      verb: fc.constant("append" as const),
      behind: mostly(0, 1, 2),
      size: fc.integer({ min: 0, max: 4 }),
      skip: mostly(0, -1, 1),
      fault: mostly<AppendFault | undefined>(
        undefined,
        "landed-unknown",
        "lost-unknown",
        "unavailable",
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      verb: fc.constant("read" as const),
      from: fc.nat(40),
      limit: fc.nat(8),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      verb: fc.constant("compact" as const),
      behind: mostly(0, 1),
      back: fc.nat(5),
    }),
  },
);

/** What the simulator's host does with the model (`plane-host.ts`), as outcomes. */
function modelAppend(
  model: StoreModel,
  of: { epoch: number; batch: readonly Commit[]; fault: AppendFault | undefined },
): string {
  if (model.isFenced(of.epoch)) return "fenced";
  const first = of.batch[0];
  if (first !== undefined && first.revision !== model.commits.length + 1) return "broken";
  if (of.fault === "unavailable") return "unavailable";
  if (of.fault !== "lost-unknown") for (const commit of of.batch) model.land(commit);
  return of.fault === undefined ? "durable" : "unknown";
}

/** As JSON has it, where undefined and missing are one. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const nameOf = (error: unknown): string => {
  if (error instanceof InvariantBroken) return "broken";
  if (error instanceof LogUnavailable) return "unavailable";
  throw error;
};

interface Subject {
  log: LogStore;
  readonly reopen: () => Promise<LogStore>;
  readonly disk: { orderFault(fault: AppendFault): void };
}

async function inEtcd(): Promise<Subject> {
  const prefix = etcd.newPrefix();
  let way: FaultyEtcd | undefined;
  const open = () => {
    way = new FaultyEtcd(etcd.connect());
    return EtcdLog.open(way, { prefix, keptRevisions: KEPT });
  };
  return {
    log: await open(),
    reopen: open,
    disk: { orderFault: (fault) => way?.orderFault(fault) },
  };
}

class Comparison {
  private readonly model = new StoreModel();
  private readonly history = new History();
  private readonly subjects: readonly Subject[];
  private readonly seen: Set<string>;

  constructor(subjects: readonly Subject[], seen: Set<string>) {
    this.subjects = subjects;
    this.seen = seen;
  }

  async take(move: Move): Promise<void> {
    switch (move.verb) {
      case "claim":
        return this.claim();
      case "reopen":
        for (const subject of this.subjects) {
          await subject.log.close();
          subject.log = await subject.reopen();
        }
        return this.claim();
      case "append":
        return this.append(move);
      case "read":
        return this.read(move);
      case "compact":
        return this.compact(move);
    }
  }

  async claim(): Promise<void> {
    const epoch = this.model.claim();
    for (const { log } of this.subjects) {
      const claimed = await log.claim();
      assert.equal(claimed.epoch, epoch);
      const snapshotted = claimed.snapshot?.revision ?? 0;
      assert.deepEqual(plain(claimed.commits), plain(this.model.commits.slice(snapshotted)));
      const content = contentOf(takeSnapshot(ledgerOf(claimed)));
      assert.deepEqual(plain(content), plain(contentOf(this.history.snapshot())));
    }
  }

  private async append(move: Extract<Move, { verb: "append" }>): Promise<void> {
    const epoch = Math.max(1, this.model.epoch - move.behind);
    const batch = this.history.propose(epoch, move.size, move.skip);
    // Only a write meets the disk: nothing is written for an empty batch, or one that is turned away.
    const isWrite = move.size > 0 && move.skip === 0 && !this.model.isFenced(epoch);
    const fault = isWrite ? move.fault : undefined;
    const before = this.model.commits.length;
    const expected = modelAppend(this.model, { epoch, batch, fault });
    this.history.land(this.model.commits.slice(before));
    for (const { log, disk } of this.subjects) {
      if (fault !== undefined) disk.orderFault(fault);
      assert.equal(await log.append(epoch, batch).catch(nameOf), expected);
    }
    this.seen.add(expected);
    // As the authority does: what is not known is settled by claiming again.
    if (expected === "unknown" || expected === "unavailable") await this.claim();
  }

  private async read({ from, limit }: Extract<Move, { verb: "read" }>): Promise<void> {
    const expected = this.model.commits.slice(from, from + limit).map(withoutBefore);
    for (const { log } of this.subjects) {
      const found = await log.read(from, limit).catch((error: unknown) => error);
      if (found instanceof LogCompacted) {
        assert.ok(found.oldest > from && found.oldest <= this.model.commits.length - KEPT);
        this.seen.add("compacted");
      } else assert.deepEqual(plain(found), plain(expected));
    }
  }

  private async compact({ behind, back }: Extract<Move, { verb: "compact" }>): Promise<void> {
    const epoch = Math.max(1, this.model.epoch - behind);
    const snapshot = this.history.snapshotAt(Math.max(0, this.history.revision - back));
    const expected = this.model.isFenced(epoch) ? "fenced" : "durable";
    for (const { log } of this.subjects) {
      assert.equal(await log.compact(epoch, snapshot), expected);
    }
  }
}

test("[LG12] property: the stores and the simulator's model of them give the same outcomes", async () => {
  const sqlite = await loadSqlite();
  let runs = 0;
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(moves, { minLength: 5, maxLength: 40 }), async (script) => {
      const memory = new MemoryLog({ keptRevisions: KEPT });
      const disk = new FaultyDisk();
      const file = join(folder, `log-${(runs += 1)}`);
      const open = () =>
        SqliteLog.open(file, {
          thread: false,
          keptRevisions: KEPT,
          database: disk.over(sqlite),
        });
      const subjects: Subject[] = [
        { log: memory, reopen: () => Promise.resolve(memory), disk: memory },
        { log: await open(), reopen: open, disk },
        await inEtcd(),
      ];
      const comparison = new Comparison(subjects, seen);
      await comparison.claim();
      for (const move of script) await comparison.take(move);
      for (const { log } of subjects) await log.close();
    }),
    { numRuns: 100, seed: 20_260_701 },
  );
  // That they agree says something only if everything came up.
  expect([...seen].toSorted()).toEqual([
    "broken",
    "compacted",
    "durable",
    "fenced",
    "unavailable",
    "unknown",
  ]);
});
