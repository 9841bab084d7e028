import { expect, it } from "vitest";
import { UserError } from "../shell/errors.ts";
import { KeyedRandom } from "../sim/faults/keyed-random.ts";
import { standardWorld } from "../sim/world/standard-world.ts";
import { drawRecoveryBudgets } from "../sim/swarm/swarm-recovery-budgets.ts";
import { worldWorkload } from "../sim/world/build-world.ts";
import type { World } from "../sim/world/world.ts";
import { formatWorld, parseWorld } from "./world-file.ts";

const world = (recovery: string, timeline = "[]"): string => `
name: budgets
regions: [{ name: eu, zones: [a] }]
nodes: [{ name: n1, region: eu, zone: a, capacity: { cpu: 8, memory: 8Gi } }]
policyRevisions: [{ name: r-1, scoring: best-fit, recovery: ${recovery} }]
policies: [{ name: default, active: r-1 }]
tenants: [{ name: shop, quota: { cpu: 1, memory: 1Gi } }]
timeline: ${timeline}
`;

const RESERVE = "reserve: { cpu: 4, memory: 2Gi }";

const mistake = (text: string): string => {
  try {
    parseWorld(text, "w.yaml");
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
  return "";
};

it("a policy revision says what recoveries may spend, and people what else", () => {
  const grant = "{ region: eu, cpu: 1, memory: 1Gi, tenants: [b, a], classes: [high], ttl: 5m }";
  const said = `{ ${RESERVE}, fairnessWindow: 30s, grants: [${grant}] }`;
  const granted =
    "{ name: bu-1, as: ana, region: eu, cpu: 1, memory: 1Gi, ttl: 10m, reason: fire }";
  const raise =
    "{ name: more, as: ana, action: raise-budget, target: { region: eu }, reason: why, ttl: 10s, amount: 50 }";
  const timeline = `[{ at: 5s, grant-budget: ${granted} }, { at: 6s, override: ${raise} }, { at: 7s, withdraw-budget: { name: bu-1, as: bob } }]`;
  const read = parseWorld(world(said, timeline), "w.yaml");
  const GI = 1_024;
  expect(read.policyRevisions?.[0]?.spec.recovery).toEqual({
    reserve: { cpuMillis: 4_000, memoryMiB: 2 * GI, deviceMillis: 0 },
    fairnessWindowMs: 30_000,
    grants: [
      {
        region: "eu",
        amounts: { cpuMillis: 1_000, memoryMiB: GI, deviceMillis: 0 },
        tenants: ["a", "b"],
        classes: ["high"],
        ttlMs: 300_000,
      },
    ],
  });
  expect(read.timeline[0]?.action).toEqual({
    do: "grant-budget",
    name: "bu-1",
    as: "ana",
    spec: {
      region: "eu",
      amounts: { cpuMillis: 1_000, memoryMiB: GI, deviceMillis: 0 },
      ttlMs: 600_000,
      reason: "fire",
    },
  });
  expect(parseWorld(formatWorld(read), "again.yaml")).toEqual(read);
});

it("what is drawn of budgets is read back as it was written", () => {
  const base = standardWorld();
  const recovery = { withinMs: 1_000, replicas: 1, regions: ["r1"] };
  const workloads = [
    worldWorkload({ tenant: "t1", name: "w1", replicas: 1, amounts: {}, recovery }),
  ];
  const regions = ["r1", "r2"].map((name) => ({ name, zones: [`${name}-a`] }));
  const seen = new Set<string>();
  for (let seed = 1; seed <= 24; seed += 1) {
    const scene = { regions, tenants: ["t1", "t2"], workloads, policies: {}, untilMs: 60_000 };
    const drawn = drawRecoveryBudgets(new KeyedRandom(seed, "swarm-world"), scene);
    if (drawn.timeline.length === 0) continue;
    const tenants = scene.tenants.map((name) => ({ ...base.tenants[0]!, name }));
    const drawnWorld: World = {
      ...base,
      regions: [...base.regions, ...regions],
      tenants: [...base.tenants, ...tenants],
      ...drawn.world,
      timeline: drawn.timeline,
    };
    expect(parseWorld(formatWorld(drawnWorld), "again.yaml")).toEqual(drawnWorld);
    for (const { action } of drawn.timeline) seen.add(action.do);
  }
  for (const action of ["grant-budget", "extend-budget", "withdraw-budget", "override"]) {
    expect(seen).toContain(action);
  }
});

it.each([
  ["{}", /recovery: required field "reserve" is missing/],
  [
    `{ ${RESERVE}, fairnessWindow: 2h }`,
    /fairnessWindow: found "2h", expected a duration of up to 1h/,
  ],
  [`{ ${RESERVE}, grants: [{ region: us, cpu: 1, memory: 1Gi, ttl: 5m }] }`, /unknown region "us"/],
  [`{ ${RESERVE}, grants: [{ region: eu, cpu: 1, memory: 1Gi, ttl: 8d }] }`, /ttl: found "8d"/],
  [`{ ${RESERVE}, grant: [] }`, /unknown field "grant".*Did you mean "grants"/],
])("a mistake in %s is pointed at", (recovery, expected) => {
  expect(mistake(world(recovery))).toMatch(expected);
});
