import { expect, test } from "vitest";
import type { Commit } from "../../core/protocol/commit-record.ts";
import { operationId } from "../../core/model/ids.ts";
import { WatchStream } from "./watch-stream.ts";

const commit = (revision: number): Commit => ({
  revision,
  epoch: 1,
  atMs: 0,
  operation: operationId(`op/${revision}`),
  actor: { role: "user", name: "user" },
  command: "put",
  basis: 0,
  evidence: undefined,
  changes: [],
});

const revisions = (commits: readonly Commit[]): number[] => commits.map(({ revision }) => revision);

test("a delivery takes what was published and leaves the rest", () => {
  const stream = new WatchStream();
  stream.open(2, [commit(3)]);
  stream.add(commit(5));
  stream.add(commit(9));
  expect(stream.hasUpTo(2)).toBe(false);
  expect(stream.hasUpTo(3)).toBe(true);
  expect(revisions(stream.take(6))).toEqual([3, 5]);
  expect(stream.cursor).toBe(6);
  expect(stream.hasUpTo(8)).toBe(false);
  stream.add(commit(10));
  expect(revisions(stream.take(10))).toEqual([9, 10]);
  expect(stream.take(11)).toEqual([]);
});

test("what was handed over is not changed by what comes later", () => {
  const stream = new WatchStream();
  stream.open(0, []);
  stream.add(commit(1));
  const first = stream.take(1);
  stream.add(commit(2));
  expect(revisions(first)).toEqual([1]);
  expect(revisions(stream.take(2))).toEqual([2]);
});

test("a stream that is opened again forgets what it had", () => {
  const stream = new WatchStream();
  stream.open(0, [commit(1)]);
  stream.close();
  expect(stream.isOpen).toBe(false);
  stream.open(4, []);
  expect(stream.hasUpTo(10)).toBe(false);
  expect(stream.cursor).toBe(4);
});
