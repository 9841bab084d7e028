import { describe, expect, test } from "vitest";
import type { AnyObject, Replica, WorkloadSpec } from "../../../core/model/objects.ts";
import { ObjectIndex } from "../../../core/observe/object-index.ts";
import {
  amounts,
  aNode,
  anAsk,
  aQuota,
  aReplica,
  aTemplate,
  aWorkload,
  bound,
} from "../../../../test/builders/check/fixtures.ts";
import { gangFits } from "./naive-gangs.ts";

const template = aTemplate({ ask: anAsk({ amounts: amounts({ cpuMillis: 600 }) }) });
const gangOf = (replicas: number, of: Partial<WorkloadSpec> = {}) =>
  aWorkload({ spec: { replicas, template, gang: { deadlineMs: 1 }, ...of } });
const member = (index: number): Replica =>
  aReplica({ spec: { index, template }, status: { stage: "queued" } });

function fits(gang: ReturnType<typeof gangOf>, ...objects: readonly AnyObject[]): boolean {
  const index = new ObjectIndex();
  for (const after of [aQuota(), gang, ...objects]) {
    index.fold({ key: after.key, before: undefined, after });
  }
  return gangFits(index, gang);
}

const ONE = aNode();
const TWO = aNode({ name: "node-2" });

const gpus = (count: number) => {
  const ids = Array.from({ length: count }, (_, at) => `gpu-${at}`);
  const capacity = amounts({ cpuMillis: 1_000, memoryMiB: 1_000, deviceMillis: 1_000 * count });
  return aNode({ spec: { capacity, pools: [{ class: "gpu", model: "", ids }] } });
};

describe("a gang fits", () => {
  test("when each of it finds a node beside those before it [LIV6]", () => {
    expect(fits(gangOf(2), ONE, TWO, member(0), member(1))).toBe(true);
    expect(fits(gangOf(2), ONE, member(0), member(1))).toBe(false);
  });

  test("when only those that lack a node find one [LIV6]", () => {
    expect(fits(gangOf(2), ONE, TWO, bound(member(0)), member(1))).toBe(true);
    expect(fits(gangOf(1), ONE, bound(member(0)))).toBe(false);
  });

  test("only with quota for all that hold none [LIV6]", () => {
    const poor = aQuota({ cpuMillis: 1_000 });
    expect(fits(gangOf(2), ONE, TWO)).toBe(true);
    expect(fits(gangOf(2), ONE, TWO, poor)).toBe(false);
  });

  test("not while one of it is still leaving, or waits for its next incarnation [LIV6]", () => {
    const leaving = bound(member(1), "node-2", { stopping: { reason: "drain", sinceMs: 0 } });
    expect(fits(gangOf(2), ONE, TWO, member(0), leaving)).toBe(false);
    const failed = aReplica({ spec: { index: 1, template }, status: { stage: "failed" } });
    expect(fits(gangOf(2), ONE, TWO, member(0), failed)).toBe(false);
  });

  test("is never said of one whose members mind where the others are [LIV6]", () => {
    const spread = { ...template, spread: [{ by: "zone", maxSkew: 1 }] };
    expect(fits(gangOf(1, { template: spread }), ONE)).toBe(false);
  });

  test("takes a device of its own for each of them [LIV6]", () => {
    const device = { class: "gpu", models: [], count: 1, shareMillis: 1_000 };
    const ask = anAsk({ amounts: amounts({ deviceMillis: 1_000 }), device });
    const gang = gangOf(2, { template: aTemplate({ ask }) });
    expect(fits(gang, gpus(2))).toBe(true);
    expect(fits(gang, gpus(1))).toBe(false);
  });
});
