import { expect, test } from "vitest";
import type { Commit } from "../../core/protocol/commit-record.ts";
import { operationId } from "../../core/model/ids.ts";
import { StoreModel } from "./store-model.ts";

const commit = (revision: number, epoch: number): Commit => ({
  revision,
  epoch,
  atMs: 0,
  operation: operationId(`op/${revision}`),
  actor: { role: "user", name: "user" },
  command: "put",
  basis: 0,
  evidence: undefined,
  changes: [],
});

test("each claim takes a higher epoch and fences the one before", () => {
  const store = new StoreModel();
  const first = store.claim();
  expect(store.isFenced(first)).toBe(false);
  const second = store.claim();
  expect(second).toBeGreaterThan(first);
  expect(store.isFenced(first)).toBe(true);
  expect(store.isFenced(second)).toBe(false);
});

test("the log has no gaps and no second value of a revision", () => {
  const store = new StoreModel();
  const epoch = store.claim();
  store.land(commit(1, epoch));
  expect(() => store.land(commit(1, epoch))).toThrow("the log ends at 1");
  expect(() => store.land(commit(3, epoch))).toThrow("the log ends at 1");
  store.land(commit(2, epoch));
  expect(store.commits.map(({ revision }) => revision)).toEqual([1, 2]);
});

test("a commit of another epoch than the append's is a broken authority", () => {
  const store = new StoreModel();
  store.claim();
  store.claim();
  expect(() => store.land(commit(1, 1))).toThrow("under epoch 2");
});

test("a lease keeps others out until it ends, and is renewed by its holder alone", () => {
  const store = new StoreModel();
  expect(store.lead("plane-1/1", 5_000)).toEqual({ epoch: 1, end: 0 });
  expect(store.lead("plane-2/1", 6_000)).toBeUndefined();
  expect(store.renew("plane-2/1", 9_000)).toBe(false);
  expect(store.renew("plane-1/1", 7_000)).toBe(true);
  // A renewal that comes late does not make it shorter.
  store.renew("plane-1/1", 6_500);
  expect(store.expire(6_999)).toBe(false);
  expect(store.expire(7_000)).toBe(true);
  expect(store.lead("plane-2/1", 12_000)).toEqual({ epoch: 2, end: 0 });
  expect(store.renew("plane-1/1", 13_000)).toBe(false);
});

test("who leads already takes a new epoch, which fences its own old one", () => {
  const store = new StoreModel();
  store.lead("plane-1/1", 5_000);
  expect(store.lead("plane-1/1", 6_000)).toEqual({ epoch: 2, end: 0 });
  expect([store.isFenced(1), store.isFenced(2)]).toEqual([true, false]);
});

test("without a leader no plane can append, not even the last leader", () => {
  const store = new StoreModel();
  store.lead("plane-1/1", 5_000);
  store.expire(5_000);
  expect(store.isFenced(1)).toBe(true);
  store.lead("plane-1/1", 11_000);
  store.resign("plane-2/1");
  expect(store.isFenced(2)).toBe(false);
  store.resign("plane-1/1");
  expect(store.isFenced(2)).toBe(true);
});

test("who comes too late for what was dropped gets a snapshot that is the same as all commits", () => {
  const store = new StoreModel();
  const epoch = store.claim();
  for (let revision = 1; revision <= 5; revision++) store.land(commit(revision, epoch));
  store.compact(3);
  expect(store.newsAfter(3)).toEqual({ commits: store.commits.slice(3) });
  const news = store.newsAfter(2);
  expect(news.snapshot).toMatchObject({ revision: 3, epoch });
  expect(news.snapshot?.operations.map(([id]) => id)).toEqual(["op/1", "op/2", "op/3"]);
  expect(news.commits).toEqual(store.commits.slice(3));
  expect(store.newsAfter(undefined).snapshot).toBe(news.snapshot);
  // It never goes back, and never beyond the end.
  store.compact(2);
  store.compact(9);
  expect(store.compactedTo).toBe(5);
  expect(store.newsAfter(0)).toMatchObject({ snapshot: { revision: 5 }, commits: [] });
});
