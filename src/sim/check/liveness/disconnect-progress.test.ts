import { expect, test } from "vitest";
import type { ObjectKey } from "../../../core/model/ids.ts";
import type { AnyObject, Replica } from "../../../core/model/objects.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { disconnectsLeft, nameOfIndex } from "./disconnect-progress.ts";
import {
  aNode,
  aReplica,
  bound,
  freed,
  withStatus,
} from "../../../../test/builders/check/fixtures.ts";
import { createProgressChecker } from "./progress.ts";

const evidence = { kind: "replace-after", node: "node-1", session: 1 } as const;
const superseded = { evidence, sinceMs: 0 };
const replaced = bound(aReplica(), "node-1", { stage: "serving", superseded });
const second: Replica = {
  ...bound(aReplica(), "node-2", { stage: "serving", incarnation: 2 }),
  key: `${aReplica().key}.r` as ObjectKey,
};
const index = { tenant: "payments", workload: "api", generation: 1, index: 0 };

function benchWith(...put: readonly AnyObject[]): CheckerHarness {
  const harness = new CheckerHarness(createProgressChecker());
  harness.commit({ put });
  return harness;
}

const left = (...objects: readonly AnyObject[]): string[] =>
  [...disconnectsLeft(benchWith(...objects))].map(({ rule, message }) => `${rule} ${message}`);

const nameWith = (...objects: readonly AnyObject[]): string =>
  nameOfIndex(benchWith(...objects), index);

test("two replicas of an index that have met are unfinished, and no longer when one is away [LIV11]", () => {
  expect(left(aNode(), replaced, second)).toEqual([
    "LIV11 Replica/payments/api.1.0 is back, and Replica/payments/api.1.0.r is there, too.",
  ]);
  expect(left(aNode({ status: { health: "fenced" } }), replaced, second)).toEqual([]);
  expect(left(aNode(), replaced)).toEqual([]);
});

test("a replaced replica that has ended and is still there is unfinished [LIV11]", () => {
  expect(left(freed(replaced), second)).toEqual([
    "LIV11 Replica/payments/api.1.0 was replaced, is released, and is still there.",
  ]);
});

test("a node that is held or suspected is unfinished, for as long as there is reason and a while [LIV5]", () => {
  const damped = { sinceMs: 5, untilMs: 60_005, times: 4, epoch: 1 };
  const held = [...disconnectsLeft(benchWith(aNode({ status: { damped } })))];
  expect(held.map(({ rule, patienceMs }) => [rule, patienceMs])).toEqual([["LIV5", 180_000]]);
  const clock = { offBy: 60, sinceMs: 0 };
  expect(left(aNode({ status: { clock } }))).toEqual([
    "LIV5 The clock of Node//node-1 is right again, and still suspected.",
  ]);
});

test("the name of an index is that of its own replica, or the one that is free [LIV1]", () => {
  const [first, other] = [replaced.key, second.key];
  expect(nameWith()).toBe(first);
  expect(nameWith(withStatus(replaced, { superseded: undefined }))).toBe(first);
  expect(nameWith(replaced, second)).toBe(other);
  expect(nameWith(replaced)).toBe(other);
  expect(nameWith(freed(replaced))).toBe(first);
  expect(nameWith(withStatus(second, { superseded }))).toBe(first);
});
