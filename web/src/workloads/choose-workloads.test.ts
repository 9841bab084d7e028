import { expect, test } from "vitest";
import type { PendingCell } from "../../../src/api/views/view-rows.ts";
import { aRollout, aWait, aWorkload } from "./a-workload.ts";
import { chooseWorkloads, groupPending } from "./choose-workloads.ts";
import { isFine, standingOf, worstFirst } from "./standing-of.ts";

const waits = (reason: PendingCell["reason"], count: number) => aWait(reason, { count });

const ALL = [
  aWorkload("shop/fine"),
  aWorkload("shop/rolls", { rollout: aRollout() }),
  aWorkload("shop/waits", { ready: 1, pending: [waits("no-feasible-node", 2)] }),
  aWorkload("bank/waits", {
    pending: [waits("quota-exhausted", 3), waits("no-feasible-node", 2)],
  }),
  aWorkload("bank/failed", { rollout: aRollout({ stage: "held" }) }),
];
const ANY = { filter: "", reason: "", status: "", isTroubleOnly: false };
const keysOf = (chosen: Partial<typeof ANY>) =>
  chooseWorkloads(ALL, { ...ANY, ...chosen }).map(({ key }) => key);

test("reasons are counted in replicas over all workloads, the most first", () => {
  expect(groupPending(ALL)).toEqual([
    { value: "no-feasible-node", text: "no node fits", count: 4 },
    { value: "quota-exhausted", text: "no quota left", count: 3 },
  ]);
});

test("a list is narrowed down by status, reason, words, and to what is not fine", () => {
  expect(keysOf({ reason: "quota-exhausted" })).toEqual(["bank/waits"]);
  expect(keysOf({ status: "Rolling out" })).toEqual(["shop/rolls"]);
  expect(keysOf({ filter: "because -quota" })).toEqual(["shop/waits"]);
  expect(keysOf({ isTroubleOnly: true })).toEqual(["shop/waits", "bank/waits", "bank/failed"]);
});

test("what is in trouble comes first, then what waits, what is under way, what is fine", () => {
  expect(worstFirst(ALL).map(({ key }) => key)).toEqual([
    "bank/failed",
    "bank/waits",
    "shop/waits",
    "shop/rolls",
    "shop/fine",
  ]);
});

test("a workload is fine only while all that is wanted is ready and nothing of it failed", () => {
  expect(isFine(aWorkload("a/b", { ready: 2 }))).toBe(false);
  expect(isFine(aWorkload("a/b", { rollout: aRollout({ paused: true }) }))).toBe(false);
  expect(standingOf(aWorkload("a/b", { stages: { serving: 3, unknown: 1 } }))).toBe("bad");
  expect(standingOf(aWorkload("a/b", { ready: 0, deleting: 5 }))).toBe("busy");
  const batch = {
    completions: 9,
    parallelism: 2,
    succeeded: 1,
    active: 2,
    failures: 0,
    givenUp: 0,
    started: 1,
    finished: null,
    outcome: null,
  };
  expect(standingOf(aWorkload("a/b", { wanted: 9, ready: 3, batch }))).toBe("busy");
  const over = { ...batch, finished: 2, outcome: "succeeded" } as const;
  expect(standingOf(aWorkload("a/b", { batch: over }))).toBe("done");
});
