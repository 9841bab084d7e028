import { expect, it } from "vitest";
import { History } from "../../test/contract/a-history.ts";
import type { Commit } from "../core/protocol/commit-record.ts";
import { Ledger } from "../core/commit/ledger.ts";
import { takeSnapshot } from "../core/commit/snapshot.ts";
import { nodeKey, type ObjectKey, type Uid } from "../core/model/ids.ts";
import type { AnyObject } from "../core/model/objects.ts";
import { PastLog } from "./past-log.ts";
import { pastState } from "./past-state.ts";
import { PublishedLog } from "./published-log.ts";
import { MemoryLog } from "./store/memory-log.ts";

const END = 60;
const KEYS = [0, 1, 2, 3, 4].map((at) => nodeKey(`n-${at}`));

/** Nodes that come, change and go, each under a uid that says when it came. */
function commitsOf(): readonly Commit[] {
  const held = new Map<ObjectKey, AnyObject>();
  return new History().next(1, END).map((commit) => {
    const changes = commit.changes.map(({ key, after }) => {
      const before = held.get(key);
      const uid = before?.meta.uid ?? (`u${commit.revision}` as Uid);
      const is = after && ({ ...after, meta: { ...after.meta, uid } } as AnyObject);
      if (is === undefined) held.delete(key);
      else held.set(key, is);
      return { key, before, after: is };
    });
    return { ...commit, changes };
  });
}

const commits = commitsOf();

function ledgerAt(revision: number): Ledger {
  const ledger = new Ledger();
  for (const commit of commits.slice(0, revision)) ledger.fold(commit);
  return ledger;
}

/**
 * A plane that has the commits after `from` in memory, on a store that keeps `kept` before them.
 */
async function aPast(from: number, kept: number) {
  const store = new MemoryLog({ keptRevisions: kept });
  await store.claim();
  await store.append(1, commits);
  const log = new PublishedLog();
  if (from > 0) {
    const snapshot = takeSnapshot(ledgerAt(from));
    await store.compact(1, snapshot);
    log.load(snapshot, []);
  }
  log.stage(commits.slice(from));
  log.publish(END);
  const past = new PastLog(log, store);
  return { log, past, now: { objects: log.objects, past, revision: log.revision } };
}

const scanned = (key: ObjectKey, upTo = END, from = 0): readonly number[] =>
  commits
    .filter(({ revision, changes }) => {
      const isIn = revision <= upTo && revision > from;
      return isIn && changes.some((change) => change.key === key);
    })
    .map(({ revision }) => revision)
    .toReversed();

it("[PT1] following each value back finds every commit about an object, as a scan of all of them does", async () => {
  const { past } = await aPast(0, END);
  for (const key of KEYS) {
    for (const upTo of [0, 7, 31, END]) {
      const { touches, olderAt } = past.touches(key, { upTo, most: END });
      expect(touches.map(({ commit }) => commit.revision)).toEqual(scanned(key, upTo));
      expect(olderAt).toBeUndefined();
    }
    for (let revision = 0; revision <= END; revision += 1) {
      expect(past.objectAt(key, revision)).toEqual(ledgerAt(revision).objects.get(key));
    }
  }
});

it("[PT1] finding the commits about one object looks at no others", async () => {
  const { log, past } = await aPast(0, END);
  const asked: number[] = [];
  const at = log.history.at.bind(log.history);
  log.history.at = (revision) => {
    asked.push(revision);
    return at(revision);
  };
  past.touches(nodeKey("n-3"), { upTo: END, most: END });
  expect(asked).toEqual(scanned(nodeKey("n-3")));
});

it("[PT2] what is older than memory is read from the store, and where the record begins is said", async () => {
  const { past } = await aPast(40, END);
  const key = nodeKey("n-3");
  const { touches, olderAt } = past.touches(key, { upTo: END, most: END });
  expect(touches.map(({ commit }) => commit.revision)).toEqual(scanned(key, END, 40));
  const since = olderAt ?? 40;
  const older = await past.older(key, since, END);
  const made = scanned(key, since).findIndex((at) =>
    commits[at - 1]?.changes.some(({ before }) => before === undefined),
  );
  expect(older.end).toBe("made");
  expect(older.touches.map(({ commit }) => commit.revision).slice(0, made + 1)).toEqual(
    scanned(key, since).slice(0, made + 1),
  );
  const short = await aPast(40, 10);
  const cut = await short.past.older(nodeKey("n-0"), 40, END);
  expect(cut).toMatchObject({ end: "compacted", from: 30 });
});

it("[PT3] the state of any revision is that of the log folded so far, from memory and from the store", async () => {
  for (const from of [0, 40]) {
    const { now } = await aPast(from, END);
    for (let revision = 0; revision <= END; revision += 1) {
      const { objects, unknown } = await pastState(now, revision);
      expect([...unknown]).toEqual([]);
      for (const key of KEYS) {
        expect(objects.get(key)).toEqual(ledgerAt(revision).objects.get(key));
      }
    }
  }
});

it("[PT3] what was compacted is not made up: the oldest revision that is known is said, and is right", async () => {
  const { now } = await aPast(50, 8);
  const states = await Promise.all(
    commits.slice(41).map(async ({ revision }) => ({
      revision,
      ...(await pastState(now, revision)),
    })),
  );
  const known = states.filter(({ unknown }) => unknown.size === 0);
  for (const { revision, objects } of known) {
    for (const key of KEYS) {
      expect(objects.get(key)).toEqual(ledgerAt(revision).objects.get(key));
    }
  }
  const refused = states.filter(({ unknown }) => unknown.size > 0);
  expect(refused.length).toBeGreaterThan(0);
  for (const { revision, unknown } of refused) {
    const oldest = unknown.get("Node") ?? 0;
    expect(oldest).toBeGreaterThan(revision);
    expect([...(await pastState(now, oldest)).unknown]).toEqual([]);
  }
  const { unknown } = await pastState(now, 3);
  // Of what did not change since, nobody knows either whether it did before.
  expect(unknown.get("Tenant")).toBe(42);
  expect(unknown.get("Node")).toBeGreaterThanOrEqual(42);
});

it("[PT4] a time is the newest commit that was there by then, also where only the store has it", async () => {
  for (const [from, kept] of [
    [0, END],
    [40, END],
  ] as const) {
    const { past } = await aPast(from, kept);
    for (const atMs of [1, 17, 39.5, 40, END, END + 9]) {
      const revision = Math.min(END, Math.floor(atMs));
      expect(await past.revisionAt(atMs)).toEqual({ kind: "found", revision });
    }
  }
  const { past } = await aPast(40, 10);
  expect(await past.revisionAt(5)).toEqual({ kind: "too-old", oldest: 31, oldestMs: 31 });
});
