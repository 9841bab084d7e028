import { expect, test } from "vitest";
import { CORRELATED_HOLD_MS } from "../../core/model/timing.ts";
import { createCorrelatedHoldChecker } from "./correlated-hold.ts";
import { CheckerBench } from "./checker-bench.ts";
import { aLease, aNode } from "./fixtures.ts";

const NAMES = ["node-1", "node-2", "node-3", "node-4", "node-5", "node-6"];

/** Six nodes of one region, all heard at time 0, and node-1 … node-`silent` never since. */
function benchWithSilent(silent: number, nowMs: number): CheckerBench {
  const bench = new CheckerBench(createCorrelatedHoldChecker());
  bench.commit({ put: NAMES.map((name) => aNode({ name })) });
  bench.commit({ put: [aNode({ name: "elsewhere", spec: { region: "us" } })] });
  for (const name of NAMES) bench.commit({ command: "lease", role: "agent", put: [aLease(name)] });
  bench.nowMs = nowMs;
  for (const name of NAMES.slice(silent)) {
    bench.commit({ command: "lease", role: "agent", put: [aLease(name, { seq: 2 })] });
  }
  return bench;
}

function fence(bench: CheckerBench, name: string): string[] {
  bench.commit({
    command: "transition",
    role: "node-health",
    evidence: { kind: "lease-expired", node: name, session: 1, seq: 1 },
    put: [aNode({ name, status: { health: "fenced" } })],
  });
  return bench.found;
}

test("a node may be fenced while fewer than half of its region are silent [INV13]", () => {
  expect(fence(benchWithSilent(2, 20_000), "node-1")).toEqual([]);
});

test("a node fenced while half of its region is silent is reported [INV13]", () => {
  expect(fence(benchWithSilent(3, 20_000), "node-1")).toEqual([
    "INV13 Node//node-1 was fenced after 20000 ms of silence while 3 of the 6 nodes of eu are silent.",
  ]);
});

test("the hold ends: lost is lost [INV13]", () => {
  expect(fence(benchWithSilent(6, CORRELATED_HOLD_MS), "node-1")).toEqual([]);
});

test("nodes fenced before do not count as silent [INV13]", () => {
  const bench = benchWithSilent(2, 20_000);
  fence(bench, "node-1");
  fence(bench, "node-2");
  bench.nowMs = 60_000;
  for (const name of NAMES.slice(3)) {
    bench.commit({ command: "lease", role: "agent", put: [aLease(name, { seq: 3 })] });
  }
  expect(fence(bench, "node-3")).toEqual([]);
});

test("silence just past the limit is the authority's to judge [INV13]", () => {
  const bench = benchWithSilent(1, 11_000);
  bench.nowMs = 20_000;
  expect(fence(bench, "node-1")).toEqual([]);
});
