import { describe, expect, it } from "vitest";
import type { Recovered } from "../../core/model/recovery.ts";
import { parseWorld } from "../../scenario/world-file.ts";
import type { Fault } from "../faults/fault.ts";
import { run } from "../run.ts";
import type { RunResult } from "./run-result.ts";

const WORLD = parseWorld(
  `
name: two-regions
regions: [{ name: home, zones: [home-a] }, { name: away, zones: [away-a] }]
nodes:
  - { count: 2, name: home, region: home, zone: home-a, capacity: { cpu: 2, memory: 4Gi } }
tenants: [{ name: shop, quota: { cpu: 8, memory: 16Gi } }]
timeline:
  - at: 3s
    put-workload:
      metadata: { name: web, namespace: shop }
      spec:
        replicas: 2
        resources: { cpu: 1, memory: 1Gi }
        recovery: { within: 1m, replicas: 2, in: [away] }
  - { at: 10s, add-node: { name: away, region: away, zone: away-a, capacity: { cpu: 4, memory: 8Gi } } }
faultsUntil: 2m
`,
  "w.yaml",
);

const LOST: readonly Fault[] = ["home-1", "home-2"].map((node) => ({
  fault: "node-crash",
  node,
  atMs: 40_000,
  downMs: 200_000,
}));

const resultOf = (explicit: readonly Fault[]): RunResult =>
  run({ world: WORLD, seed: 3, faults: { explicit, rates: {} }, trace: true });

function toldIn({ commits = [] }: RunResult): Recovered | undefined {
  const told = commits.flatMap(({ changes }) =>
    changes.flatMap(({ after }) =>
      after?.kind === "Workload" ? [after.status.recovery?.last] : [],
    ),
  );
  return told.findLast((last) => last !== undefined);
}

describe("the recoveries of a run", () => {
  it("are left out of what is told of a run that lost nothing", () => {
    expect(resultOf([]).recoveries).toBeUndefined();
  });

  it("are timed from when the loss was noticed, with the silence before it and every stage", () => {
    const result = resultOf(LOST);
    expect(result.violation).toBeUndefined();
    const [one, ...others] = result.recoveries?.timed ?? [];
    expect(others).toEqual([]);
    expect(one).toMatchObject({ workload: "shop/web", withinMs: 60_000, isOver: true });
    const spentMs = Object.values(one!.spentMs).reduce((sum, ms) => sum + ms, 0);
    expect(spentMs).toBe(one!.tookMs);
    // A lease is 15 s, and was renewed up to 5 s before the crash.
    expect(one!.silentMs).toBeGreaterThanOrEqual(15_000);
    expect(one!.silentMs).toBeLessThan(22_000);
    // One leadership and good clocks: the authority has measured the same.
    expect(Math.abs(one!.tookMs - toldIn(result)!.tookMs)).toBeLessThan(100);
  });

  it("are not told short when another leadership begins in the middle, as its own clock tells them", () => {
    const result = resultOf([...LOST, { fault: "restart-leader", atMs: 53_000, downMs: 100 }]);
    expect(result.violation).toBeUndefined();
    const [one] = result.recoveries?.timed ?? [];
    expect(one!.tookMs).toBeGreaterThan(toldIn(result)!.tookMs + 1_000);
  });

  it("are told of as not over when the run ends before they do", () => {
    const world = {
      ...WORLD,
      timeline: WORLD.timeline.slice(0, 1),
      faultsUntilMs: 70_000,
      healMs: 0,
    };
    const faults = { explicit: LOST, rates: {} };
    const { recoveries } = run({ world, seed: 3, faults, untilTurn: 2_000 });
    expect(recoveries?.timed.map(({ isOver }) => isOver)).toEqual([false]);
  });
});
