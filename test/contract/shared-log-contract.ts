/**
 * What every log keeps that several planes share (docs/SPEC.md, Store), whatever it is made of. A place is where
 * one log lives, and each opening of it is another plane.
 */
import { strict as assert } from "node:assert";
import { afterEach, describe, expect, test, vi } from "vitest";
import { restoreLedger, takeSnapshot } from "../../src/core/commit/snapshot.ts";
import { Ledger } from "../../src/core/commit/ledger.ts";
import { withBefore, withoutBefore } from "../../src/host/store/batch-encoding.ts";
import type { StoredCommit } from "../../src/host/store/log-store.ts";
import type { Led, LogNews, PlaneAddress, SharedLog } from "../../src/host/store/shared-log.ts";
import { contentOf, History } from "./a-history.ts";

export interface SharedPlace {
  open(): Promise<SharedLog>;
  /** Ends the lead of whoever has it, as a pause that is longer than its lease does. */
  lapse(): Promise<void>;
  /** From here on nobody can go on from where it was in the store's own changes, only from what the log holds. */
  forgetChanges(): Promise<void>;
}

export type NewSharedPlace = (of: { readonly keptRevisions: number }) => SharedPlace;

/** Long enough for any machine: it ends a hang and measures nothing. */
const PATIENCE = { timeout: 120_000, interval: 5 };

const eventually = (check: () => void): Promise<void> => vi.waitFor(check, PATIENCE);

export const named = (name: string): PlaneAddress => ({ name, url: `http://${name}.test` });

const never = new AbortController().signal;

/** A follower that keeps all it hears. */
export class Heard {
  readonly news: LogNews[] = [];

  readonly tell = (news: LogNews): void => void this.news.push(news);

  get commits(): StoredCommit[] {
    return this.news.flatMap((news) => (news.kind === "commits" ? news.commits : []));
  }

  get snapshots(): number[] {
    return this.news.flatMap((news) => (news.kind === "snapshot" ? [news.snapshot.revision] : []));
  }

  /** What a plane makes of it. Fails where it does not fold. */
  ledger(): Ledger {
    let ledger = new Ledger();
    for (const news of this.news) {
      if (news.kind === "snapshot") ledger = restoreLedger(news.snapshot);
      else if (news.kind === "damaged") throw news.error;
      else {
        const held = new Map(takeSnapshot(ledger).objects.map((object) => [object.key, object]));
        for (const commit of news.commits) ledger.fold(withBefore(commit, held));
      }
    }
    return ledger;
  }

  async until(revision: number): Promise<void> {
    await eventually(() => assert.equal(revisionOf(this.news.at(-1)), revision));
  }
}

/** How far a follower has come that has heard this. */
function revisionOf(news: LogNews | undefined): number | undefined {
  if (news?.kind === "damaged") throw news.error;
  return news?.kind === "snapshot" ? news.snapshot.revision : news?.commits.at(-1)?.revision;
}

/** Whether it is still waiting after everything that was ready has happened. */
async function isWaiting(promise: Promise<unknown>): Promise<boolean> {
  const waiting = Symbol("waiting");
  return (await Promise.race([promise, Promise.resolve(waiting)])) === waiting;
}

async function lead(log: SharedLog, as: string): Promise<Led> {
  const led = await log.lead(named(as), never);
  assert.ok(led !== undefined, "Nobody asked for the wait to end.");
  return led;
}

export function sharedLogContract(name: string, newPlace: NewSharedPlace): void {
  const opened: SharedLog[] = [];
  const begin = async ({ planes = 2, keptRevisions = 5 } = {}) => {
    const place = newPlace({ keptRevisions });
    const logs: SharedLog[] = [];
    for (let at = 0; at < planes; at += 1) logs.push(await place.open());
    opened.push(...logs);
    return { place, history: new History(), logs: logs as [SharedLog, SharedLog, SharedLog] };
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((log) => log.close()));
  });

  describe(`the contract of every shared log, kept by ${name}`, () => {
    test("[LG14] one plane leads and the others wait until it gives the lead up", async () => {
      const { history, logs } = await begin();
      const [first, second] = logs;
      const led = await lead(first, "a");
      expect(led).toEqual({ epoch: 1, end: 0 });
      const waiting = second.lead(named("b"), never);
      expect(await first.append(led.epoch, history.next(led.epoch, 3))).toBe("durable");
      expect(await isWaiting(waiting)).toBe(true);
      await first.resign();
      expect(first.leadsUntilMs).toBe(0);
      expect(await waiting).toEqual({ epoch: 2, end: 3 });
      expect(await first.append(led.epoch, history.propose(led.epoch))).toBe("fenced");
      expect(await first.compact(led.epoch, history.snapshot())).toBe("fenced");
      expect(await second.append(2, history.next(2))).toBe("durable");
      expect(await first.end()).toBe(4);
    });

    test("[LG14] of several that wait exactly one gets the lead, and the next one after it", async () => {
      const { place, logs } = await begin({ planes: 3 });
      const [first, ...others] = logs;
      await lead(first, "a");
      const order: number[] = [];
      const waiting = others.map(async (log, at) => {
        const led = await log.lead(named(`b-${at}`), never);
        order.push(led?.epoch ?? 0);
        return log;
      });
      await place.lapse();
      const winner = await Promise.race(waiting);
      // Whoever did not get it would have by now: each of these is an answer from the store.
      for (let turn = 0; turn < 5; turn += 1) await winner.end();
      expect(order).toEqual([2]);
      await winner.resign();
      await Promise.all(waiting);
      expect(order).toEqual([2, 3]);
    });

    test("[LG14] a wait ends with its signal, and the lead goes to those who still want it", async () => {
      const { logs } = await begin({ planes: 3 });
      const [first, second, third] = logs;
      await lead(first, "a");
      const abort = new AbortController();
      const given = second.lead(named("b"), abort.signal);
      const waiting = third.lead(named("c"), never);
      abort.abort();
      expect(await given).toBeUndefined();
      expect(await second.lead(named("b"), abort.signal)).toBeUndefined();
      await first.resign();
      expect(await waiting).toEqual({ epoch: 2, end: 0 });
      expect(second.leadsUntilMs).toBe(0);
    });

    test("[LG14] a plane that leads takes a new epoch at once, and no other comes between", async () => {
      const { history, logs } = await begin();
      const [first, second] = logs;
      await lead(first, "a");
      const waiting = second.lead(named("b"), never);
      await first.append(1, history.next(1, 2));
      expect(await first.lead(named("a"), never)).toEqual({ epoch: 2, end: 2 });
      expect(await isWaiting(waiting)).toBe(true);
      expect(await first.append(1, history.propose(1))).toBe("fenced");
      expect(await first.append(2, history.next(2))).toBe("durable");
      expect(first.leadsUntilMs).toBeGreaterThan(performance.now());
      await first.close();
      expect(await waiting).toEqual({ epoch: 3, end: 3 });
    });

    test("[LG15] a lead that has lapsed writes nothing more, whether or not another plane has it", async () => {
      const { place, history, logs } = await begin();
      const [first, second] = logs;
      expect(first.leadsUntilMs).toBe(0);
      await lead(first, "a");
      expect(first.leadsUntilMs).toBeGreaterThan(performance.now());
      await first.append(1, history.next(1, 2));
      await place.lapse();
      expect(await first.append(1, history.propose(1))).toBe("fenced");
      expect(await first.compact(1, history.snapshot())).toBe("fenced");
      expect(first.leadsUntilMs).toBe(0);
      expect(await lead(second, "b")).toEqual({ epoch: 2, end: 2 });
      expect(await first.append(1, history.propose(1))).toBe("fenced");
      expect(await second.append(2, history.next(2))).toBe("durable");
      expect(await second.read(0, 10)).toEqual(history.commits.map(withoutBefore));
    });

    test("[LG15] a plane hears that its lead has lapsed without asking for anything", async () => {
      const { place, logs } = await begin();
      const [first] = logs;
      await lead(first, "a");
      await place.lapse();
      await eventually(() => expect(first.leadsUntilMs).toBe(0));
    });

    test("[LG14] a claim takes the log from the leader", async () => {
      const { history, logs } = await begin();
      const [first, second] = logs;
      await lead(first, "a");
      await first.append(1, history.next(1, 2));
      const claimed = await second.claim();
      expect(claimed).toEqual({ epoch: 2, snapshot: undefined, commits: history.commits });
      expect(await first.append(1, history.propose(1))).toBe("fenced");
      expect(await second.append(2, history.next(2))).toBe("durable");
      expect(second.leadsUntilMs).toBeGreaterThan(performance.now());
    });

    test("[LG14] every plane hears who leads", async () => {
      const { logs } = await begin();
      const [first, second] = logs;
      const heard: (string | undefined)[] = [];
      expect(second.leader).toBeUndefined();
      const quiet = second.onLeader((leader) =>
        heard.push(leader && `${leader.name} ${leader.epoch}`),
      );
      await lead(first, "a");
      await eventually(() => expect(second.leader).toEqual({ ...named("a"), epoch: 1 }));
      expect(first.leader).toEqual({ ...named("a"), epoch: 1 });
      await first.resign();
      await eventually(() => expect(second.leader).toBeUndefined());
      await lead(first, "a");
      await eventually(() => expect(second.leader?.epoch).toBe(2));
      expect(heard).toEqual(["a 1", undefined, "a 2"]);
      quiet();
      await first.resign();
      await eventually(() => expect(second.leader).toBeUndefined());
      expect(heard).toHaveLength(3);
    });

    test("[LG17] a follower hears every commit once, in order, in whole batches", async () => {
      const { place, history, logs } = await begin();
      const [first, second] = logs;
      await lead(first, "a");
      await first.append(1, history.next(1, 3));
      const [all, later] = [new Heard(), new Heard()];
      second.follow(undefined, all.tell);
      second.follow(2, later.tell);
      expect(all.news).toEqual([]);
      const sizes = [1, 4, 2, 7, 1, 1, 3];
      for (const [at, size] of sizes.entries()) {
        await first.append(1, history.next(1, size));
        if (at === 3) await place.forgetChanges();
      }
      await Promise.all([all.until(history.revision), later.until(history.revision)]);
      expect(all.commits).toEqual(history.commits.map(withoutBefore));
      expect(later.commits).toEqual(history.commits.slice(2).map(withoutBefore));
      expect([...all.snapshots, ...later.snapshots]).toEqual([]);
      // Whole batches: wherever a telling ends, a batch ended.
      let end = 0;
      const ends = [3, ...sizes].map((size) => (end += size));
      const tellings = all.news.flatMap((news) => (news.kind === "commits" ? [news.commits] : []));
      for (const commits of tellings) expect(ends).toContain(commits.at(-1)?.revision);
    });

    test("[LG17] a follower goes on over a change of the leader, and over its own", async () => {
      const { place, history, logs } = await begin();
      const [first, second] = logs;
      const heard = new Heard();
      second.follow(undefined, heard.tell);
      await lead(first, "a");
      await first.append(1, history.next(1, 2));
      await place.lapse();
      const { epoch, end } = await lead(second, "b");
      await heard.until(end);
      await second.append(epoch, history.next(epoch, 2));
      await heard.until(4);
      expect(heard.commits).toEqual(history.commits.map(withoutBefore));
    });

    test("[LG17] a follower whose place was dropped begins with a snapshot", async () => {
      const { place, history, logs } = await begin({ keptRevisions: 2 });
      const [first, second] = logs;
      await lead(first, "a");
      for (let round = 0; round < 3; round += 1) {
        for (let at = 0; at < 6; at += 1) await first.append(1, history.next(1));
        expect(await first.compact(1, history.snapshot())).toBe("durable");
      }
      await first.append(1, history.next(1, 2));
      await place.forgetChanges();
      const [fresh, old, near] = [new Heard(), new Heard(), new Heard()];
      second.follow(undefined, fresh.tell);
      second.follow(1, old.tell);
      second.follow(18, near.tell);
      await Promise.all([fresh, old, near].map((heard) => heard.until(20)));
      expect(fresh.snapshots).toEqual([18]);
      expect(old.snapshots).toEqual([18]);
      expect(near.snapshots).toEqual([]);
      await first.append(1, history.next(1, 3));
      await Promise.all([fresh, old, near].map((heard) => heard.until(23)));
      for (const heard of [fresh, old, near]) {
        expect(heard.commits).toEqual(history.commits.slice(18).map(withoutBefore));
      }
      expect(contentOf(takeSnapshot(fresh.ledger()))).toEqual(contentOf(history.snapshot()));
    });

    test("[LG17] a follower that is stopped hears nothing more", async () => {
      const { history, logs } = await begin();
      const [first, second] = logs;
      await lead(first, "a");
      const [stopped, other] = [new Heard(), new Heard()];
      const following = second.follow(undefined, stopped.tell);
      second.follow(undefined, other.tell);
      await first.append(1, history.next(1));
      await Promise.all([stopped.until(1), other.until(1)]);
      following.stop();
      await first.append(1, history.next(1));
      await other.until(2);
      expect(stopped.commits).toHaveLength(1);
    });

    test("[LG18] the end is never older than what was acknowledged before it was asked for", async () => {
      const { history, logs } = await begin();
      const [first, second] = logs;
      expect(await second.end()).toBe(0);
      await lead(first, "a");
      const asked: Promise<void>[] = [];
      for (let at = 0; at < 20; at += 1) {
        await first.append(1, history.next(1, 2));
        // Not waited for: each comes while one before it is under way.
        for (const log of [first, second]) {
          const acknowledged = history.revision;
          asked.push(log.end().then((end) => expect(end).toBeGreaterThanOrEqual(acknowledged)));
        }
      }
      await Promise.all(asked);
      expect(await second.end()).toBe(40);
    });
  });
}
