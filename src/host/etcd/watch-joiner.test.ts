import { expect, test } from "vitest";
import type { WatchEvent } from "./etcd-api.ts";
import { WatchJoiner } from "./watch-joiner.ts";

const NOTHING = new Uint8Array(0);
const at = (modRevision: bigint): WatchEvent => ({
  kind: "put",
  kv: { key: NOTHING, value: NOTHING, createRevision: 1n, modRevision, version: 1n, lease: 0n },
});

test("what etcd cut is joined and what it sent together is cut, so that each revision is told once and whole", () => {
  const joiner = new WatchJoiner();
  const counts = (fragment: boolean, ...revisions: bigint[]) =>
    joiner
      .add({ fragment, events: revisions.map(at) })
      .map(({ revision, events }) => `${revision}×${events.length}`);
  expect(counts(false, 3n, 3n, 4n)).toEqual(["3×2", "4×1"]);
  expect(counts(true, 5n, 6n)).toEqual([]);
  expect(counts(true, 6n)).toEqual([]);
  expect(counts(false, 6n, 7n)).toEqual(["5×1", "6×3", "7×1"]);
  expect(counts(false)).toEqual([]);
});
