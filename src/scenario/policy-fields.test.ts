import { expect, it } from "vitest";
import { KeyedRandom } from "../sim/faults/keyed-random.ts";
import { standardWorld } from "../sim/world/standard-world.ts";
import { drawPolicies } from "../sim/swarm/swarm-policies.ts";
import { drawScalingBounds } from "../sim/swarm/swarm-scaling-bounds.ts";
import type { World } from "../sim/world/world.ts";
import { formatWorld, parseWorld } from "./world-file.ts";

it("policies, their revisions and what people do with them are read back as they were written", () => {
  const base = standardWorld();
  const seen = new Set<string>();
  for (let seed = 1; seed <= 100; seed += 1) {
    const drawn = drawPolicies(new KeyedRandom(seed, "swarm-world"), base.regions, 60_000);
    if (drawn.timeline.length === 0) continue;
    const world: World = { ...base, ...drawn.world, timeline: drawn.timeline };
    expect(parseWorld(formatWorld(world), "again.yaml")).toEqual(world);
    for (const { spec } of drawn.world.policyRevisions ?? []) {
      for (const rule of Object.keys(spec)) seen.add(rule);
    }
    for (const { action } of drawn.timeline) seen.add(action.do);
  }
  expect([...seen].toSorted()).toEqual([
    "activate",
    "health",
    "onRollback",
    "preemption",
    "put-policy-revision",
    "retries",
    "scoring",
    "spread",
  ]);
});

it("bounds for autoscalers are drawn where there are any, and read back as they were written", () => {
  const { regions, ...base } = { ...standardWorld(), nodes: [], workloads: [] };
  const seen = new Set<string>();
  for (let seed = 1; seed <= 30; seed += 1) {
    const random = new KeyedRandom(seed, "swarm-world");
    const policies = drawPolicies(random, regions, 60_000);
    const of = { policies, regions, untilMs: 60_000 };
    expect(drawScalingBounds(random, { ...of, autoscalers: undefined })).toBe(policies);
    const drawn = drawScalingBounds(random, { ...of, autoscalers: [] });
    const world: World = { ...base, regions, ...drawn.world, timeline: drawn.timeline };
    expect(parseWorld(formatWorld(world), "again.yaml")).toEqual(world);
    for (const { spec } of drawn.world.policyRevisions ?? []) {
      for (const bound of Object.keys(spec.autoscaling ?? {})) seen.add(bound);
    }
  }
  expect([...seen].toSorted()).toEqual([
    "maxReplicas",
    "minReplicas",
    "stabilizationMs",
    "stepMost",
  ]);
});
