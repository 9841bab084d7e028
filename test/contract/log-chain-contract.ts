/**
 * What every store that keeps its log keeps of the chain (docs/SPEC.md, Store): whoever wrote, however often the log was opened,
 * whatever became of an append.
 */
import { afterEach, describe, expect, test } from "vitest";
import { ChainCheck, type ChainReport } from "../../src/host/check/chain-check.ts";
import type { ChainHead } from "../../src/host/store/chain-link.ts";
import type { LogStore } from "../../src/host/store/log-store.ts";
import { History } from "./a-history.ts";
import type { LogPlace, NewPlace } from "./log-store-contract.ts";

export async function chainIn(log: LogStore, kept?: ChainHead): Promise<ChainReport> {
  const check = new ChainCheck(kept);
  for await (const part of log.copy!()) check.add(part);
  return check.report();
}

export async function headOf(log: LogStore): Promise<ChainHead> {
  const head = await log.chainHead!();
  if (head === undefined) throw new Error("The log does not say where its chain ends.");
  return head;
}

export function logChainContract(name: string, newPlace: NewPlace): void {
  const opened: LogStore[] = [];
  const open = async (place: LogPlace): Promise<LogStore> => {
    const log = await place.open();
    opened.push(log);
    return log;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((log) => log.close()));
  });

  describe(`the chain of batches, kept by ${name}`, () => {
    test("[LG19] it is unbroken over appends at once, restarts and other writers, and its head is told", async () => {
      const place = newPlace({ keptRevisions: 100 });
      const history = new History();
      const first = await open(place);
      const { epoch } = await first.claim();
      // The next ones are on their way before the first has landed.
      const batches = [1, 3, 2].map((size) => history.next(epoch, size));
      await Promise.all(batches.map((batch) => first.append(epoch, batch)));
      const early = await headOf(first);
      const second = await open(place);
      const { epoch: newer } = await second.claim();
      expect(await first.append(epoch, history.propose(epoch))).toBe("fenced");
      for (const size of [2, 1]) await second.append(newer, history.next(newer, size));
      await first.claim().then(({ epoch: newest }) => first.append(newest, history.next(newest)));
      await Promise.all([first.close(), second.close()]);
      const again = await open(place);
      const { epoch: last } = await again.claim();
      await again.append(last, history.next(last));
      const report = await chainIn(again, early);
      expect(report).toMatchObject({ from: 1, to: 11, batches: 7, gaps: [] });
      expect(report.broken).toBeUndefined();
      expect(report.kept?.outcome).toBe("fits");
      expect(report.head).toEqual(await headOf(again));
      expect(report.head?.revision).toBe(11);
    });

    test("[LG19] what is dropped does not break it: the oldest batch and the snapshot say what they hang on", async () => {
      for (const keptRevisions of [0, 3]) {
        const place = newPlace({ keptRevisions });
        const history = new History();
        const log = await open(place);
        const { epoch } = await log.claim();
        for (let at = 0; at < 9; at += 1) await log.append(epoch, history.next(epoch));
        const old = await headOf(log);
        for (let twice = 0; twice < 2; twice += 1) await log.compact(epoch, history.snapshot());
        await log.close();
        const again = await open(place);
        const { epoch: newer } = await again.claim();
        // With nothing kept but the snapshot.
        expect(await headOf(again)).toEqual(old);
        await again.append(newer, history.next(newer, 2));
        const report = await chainIn(again, old);
        expect(report).toMatchObject({ from: 10 - keptRevisions, to: 11, gaps: [] });
        expect(report.broken).toBeUndefined();
        expect(report.kept?.outcome).toBe("fits");
        const forged = { ...old, hash: "f".repeat(64) };
        expect((await chainIn(again, forged)).kept?.outcome).toBe("differs");
        expect((await chainIn(again, { ...old, revision: 2 })).kept?.outcome).toBe("dropped");
        expect((await chainIn(again, { ...old, revision: 12 })).kept?.outcome).toBe("missing");
      }
    });
  });
}
