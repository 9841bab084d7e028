import { expect, test } from "vitest";
import { LOAD_LIMITS } from "../../../core/model/limits/load-limits.ts";
import { type ObjectKey, operationId, type Uid } from "../../../core/model/ids.ts";
import { CheckerBench } from "../../../../test/builders/check/checker-bench.ts";
import { createLoadBoundsChecker } from "./load-bounds.ts";
import type { Intent } from "../../../core/protocol/command.ts";

const AGENT = "agent:node-1";

function send(bench: CheckerBench, intent: Intent): void {
  const actor = { role: "agent", name: AGENT } as const;
  const command = { intent, epoch: 1, basis: 1, actor };
  const request = { kind: "command", attempt: 1, command } as const;
  bench.checker.requested?.(AGENT, intent.operation, 1, bench, bench.report, request);
}

const claim = (at: number): Intent => ({
  kind: "report",
  operation: operationId(`claim ${at}`),
  replica: `Replica/shop/cart.1.${at}` as ObjectKey,
  uid: "u1" as Uid,
  life: 1,
  node: "node-1",
  session: 1,
  stage: "starting",
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
  const bench = new CheckerBench(createLoadBoundsChecker());
  const most = LOAD_LIMITS.startsAtOnce.value + LOAD_LIMITS.startsPerSecond.value + 1;
  for (let at = 0; at < most; at += 1) send(bench, claim(at));
  send(bench, claim(0));
  expect(bench.found).toEqual([]);
  send(bench, claim(most));
  expect(bench.found[0]).toMatch(/^LB4 /);
});

test("[LB4] starts of different seconds are counted apart", () => {
  const bench = new CheckerBench(createLoadBoundsChecker());
  for (let at = 0; at < 500; at += 1) {
    bench.nowMs += 50;
    send(bench, claim(at));
  }
  expect(bench.found).toEqual([]);
});

test("[LB6] a renewal behind other requests of its turn is found; before them, or later, it is right", () => {
  const bench = new CheckerBench(createLoadBoundsChecker());
  send(bench, renewal(1));
  send(bench, claim(1));
  bench.nowMs = 5_000;
  send(bench, renewal(2));
  send(bench, claim(2));
  expect(bench.found).toEqual([]);
  bench.nowMs = 10_000;
  send(bench, claim(3));
  send(bench, renewal(3));
  expect(bench.found[0]).toMatch(/^LB6 /);
});
