import { expect, test } from "vitest";
import { drawScheduled } from "../faults/scheduled-faults.ts";
import { SHARED_LOG_FAULTS } from "../faults/shared-faults.ts";
import { standardWorld } from "../world/standard-world.ts";
import { drawSwarm, HIGHEST, swarmRates } from "./swarm.ts";

const SEEDS = Array.from({ length: 300 }, (_, at) => at + 1);

test("a seed draws the same swarm every time", () => {
  expect(drawSwarm(17)).toEqual(drawSwarm(17));
  expect(drawSwarm(17)).not.toEqual(drawSwarm(18));
});

test("worlds stay within the size a run is fast with, and reach both ends of it", () => {
  const worlds = SEEDS.map((seed) => drawSwarm(seed).world);
  const sizes = worlds.map(({ nodes }) => nodes.length);
  expect(Math.min(...sizes)).toBe(3);
  expect(Math.max(...sizes)).toBe(20);
  expect(new Set(worlds.map(({ schedulers }) => schedulers))).toEqual(new Set([1, 2, 3]));
  expect(new Set(worlds.map(({ regions }) => regions.length))).toEqual(new Set([1, 2, 3]));
});

test("over many seeds every kind of fault, action and constraint turns up", () => {
  const faults = new Set<string>();
  const actions = new Set<string>();
  const nodes = { capped: 0, forecast: 0, pools: 0, shunned: 0 };
  const constraints = {
    share: 0,
    model: 0,
    expressions: 0,
    capped: 0,
    near: 0,
    apart: 0,
    ports: 0,
    softly: 0,
  };
  const asks = {
    ...constraints,
    gpu: 0,
    batch: 0,
    keep: 0,
    replaced: 0,
    waited: 0,
    reconciled: 0,
    spread: 0,
    selector: 0,
    regions: 0,
    tolerations: 0,
  };
  for (const { world, rates } of SEEDS.map(drawSwarm)) {
    for (const name of Object.keys(rates)) faults.add(name);
    for (const { action } of world.timeline) actions.add(action.do);
    for (const { spec } of world.nodes) {
      if (spec.maxReplicas !== undefined) nodes.capped++;
      if (spec.supply === "soft") nodes.forecast++;
      if (spec.pools.length > 1) nodes.pools++;
      if (spec.taints.some(({ effect }) => effect === "prefer-no-schedule")) nodes.shunned++;
    }
    for (const { spec } of world.workloads) {
      const { template } = spec;
      if (template.ask.device !== undefined) asks.gpu++;
      if (spec.type === "batch") asks.batch++;
      if (template.onDisconnect === "keep") asks.keep++;
      const isWaitedFor = template.replaceAfterMs !== undefined;
      if (isWaitedFor && template.onDisconnect === "keep") asks.replaced++;
      if (isWaitedFor && template.onDisconnect === "stop") asks.waited++;
      if (template.reconcile !== undefined) asks.reconciled++;
      if (template.spread.length > 0) asks.spread++;
      if (Object.keys(template.ask.nodeSelector).length > 0) asks.selector++;
      if (template.ask.regions.length > 0) asks.regions++;
      if (template.ask.tolerations.length > 0) asks.tolerations++;
      if ((template.ask.device?.shareMillis ?? 1000) < 1000) asks.share++;
      if ((template.ask.device?.models.length ?? 0) > 0) asks.model++;
      if (template.ask.nodeExpressions !== undefined) asks.expressions++;
      if (template.maxPerNode !== undefined) asks.capped++;
      if ((template.affinity?.required.length ?? 0) > 0) asks.near++;
      if ((template.affinity?.antiRequired.length ?? 0) > 0) asks.apart++;
      if (template.ask.fixedPorts !== undefined) asks.ports++;
      if (template.spread.some(({ soft }) => soft)) asks.softly++;
    }
  }
  expect(faults.size).toBe(Object.keys(HIGHEST).length);
  expect(actions.size).toBe(27);
  for (const count of Object.values(nodes)) expect(count).toBeGreaterThan(50);
  for (const count of Object.values(asks)) expect(count).toBeGreaterThan(50);
});

test("in about a third of the worlds several planes share the log, and only there its faults are drawn", () => {
  const swarms = SEEDS.map((seed) => ({ seed, ...drawSwarm(seed) }));
  const several = swarms.filter(({ world }) => (world.planes ?? 1) > 1);
  expect(several.length).toBeGreaterThan(SEEDS.length / 4);
  expect(several.length).toBeLessThan((SEEDS.length * 2) / 5);
  expect(new Set(several.map(({ world }) => world.planes))).toEqual(new Set([2, 3]));
  const drawn = new Map<string, number>();
  for (const { seed, world, rates } of swarms) {
    for (const { fault } of drawScheduled(seed, rates, world)) {
      if (!SHARED_LOG_FAULTS.some((name) => name === fault)) continue;
      expect(world.planes ?? 1).toBeGreaterThan(1);
      drawn.set(fault, (drawn.get(fault) ?? 0) + 1);
    }
  }
  for (const name of SHARED_LOG_FAULTS) expect(drawn.get(name)).toBeGreaterThan(20);
});

test("in about a third of the worlds each controller has its own view, in the others all share one", () => {
  const worlds = SEEDS.map((seed) => drawSwarm(seed).world);
  const own = worlds.filter(({ controllersShareView }) => controllersShareView !== true);
  expect(own.length).toBeGreaterThan(SEEDS.length / 4);
  expect(own.length).toBeLessThan((SEEDS.length * 2) / 5);
});

test("no kind of fault is in every swarm, so that runs differ in kind and not only in degree", () => {
  const always = SEEDS.map(swarmRates).map((rates) => new Set(Object.keys(rates)));
  for (const name of ["crash", "lose-reply", "partition", "clock"]) {
    const count = always.filter((names) => names.has(name)).length;
    expect(count).toBeGreaterThan(SEEDS.length / 3);
    expect(count).toBeLessThan((SEEDS.length * 3) / 4);
  }
});

test("one crash more moves no other scheduled fault", () => {
  const world = standardWorld();
  const fewer = drawScheduled(5, { crash: 2, partition: 4, clock: 3 }, world);
  const more = drawScheduled(5, { crash: 3, partition: 4, clock: 3 }, world);
  expect(more).toHaveLength(fewer.length + 1);
  for (const fault of fewer) expect(more).toContainEqual(fault);
});

test("scheduled faults fall into the time of faults and clocks keep to the drift bound [CL1]", () => {
  const world = standardWorld();
  const drawn = SEEDS.flatMap((seed) =>
    drawScheduled(seed, { clock: 8, "node-pause": 5, crash: 5 }, world),
  );
  expect(Math.max(...drawn.map(({ atMs }) => atMs))).toBeLessThan(world.faultsUntilMs);
  const drifts = drawn.flatMap((fault) =>
    fault.fault === "clock" ? [fault.driftPerThousand] : [],
  );
  expect(Math.min(...drifts)).toBe(-10);
  expect(Math.max(...drifts)).toBe(10);
});
