import { expect, test } from "vitest";
import type { Commit } from "../core/commit/commit-record.ts";
import { operationId } from "../core/model/ids.ts";
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
