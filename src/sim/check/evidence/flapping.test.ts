import { expect, test } from "vitest";
import type { Damping } from "../../../core/model/node/node-trust.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { aNode } from "../../../../test/builders/check/fixtures.ts";
import { createFlappingChecker } from "./flapping.ts";

const HELD: Damping = { sinceMs: 0, untilMs: 60_000, times: 4, epoch: 1 };

/** So many returns, twenty seconds apart; `held` is what the last of them leaves behind. */
function returning(times: number, held?: Damping, everyMs = 20_000): CheckerHarness {
  const harness = new CheckerHarness(createFlappingChecker());
  harness.commit({ put: [aNode()] });
  for (let time = 1; time <= times; time += 1) {
    harness.nowMs = time * everyMs;
    harness.commit({ command: "transition", put: [aNode({ status: { health: "suspect" } })] });
    const status = time === times && held !== undefined ? { damped: held } : {};
    harness.commit({
      command: "lease",
      role: "agent",
      put: [aNode({ status }), aNode({ name: "x" })],
    });
  }
  return harness;
}

function lifted(harness: CheckerHarness, afterMs: number): string[] {
  harness.nowMs += afterMs;
  harness.commit({ command: "expire", role: "node-health", put: [aNode()] });
  return harness.found;
}

test("three returns are borne, and a fourth is held [INV71]", () => {
  expect(returning(3).found).toEqual([]);
  expect(returning(4, HELD).found).toEqual([]);
});

test("a fourth return that is not held is reported [INV71]", () => {
  expect(returning(4).found).toEqual(["INV71 Node//node-1 came back 4 times and is not held."]);
});

test("returns that are long ago are forgotten [INV71]", () => {
  expect(returning(5, undefined, 250_000).found).toEqual([]);
});

test("a node that is held for too few returns is reported [INV71]", () => {
  expect(returning(2, HELD).found).toEqual(["INV71 Node//node-1 is held after 2 returns."]);
});

test("a hold of a minute may end after a minute, and not before [INV71]", () => {
  expect(lifted(returning(4, HELD), 60_000)).toEqual([]);
  expect(lifted(returning(4, HELD), 40_000)).toEqual([
    "INV71 Node//node-1 was held for 40000 ms instead of 60000 ms.",
  ]);
});

test("with every further return it lasts twice as long [INV71]", () => {
  const harness = returning(4, HELD);
  harness.commit({
    command: "transition",
    put: [aNode({ status: { health: "suspect", damped: HELD } })],
  });
  harness.nowMs += 10_000;
  const again = { ...HELD, sinceMs: 1, times: 5 };
  harness.commit({
    command: "lease",
    role: "agent",
    put: [aNode({ status: { damped: again } }), aNode({ name: "x" })],
  });
  expect(lifted(harness, 60_000)).toEqual([
    "INV71 Node//node-1 was held for 60000 ms instead of 120000 ms.",
  ]);
});
