import { describe, expect, test } from "vitest";
import { workloadKey } from "../../model/ids.ts";
import { keptForAnother } from "../../rules/obstacles/held-back-rules.ts";
import { HeldBack } from "../fleet/held-back.ts";
import { KEPT_MS, KeptNodes, MOST_KEPT, STARVING_MS } from "./kept-nodes.ts";

const LARGE = { workload: workloadKey("a", "large"), priority: 5, size: 9 };
const SMALL = { workload: workloadKey("b", "small"), priority: 5, size: 1 };
const URGENT = { workload: workloadKey("b", "urgent"), priority: 6, size: 1 };

describe("a node", () => {
  test("is found for a replica that found no room for a minute [QU3]", () => {
    const kept = new KeptNodes();
    expect(kept.isToBeFound(LARGE, 1_000)).toBe(false);
    expect(kept.isToBeFound(LARGE, 1_000 + STARVING_MS - 1)).toBe(false);
    expect(kept.isToBeFound(LARGE, 1_000 + STARVING_MS)).toBe(true);
    kept.forget(LARGE.workload);
    expect(kept.isToBeFound(LARGE, 1_000 + STARVING_MS)).toBe(false);
  });

  test("is searched for once a second, and who got none lets the others search first", () => {
    const kept = new KeptNodes();
    for (const claim of [LARGE, SMALL]) kept.isToBeFound(claim, 0);
    kept.searched(LARGE.workload, STARVING_MS, false);
    expect(kept.isToBeFound(SMALL, STARVING_MS)).toBe(false);
    expect(kept.isToBeFound(SMALL, STARVING_MS + 1_000)).toBe(true);
    expect(kept.isToBeFound(LARGE, STARVING_MS + 1_000)).toBe(false);
    expect(kept.isToBeFound(LARGE, 2 * STARVING_MS)).toBe(true);
  });

  test("is closed to all other replicas without a higher priority [QU3]", () => {
    const kept = new KeptNodes();
    kept.keep("n1", LARGE, 0);
    expect(kept.isKeptFrom("n1", SMALL)).toBe(true);
    expect(kept.isKeptFrom("n1", LARGE)).toBe(false);
    expect(kept.isKeptFrom("n1", URGENT)).toBe(false);
    expect(kept.isKeptFrom("n2", SMALL)).toBe(false);
  });

  test("is kept for a minute at a time, and only a few are", () => {
    const kept = new KeptNodes();
    for (let at = 0; at < MOST_KEPT; at += 1) kept.keep(`n${at}`, LARGE, 0);
    kept.isToBeFound(SMALL, 0);
    expect(kept.isToBeFound(SMALL, STARVING_MS)).toBe(false);
    expect(kept.expire(KEPT_MS - 1)).toEqual([]);
    expect(kept.expire(KEPT_MS)).toHaveLength(MOST_KEPT);
    expect(kept.isEmpty).toBe(true);
  });
});

test("a larger request takes over a node reserved for a smaller one, and not the other way round [QU3]", () => {
  const kept = new KeptNodes();
  for (let at = 0; at < MOST_KEPT; at += 1) kept.keep(`n${at}`, SMALL, 0);
  expect(kept.isToBeHad("n0", LARGE)).toBe(true);
  expect(kept.isToBeHad("another", LARGE)).toBe(false);
  kept.isToBeFound(LARGE, 0);
  expect(kept.isToBeFound(LARGE, STARVING_MS)).toBe(true);
  kept.keep("n0", LARGE, 0);
  expect(kept.isToBeHad("n0", SMALL)).toBe(false);
  expect(kept.isToBeHad("n0", URGENT)).toBe(true);
  expect(kept.nodesOf(LARGE.workload)).toEqual(["n0"]);
});

describe("what is held back", () => {
  test("depends on the replica that looks, and a cache is told when that changes [QU3]", () => {
    const asked: string[] = [];
    const heldBack = new HeldBack((node) => asked.push(node));
    heldBack.keep("n1", LARGE, 0);
    expect(heldBack.why("n1")).toBeUndefined();
    heldBack.lookFor(SMALL, 0);
    expect(heldBack.why("n1")).toBe(keptForAnother.name);
    heldBack.lookFor(SMALL, 0);
    heldBack.lookFor(LARGE, 0);
    expect(heldBack.why("n1")).toBeUndefined();
    expect(asked).toEqual(["n1", "n1", "n1"]);
    heldBack.release(LARGE.workload);
    heldBack.lookFor(SMALL, 0);
    expect(heldBack.why("n1")).toBeUndefined();
  });

  test("is kept no longer once its time is over", () => {
    const heldBack = new HeldBack(() => {});
    heldBack.keep("n1", LARGE, 0);
    heldBack.lookFor(SMALL, KEPT_MS);
    expect(heldBack.why("n1")).toBeUndefined();
  });

  test("after a refusal is open again when the view has caught up [RN4]", () => {
    const heldBack = new HeldBack(() => {});
    heldBack.shun("n1", 7);
    heldBack.liftShunned(6);
    expect(heldBack.why("n1")).toBe("refused-lately");
    heldBack.liftShunned(7);
    expect(heldBack.why("n1")).toBeUndefined();
  });
});
