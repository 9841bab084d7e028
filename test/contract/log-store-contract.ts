/**
 * What every store of the log keeps, whatever it is made of (docs/SPEC.md, Store). A place is where one log
 * lives; opening it again is a restart, opening it twice is two processes.
 */
import { afterEach, describe, expect, test } from "vitest";
import { takeSnapshot } from "../../src/core/commit/snapshot.ts";
import { LogCompacted, type LogStore } from "../../src/host/store/log-store.ts";
import { withoutBefore } from "../../src/host/store/batch-encoding.ts";
import { contentOf, History, ledgerOf } from "./a-history.ts";

export interface LogPlace {
  open(): Promise<LogStore>;
}

export type NewPlace = (of: { readonly keptRevisions: number }) => LogPlace;

export function logStoreContract(name: string, newPlace: NewPlace): void {
  const opened: LogStore[] = [];
  const open = async (place: LogPlace): Promise<LogStore> => {
    const log = await place.open();
    opened.push(log);
    return log;
  };
  const begin = async (keptRevisions = 5) => {
    const place = newPlace({ keptRevisions });
    const log = await open(place);
    const { epoch } = await log.claim();
    return { place, log, epoch, history: new History() };
  };

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((log) => log.close()));
  });

  describe(`the contract of every store, kept by ${name}`, () => {
    test("a log begins empty, at epoch 1", async () => {
      const log = await open(newPlace({ keptRevisions: 5 }));
      expect(await log.claim()).toEqual({ epoch: 1, snapshot: undefined, commits: [] });
      expect(await log.read(0, 10)).toEqual([]);
      expect(await log.append(1, [])).toBe("durable");
    });

    test("[LG1] a batch is there whole or not at all", async () => {
      const { log, epoch, history } = await begin();
      expect(await log.append(epoch, history.next(epoch, 3))).toBe("durable");
      expect(await revisionsIn(log)).toEqual([1, 2, 3]);
      const [first, , third] = history.propose(epoch, 3);
      await expect(log.append(epoch, [first!, third!])).rejects.toThrow("jumps to revision 6");
      expect(await revisionsIn(log)).toEqual([1, 2, 3]);
    });

    test("[LG2] what was answered durable is there after a restart, with what it replaced", async () => {
      const { place, log, epoch, history } = await begin();
      for (const size of [1, 4, 2]) await log.append(epoch, history.next(epoch, size));
      await log.close();
      const again = await open(place);
      const claimed = await again.claim();
      expect(claimed.epoch).toBeGreaterThan(epoch);
      expect(claimed.commits).toEqual(history.commits);
    });

    test("[LG3] a batch of an epoch that is not the newest writes nothing", async () => {
      const { log, epoch, history } = await begin();
      await log.append(epoch, history.next(epoch, 2));
      const { epoch: newer } = await log.claim();
      expect(await log.append(epoch, history.propose(epoch))).toBe("fenced");
      expect(await log.compact(epoch, history.snapshot())).toBe("fenced");
      expect(await revisionsIn(log)).toEqual([1, 2]);
      expect(await log.append(newer, history.next(newer))).toBe("durable");
      expect(await revisionsIn(log)).toEqual([1, 2, 3]);
      await expect(log.append(newer + 1, history.propose(newer + 1))).rejects.toThrow(
        "never claimed",
      );
    });

    test("[LG3] of two that have the log open, the one that claimed first is fenced", async () => {
      const { place, log, epoch, history } = await begin();
      await log.append(epoch, history.next(epoch));
      const other = await open(place);
      const { epoch: newer, commits } = await other.claim();
      expect(commits).toEqual(history.commits);
      expect(await log.append(epoch, history.propose(epoch))).toBe("fenced");
      expect(await other.append(newer, history.next(newer))).toBe("durable");
      expect(await log.append(epoch, history.propose(epoch))).toBe("fenced");
      expect(await revisionsIn(log)).toEqual([1, 2]);
    });

    test("[LG4] revisions follow each other without a gap; what does not continue is refused", async () => {
      const { log, epoch, history } = await begin();
      await log.append(epoch, history.next(epoch, 3));
      for (const skip of [-3, -1, 1, 10]) {
        const batch = history.propose(epoch, 2, skip);
        await expect(log.append(epoch, batch)).rejects.toThrow("the log ends at 3");
      }
      const foreign = history.propose(epoch + 1);
      await expect(log.append(epoch, foreign)).rejects.toThrow("A commit of epoch 2");
      await log.append(epoch, history.next(epoch));
      expect(await revisionsIn(log)).toEqual([1, 2, 3, 4]);
    });

    test("[LG5] a read can begin anywhere and gives every later commit once, in order", async () => {
      const { log, epoch, history } = await begin();
      for (const size of [3, 1, 5, 2]) await log.append(epoch, history.next(epoch, size));
      const stored = history.commits.map(withoutBefore);
      for (let from = 0; from <= 12; from += 1) {
        for (const limit of [1, 2, 4, 100]) {
          expect(await log.read(from, limit)).toEqual(stored.slice(from, from + limit));
        }
      }
      expect(await log.read(3, 0)).toEqual([]);
    });

    test("[LG6] compaction keeps what a watcher may still ask for, and says so about the rest", async () => {
      const { place, log, epoch, history } = await begin(5);
      for (let round = 0; round < 3; round += 1) {
        for (let at = 0; at < 20; at += 1) await log.append(epoch, history.next(epoch));
        expect(await log.compact(epoch, history.snapshot())).toBe("durable");
      }
      await log.append(epoch, history.next(epoch, 2));
      const refusal: unknown = await log.read(1, 10).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(LogCompacted);
      expect(String(refusal)).toContain("List again");
      const { oldest } = refusal as LogCompacted;
      expect(oldest).toBeLessThanOrEqual(60 - 5);
      expect(oldest).toBeGreaterThanOrEqual(20);
      const kept = history.commits.slice(oldest).map(withoutBefore);
      expect(await log.read(oldest, 1_000)).toEqual(kept);
      await expect(log.read(oldest - 1, 10)).rejects.toThrow(LogCompacted);
      await log.close();
      expect(await (await open(place)).read(oldest, 1_000)).toEqual(kept);
    });

    test("[LG6] a batch of which a part may still be asked for stays", async () => {
      const { log, epoch, history } = await begin(2);
      await log.append(epoch, history.next(epoch, 4));
      for (const revision of [2, 4]) await log.compact(epoch, history.snapshotAt(revision));
      expect(await log.read(2, 10)).toEqual(history.commits.slice(2).map(withoutBefore));
    });

    test("[LG7] a snapshot and the commits after it are the same as all commits", async () => {
      const { place, log, epoch, history } = await begin(3);
      await log.append(epoch, history.next(epoch, 7));
      const early = history.snapshot();
      await log.append(epoch, history.next(epoch, 9));
      expect(await log.compact(epoch, early)).toBe("durable");
      await log.append(epoch, history.next(epoch, 4));
      // A plane may have come as far as the middle of a batch.
      expect(await log.compact(epoch, history.snapshotAt(12))).toBe("durable");
      await log.append(epoch, history.next(epoch, 1));
      await log.close();
      const claimed = await (await open(place)).claim();
      expect(claimed.snapshot?.revision).toBe(12);
      expect(claimed.commits).toEqual(history.commits.slice(12));
      expect(contentOf(takeSnapshot(ledgerOf(claimed)))).toEqual(contentOf(history.snapshot()));
    });

    test("[LG13] appends that lead to appends let the event loop turn between any two of them", async () => {
      const { log, epoch, history } = await begin();
      let turns = 0;
      const turn = (): void => {
        turns += 1;
        next = setImmediate(turn);
      };
      let next = setImmediate(turn);
      for (let at = 0; at < 10; at += 1) {
        const before = turns;
        const answer = log.append(epoch, history.next(epoch));
        // Long enough that a thread has answered before anybody asks: the answer must still wait for its turn.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
        await answer;
        expect(turns).toBeGreaterThan(before);
      }
      clearImmediate(next);
    });

    test("[LG7] a snapshot of what is not durable is refused, and an older one changes nothing", async () => {
      const { log, epoch, history } = await begin();
      await log.append(epoch, history.next(epoch, 6));
      const early = history.snapshotAt(2);
      await log.compact(epoch, history.snapshot());
      await log.compact(epoch, early);
      expect((await log.claim()).snapshot?.revision).toBe(6);
      history.next(epoch + 1);
      await expect(log.compact(epoch + 1, history.snapshot())).rejects.toThrow("that ends at 6");
    });
  });
}

async function revisionsIn(log: LogStore): Promise<number[]> {
  return (await log.read(0, 1_000)).map(({ revision }) => revision);
}
