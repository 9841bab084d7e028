import { expect, test } from "vitest";
import { LOAD_LIMITS } from "../../../core/model/limits/load-limits.ts";
import { type ObjectKey, operationId, type Uid } from "../../../core/model/ids.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { createLoadBoundsChecker } from "./load-bounds.ts";
import type { Intent } from "../../../core/protocol/command.ts";

const AGENT = "agent:node-1";

function send(harness: CheckerHarness, intent: Intent): void {
  const actor = { role: "agent", name: AGENT } as const;
  const command = { intent, epoch: 1, basis: 1, actor };
  const request = { kind: "command", attempt: 1, command } as const;
  harness.checker.requested?.(AGENT, intent.operation, 1, harness, harness.report, request);
}

const claim = (at: number): Intent => ({
  kind: "report",
  operation: operationId(`claim ${at}`),
  replica: `Replica/shop/cart.1.${at}` as ObjectKey,
  uid: "u1" as Uid,
  incarnation: 1,
  node: "node-1",
  session: 1,
  stage: "starting",
});

const unready = (at: number): Intent => ({
  ...(claim(at) as Extract<Intent, { kind: "report" }>),
  operation: operationId(`unready ${at}`),
});

const renewal = (seq: number): Intent => ({
  kind: "lease",
  operation: operationId(`lease ${seq}`),
  node: "node-1",
  session: 1,
  seq,
  kept: [],
});

test("[LB4] as many starts as may begin at once and in a second pass, and one more is found", () => {
  const harness = new CheckerHarness(createLoadBoundsChecker());
  const most = LOAD_LIMITS.startsAtOnce.value + LOAD_LIMITS.startsPerSecond.value + 1;
  for (let at = 0; at < most; at += 1) send(harness, claim(at));
  send(harness, claim(0));
  expect(harness.found).toEqual([]);
  send(harness, claim(most));
  expect(harness.found[0]).toMatch(/^LB4 /);
});

test("[LB4] starts of different seconds are counted apart", () => {
  const harness = new CheckerHarness(createLoadBoundsChecker());
  for (let at = 0; at < 500; at += 1) {
    harness.nowMs += 50;
    send(harness, claim(at));
  }
  expect(harness.found).toEqual([]);
});

test("[LB4] processes that are not ready any more are reported as starting, and start nothing", () => {
  const harness = new CheckerHarness(createLoadBoundsChecker());
  for (let at = 0; at < 30; at += 1) send(harness, claim(at));
  for (let at = 0; at < 30; at += 1) send(harness, unready(at));
  expect(harness.found).toEqual([]);
});

test("[LB6] a renewal behind other requests of its turn is found; before them, or later, it is right", () => {
  const harness = new CheckerHarness(createLoadBoundsChecker());
  send(harness, renewal(1));
  send(harness, claim(1));
  harness.nowMs = 5_000;
  send(harness, renewal(2));
  send(harness, claim(2));
  expect(harness.found).toEqual([]);
  harness.nowMs = 10_000;
  send(harness, claim(3));
  send(harness, renewal(3));
  expect(harness.found[0]).toMatch(/^LB6 /);
});
