/** What goes wrong between a plane and etcd, and what the log makes of it. */
import { randomBytes } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { takeSnapshot } from "../../src/core/commit/snapshot.ts";
import { withoutBefore } from "../../src/host/store/batch-encoding.ts";
import { EtcdClient } from "../../src/host/etcd/etcd-client.ts";
import { EtcdLog, type EtcdLogOptions } from "../../src/host/store/etcd/etcd-log.ts";
import { LogCompacted, LogUnavailable } from "../../src/host/store/log-store.ts";
import { aCommit } from "../builders/a-commit.ts";
import { aNode } from "../builders/a-node.ts";
import { TcpProxy } from "../etcd/tcp-proxy.ts";
import { contentOf, History, ledgerOf } from "./a-history.ts";
import { aLocalEtcd, placeIn } from "./a-local-etcd.ts";
import { FaultyEtcd, isMark, isPart, isPiece, isTake } from "./faulty-etcd.ts";
import { chainIn, headOf } from "./log-chain-contract.ts";
import { Heard, named } from "./shared-log-contract.ts";

const etcd = aLocalEtcd();
const never = new AbortController().signal;
/** It ends a hang and measures nothing. */
const PATIENCE = { timeout: 120_000, interval: 10 };

/** A log whose way to etcd is at the test's mercy, beside one whose way is not. */
async function begin(options: EtcdLogOptions = {}) {
  const place = placeIn(etcd, options);
  const way = new FaultyEtcd(etcd.connect());
  const log = await EtcdLog.open(way, { prefix: place.layout.prefix, ...options });
  const other = await place.open();
  const close = () => Promise.all([log.close(), other.close()]);
  return { place, way, log, other, history: new History(), close };
}

/** Four commits for each mebibyte that stays however it is compressed: base64 has six bits in each byte. */
const largeBatch = (from: number, of: { epoch: number; mebibytes: number }) =>
  Array.from({ length: of.mebibytes * 4 }, (_, at) => {
    const blob = randomBytes(256 * 1024).toString("base64");
    const revision = from + at;
    const node = aNode({ name: `n-${revision % 3}`, labels: { blob }, revision });
    return aCommit({ revision, epoch: of.epoch, put: [node] });
  });

const keysIn = async (range: { key: Uint8Array; end: Uint8Array }): Promise<number> =>
  (await etcd.client.range({ ...range, keysOnly: true })).kvs.length;

describe("an answer that is lost", () => {
  test("[LG8] leaves the batch unknown, and the same plane takes a new epoch before those who wait", async () => {
    const { way, log, other, history, close } = await begin();
    await log.lead(named("a"), never);
    const waiting = other.lead(named("b"), never);
    await log.append(1, history.next(1, 2));
    way.orderFault("landed-unknown");
    expect(await log.append(1, history.next(1, 3))).toBe("unknown");
    expect(await log.lead(named("a"), never)).toEqual({ epoch: 2, end: 5 });
    way.orderFault("lost-unknown");
    expect(await log.append(2, history.propose(2, 3))).toBe("unknown");
    expect(await log.lead(named("a"), never)).toEqual({ epoch: 3, end: 5 });
    way.orderFault("unavailable");
    await expect(log.append(3, history.propose(3))).rejects.toThrow(LogUnavailable);
    expect(await log.append(3, history.next(3))).toBe("durable");
    expect(await log.read(0, 100)).toEqual(history.commits.map(withoutBefore));
    await log.close();
    expect(await waiting).toEqual({ epoch: 4, end: 6 });
    await close();
  });

  test("[LG8] is asked for again elsewhere: what has landed meanwhile is durable, and landed once", async () => {
    const { prefix } = placeIn(etcd).layout;
    const [endpoint = ""] = etcd.etcd.endpoints;
    const proxy = await TcpProxy.open(endpoint);
    const client = new EtcdClient({ endpoints: [proxy.endpoint, endpoint] });
    const log = await EtcdLog.open(client, { prefix });
    const history = new History();
    await log.lead(named("a"), never);
    await log.append(1, history.next(1, 2));
    proxy.swallowAnswers();
    const before = proxy.requestBytes;
    expect(await log.append(1, history.next(1, 3))).toBe("durable");
    expect(proxy.requestBytes).toBeGreaterThan(before);
    expect(await log.append(1, history.next(1))).toBe("durable");
    expect(await log.read(0, 100)).toEqual(history.commits.map(withoutBefore));
    await log.close();
    await proxy.close();
  });

  test("[LG3] a batch that arrives after a newer epoch was taken writes nothing, whichever plane took it", async () => {
    const { way, log, other, history, close } = await begin();
    await log.lead(named("a"), never);
    await log.append(1, history.next(1));
    const late = way.holdUp();
    expect(await log.append(1, history.propose(1, 2))).toBe("unknown");
    // By the same plane, under the same lease, and nothing was written since: only the epoch differs.
    expect(await log.lead(named("a"), never)).toEqual({ epoch: 2, end: 1 });
    expect((await late.release()).succeeded).toBe(false);
    const later = way.holdUp();
    expect(await log.append(2, history.propose(2, 2))).toBe("unknown");
    await other.claim();
    expect((await later.release()).succeeded).toBe(false);
    expect(await other.end()).toBe(1);
    expect(await other.append(3, history.next(3, 2))).toBe("durable");
    expect((await later.release()).succeeded).toBe(false);
    expect(await other.read(0, 100)).toEqual(history.commits.map(withoutBefore));
    await close();
  });

  test("[LG19] the chain goes on from the last landed batch, whichever plane leads and whether or not it knew", async () => {
    const { way, log, other, history, close } = await begin();
    await log.lead(named("a"), never);
    await log.append(1, history.next(1, 2));
    way.orderFault("landed-unknown");
    expect(await log.append(1, history.next(1))).toBe("unknown");
    await log.lead(named("a"), never);
    way.orderFault("lost-unknown");
    expect(await log.append(2, history.propose(2, 2))).toBe("unknown");
    // Another one lands where the lost one would have: the next must not hang on what was lost.
    const { epoch } = await other.claim();
    await other.append(epoch, history.next(epoch, 2));
    const kept = await headOf(other);
    const { epoch: mine } = await log.claim();
    expect(await log.append(mine, history.next(mine))).toBe("durable");
    const { epoch: newer } = await other.claim();
    await other.append(newer, largeBatch(7, { epoch: newer, mebibytes: 2 }));
    const { epoch: newest } = await log.claim();
    const next = aCommit({ revision: 15, epoch: newest, put: [] });
    expect(await log.append(newest, [next])).toBe("durable");
    const report = await chainIn(log, kept);
    expect(report).toMatchObject({ from: 1, to: 15, batches: 6, gaps: [] });
    expect(report.broken).toBeUndefined();
    expect(report.kept?.outcome).toBe("fits");
    expect(report.head).toEqual(await headOf(log));
    await close();
  });

  test("[LG4] a batch that arrives after its own repetition does not come twice", async () => {
    const { way, log, history, close } = await begin();
    await log.lead(named("a"), never);
    const late = way.holdUp();
    const batch = history.next(1, 2);
    expect(await log.append(1, batch)).toBe("unknown");
    expect(await log.append(1, batch)).toBe("durable");
    expect((await late.release()).succeeded).toBe(false);
    expect(await log.append(1, history.next(1, 1))).toBe("durable");
    expect(await log.read(0, 100)).toEqual(history.commits.map(withoutBefore));
    await close();
  });

  test("[LG14] an epoch whose taking arrives late is not taken after another one", async () => {
    const { way, log, other, history, close } = await begin();
    await log.lead(named("a"), never);
    const late = way.holdUp(isTake);
    await expect(log.lead(named("a"), never)).rejects.toThrow(LogUnavailable);
    expect(await log.lead(named("a"), never)).toEqual({ epoch: 2, end: 0 });
    expect((await late.release()).succeeded).toBe(false);
    // And one that arrives before is found to be one's own.
    const early = way.holdUp(isTake);
    await expect(log.lead(named("a"), never)).rejects.toThrow(LogUnavailable);
    expect((await early.release()).succeeded).toBe(true);
    expect(await log.append(2, history.propose(2))).toBe("fenced");
    expect(await log.lead(named("a"), never)).toEqual({ epoch: 4, end: 0 });
    expect(await log.append(4, history.next(4))).toBe("durable");
    expect(other.leadsUntilMs).toBe(0);
    await close();
  });
});

describe("a renewal that is not answered", () => {
  test("[LG15] does not hold up the next one", async () => {
    const { way, log, other, history, close } = await begin({ ttlSeconds: 9 });
    await log.lead(named("a"), never);
    const waiting = other.lead(named("b"), never);
    way.unansweredRenewals = 1;
    await vi.waitFor(() => expect(way.unansweredRenewals).toBe(0), PATIENCE);
    const first = log.leadsUntilMs;
    // The next of three renewals counts: a machine that stands still for three seconds costs no lease.
    await vi.waitFor(() => expect(log.leadsUntilMs).toBeGreaterThan(first), PATIENCE);
    expect(await log.append(1, history.next(1))).toBe("durable");
    await log.close();
    expect(await waiting).toEqual({ epoch: 2, end: 1 });
    await close();
  });

  test("[LG15] a plane stops counting on its lease before another can lead", async () => {
    // Etcd makes two of it, because it wants to be able to elect a leader meanwhile.
    const { way, log, other, close } = await begin({ ttlSeconds: 1 });
    const sentAt = performance.now();
    await log.lead(named("a"), never);
    way.unansweredRenewals = Number.POSITIVE_INFINITY;
    const { leadsUntilMs } = log;
    // Two seconds less a tenth, from before it was asked for.
    expect(leadsUntilMs).toBeLessThan(performance.now() + 1_800);
    expect(leadsUntilMs).toBeGreaterThanOrEqual(sentAt + 1_800);
    expect(await other.lead(named("b"), never)).toEqual({ epoch: 2, end: 0 });
    expect(performance.now()).toBeGreaterThan(leadsUntilMs);
    await close();
  });
});

describe("a batch too large for one request", () => {
  test("[LG16] no reader sees its parts before it is whole; then each sees all of it", async () => {
    const { place, way, log, other, close } = await begin();
    await log.lead(named("a"), never);
    const heard = new Heard();
    other.follow(undefined, heard.tell);
    let end = 0;
    for (const mebibytes of [2, 11]) {
      const batch = largeBatch(end + 1, { epoch: 1, mebibytes });
      const before = end;
      let partsSeen = 0;
      way.onTxn = async (txn) => {
        if (!isPart(txn)) return;
        partsSeen += 1;
        expect(await other.end()).toBe(before);
        expect(await other.read(before, 10)).toEqual([]);
      };
      expect(await log.append(1, batch)).toBe("durable");
      expect(partsSeen).toBeGreaterThanOrEqual(mebibytes);
      end += batch.length;
      await heard.until(end);
      expect(await other.read(before, 1_000)).toEqual(batch.map(withoutBefore));
      expect(heard.commits.slice(before)).toEqual(batch.map(withoutBefore));
    }
    const claimed = await other.claim();
    expect(ledgerOf(claimed).revision).toBe(end);
    expect(await keysIn(place.layout.allParts())).toBeGreaterThanOrEqual(2 + 11);
    await close();
  });

  test("[LG16] one that may yet arrive keeps its parts", async () => {
    const { way, log, other, close } = await begin();
    const { epoch } = await log.claim();
    const batch = largeBatch(1, { epoch, mebibytes: 2 });
    const late = way.holdUp();
    expect(await log.append(epoch, batch)).toBe("unknown");
    expect(await log.compact(epoch, new History().snapshot())).toBe("durable");
    expect((await late.release()).succeeded).toBe(true);
    expect(await other.read(0, 100)).toEqual(batch.map(withoutBefore));
    await close();
  });

  test("[LG16] parts of a batch that was never finished are cleared away, those of others are not", async () => {
    const { place, way, log, other, close } = await begin({ keptRevisions: 4 });
    await log.lead(named("a"), never);
    const whole = largeBatch(1, { epoch: 1, mebibytes: 2 });
    expect(await log.append(1, whole)).toBe("durable");
    const kept = await keysIn(place.layout.allParts());
    const batch = largeBatch(9, { epoch: 1, mebibytes: 2 });
    // A part whose answer is lost leaves nothing in doubt: nothing refers to it.
    way.holdUp(isPart);
    await expect(log.append(1, batch)).rejects.toThrow(LogUnavailable);
    way.orderFault("lost-unknown");
    expect(await log.append(1, batch)).toBe("unknown");
    expect(await keysIn(place.layout.allParts())).toBeGreaterThan(kept);
    const claimed = await other.claim();
    expect(await other.compact(2, takeSnapshot(ledgerOf(claimed)))).toBe("durable");
    expect(await keysIn(place.layout.allParts())).toBe(kept);
    expect(await other.read(4, 100)).toEqual(whole.slice(4).map(withoutBefore));
    // Dropped with the batch that they belong to.
    const next = whole.map((commit) => ({
      ...commit,
      epoch: 2,
      revision: commit.revision + 8,
      changes: [],
    }));
    expect(await other.append(2, next)).toBe("durable");
    const grown = takeSnapshot(ledgerOf(await other.claim()));
    expect(await other.compact(3, grown)).toBe("durable");
    expect(await keysIn(place.layout.allParts())).toBe(0);
    await close();
  });
});

describe("a snapshot", () => {
  test("[LG7] that was not finished counts for nothing, and one that arrives late is whole", async () => {
    const { place, way, log, other, history, close } = await begin();
    await log.claim();
    await log.append(1, history.next(1, 6));
    way.holdUp(isPiece);
    await expect(log.compact(1, history.snapshot())).rejects.toThrow(LogUnavailable);
    const late = way.holdUp(isMark);
    expect(await log.compact(1, history.snapshot())).toBe("unknown");
    expect((await other.claim()).snapshot).toBeUndefined();
    expect((await late.release()).succeeded).toBe(false);
    // Under the same epoch it may come to count, however much was done since: its pieces are still there.
    const later = way.holdUp(isMark);
    const { epoch } = await log.claim();
    expect(await log.compact(epoch, history.snapshot())).toBe("unknown");
    expect(await log.compact(epoch, history.snapshot())).toBe("durable");
    expect((await later.release()).succeeded).toBe(true);
    const claimed = await other.claim();
    expect(claimed.snapshot?.revision).toBe(6);
    expect(contentOf(takeSnapshot(ledgerOf(claimed)))).toEqual(contentOf(history.snapshot()));
    expect(await keysIn(place.layout.allPieces())).toBe(2);
    expect(await other.compact(claimed.epoch, history.snapshot())).toBe("durable");
    expect(await keysIn(place.layout.allPieces())).toBe(1);
    await close();
  });
});

describe("a plane that waits for the lead", () => {
  test("[LG14] is not forgotten when etcd has forgotten how the leader came and went", async () => {
    const place = placeIn(etcd);
    const way = new FaultyEtcd(etcd.connect());
    const begins = way.delayWatches();
    // It has heard that nobody leads, and hears nothing more for now.
    const log = await EtcdLog.open(way, { prefix: place.layout.prefix });
    const other = await place.open();
    await other.lead(named("b"), never);
    let isAsked = false;
    way.onTxn = () => void (isAsked = true);
    const waiting = log.lead(named("a"), never);
    await vi.waitFor(() => expect(isAsked).toBe(true), PATIENCE);
    await log.end();
    await other.resign();
    await place.forgetChanges();
    begins();
    expect(await waiting).toEqual({ epoch: 2, end: 0 });
    await Promise.all([log.close(), other.close()]);
  });
});

describe("a reader while commits are dropped", () => {
  test("[LG17] a follower that etcd has forgotten goes on from the log, and from a snapshot when that is gone", async () => {
    const { place, way, log, other, history, close } = await begin({ keptRevisions: 3 });
    await other.lead(named("b"), never);
    await other.append(1, history.next(1, 2));
    const heard = new Heard();
    let begins = way.delayWatches();
    log.follow(undefined, heard.tell);
    await heard.until(2);
    // It has read what there was and would now listen from there; meanwhile that is compacted away.
    for (let at = 0; at < 3; at += 1) await other.append(1, history.next(1, 2));
    await place.forgetChanges();
    begins();
    await heard.until(8);
    expect(heard.commits).toEqual(history.commits.map(withoutBefore));
    begins = way.delayWatches();
    const second = new Heard();
    const asked = new Promise<void>((resolve) => (way.onTxn = () => resolve()));
    log.follow(8, second.tell);
    // Once it has been told that there is nothing more, it would listen, too.
    await asked;
    await log.end();
    for (let round = 0; round < 3; round += 1) {
      for (let at = 0; at < 6; at += 1) await other.append(1, history.next(1));
      await other.compact(1, history.snapshot());
    }
    begins();
    await second.until(history.revision);
    await heard.until(history.revision);
    expect(heard.commits).toEqual(history.commits.map(withoutBefore));
    expect(second.news.map(({ kind }) => kind)).toEqual(["snapshot"]);
    expect(contentOf(takeSnapshot(second.ledger()))).toEqual(contentOf(history.snapshot()));
    await close();
  });

  test("[LG5] a read whose next page was dropped says so and never skips anything", async () => {
    const { way, log, other, history, close } = await begin({ keptRevisions: 2 });
    await other.lead(named("b"), never);
    // More than one page, which is sixteen batches.
    for (let at = 0; at < 40; at += 1) await other.append(1, history.next(1));
    let looks = 0;
    way.onTxn = async () => {
      looks += 1;
      if (looks !== 3) return;
      for (const revision of [38, 39, 40]) await other.compact(1, history.snapshotAt(revision));
    };
    const refusal: unknown = await log.read(0, 1_000).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(LogCompacted);
    expect((refusal as LogCompacted).oldest).toBe(38);
    expect(looks).toBe(3);
    // Loading begins again with what there is now.
    looks = 0;
    const claimed = await log.claim();
    expect(claimed.snapshot?.revision).toBe(40);
    expect(contentOf(takeSnapshot(ledgerOf(claimed)))).toEqual(contentOf(history.snapshot()));
    await close();
  });
});
