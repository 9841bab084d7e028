import { expect, test } from "vitest";
import { CORRELATED_HOLD_MS } from "../../../core/model/timing.ts";
import { createCorrelatedHoldChecker } from "./correlated-hold.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { aLease, aNode } from "../../../../test/builders/check/fixtures.ts";

const NAMES = ["node-1", "node-2", "node-3", "node-4", "node-5", "node-6"];

/** Time passes, in which these renew every five seconds and nobody else does. */
function talk(harness: CheckerHarness, names: readonly string[], untilMs: number): void {
  while (harness.nowMs < untilMs) {
    harness.nowMs = Math.min(harness.nowMs + 5_000, untilMs);
    for (const name of names) {
      harness.commit({
        command: "lease",
        role: "agent",
        put: [aLease(name, { seq: harness.nowMs })],
      });
    }
  }
}

/** Six nodes of one region, all heard at time 0, and node-1 … node-`silent` never since. */
function benchWithSilent(silent: number, nowMs: number): CheckerHarness {
  const harness = new CheckerHarness(createCorrelatedHoldChecker());
  harness.commit({ put: NAMES.map((name) => aNode({ name })) });
  harness.commit({ put: [aNode({ name: "elsewhere", spec: { region: "us" } })] });
  for (const name of NAMES)
    harness.commit({ command: "lease", role: "agent", put: [aLease(name)] });
  talk(harness, NAMES.slice(silent), nowMs);
  return harness;
}

function fence(harness: CheckerHarness, name: string): string[] {
  harness.commit({
    command: "transition",
    role: "node-health",
    evidence: { kind: "lease-expired", node: name, session: 1, seq: 1 },
    put: [aNode({ name, status: { health: "fenced" } })],
  });
  return harness.found;
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
  const harness = benchWithSilent(2, 20_000);
  fence(harness, "node-1");
  fence(harness, "node-2");
  talk(harness, NAMES.slice(3), 60_000);
  expect(fence(harness, "node-3")).toEqual([]);
});

test("silence just past the limit is the authority's to check [INV13]", () => {
  const harness = benchWithSilent(1, 11_000);
  harness.nowMs = 20_000;
  expect(fence(harness, "node-1")).toEqual([]);
});

/** Nodes of these places, of which those named have been silent for so long. */
function silentIn(
  places: Readonly<Record<string, readonly [region: string, zone: string]>>,
  silent: readonly string[],
  nowMs: number,
): CheckerHarness {
  const harness = new CheckerHarness(createCorrelatedHoldChecker());
  const names = Object.keys(places);
  for (const name of names) {
    const [region, zone] = places[name]!;
    harness.commit({ put: [aNode({ name, spec: { region, zone } })] });
    harness.commit({ command: "lease", role: "agent", put: [aLease(name)] });
  }
  const heard = names.filter((each) => !silent.includes(each));
  talk(harness, heard, nowMs);
  return harness;
}

const A = ["eu", "eu-a"] as const;
const B = ["eu", "eu-b"] as const;
const US = ["us", "us-a"] as const;

test("a node fenced while its zone is silent is reported within a minute, and not after it [INV13]", () => {
  const places = { a: A, b: A, c: A, d: B, e: B, f: B, g: B };
  expect(fence(silentIn(places, ["a", "b", "c"], 40_000), "a")).toEqual([
    "INV13 Node//a was fenced after 40000 ms of silence while 3 of the 3 nodes of zone eu-a are silent.",
  ]);
  expect(fence(silentIn(places, ["a", "b", "c"], 60_000), "a")).toEqual([]);
});

test("a node fenced while half of two regions is silent is reported within five minutes [INV13]", () => {
  const places = { a: A, b: A, c: US, d: US };
  expect(fence(silentIn(places, ["a", "b", "c"], 200_000), "a")).toEqual([
    "INV13 Node//a was fenced after 200000 ms of silence while 3 of the 4 nodes of all regions are silent.",
  ]);
  expect(fence(silentIn(places, ["a", "b", "c"], 300_000), "a")).toEqual([]);
});

test("a node fenced while the others were only just heard again is reported [INV13]", () => {
  const harness = benchWithSilent(6, 40_000);
  talk(harness, NAMES.slice(1), 41_000);
  expect(fence(harness, "node-1")).toEqual([
    "INV13 Node//node-1 was fenced after 41000 ms of silence while 6 of the 6 nodes of eu are silent.",
  ]);
});
