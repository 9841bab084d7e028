import { describe, expect, test } from "vitest";
import { parseWorld } from "../scenario/world-file.ts";
import { fleetOfWorld } from "./fleet-of-world.ts";
import { loadOfFleet } from "./load-of-fleet.ts";
import { runTwin } from "./run-twin.ts";
import type { TwinScenario } from "./twin-run.ts";

/** Four replicas at their load; the quota of the tenant is for six. */
const WORLD = `name: scaled
regions: [{ name: eu, zones: [eu-a, eu-b] }]
nodes:
  - { name: a-1, region: eu, zone: eu-a, capacity: { cpu: 8, memory: 16Gi } }
  - { name: a-2, region: eu, zone: eu-a, capacity: { cpu: 8, memory: 16Gi } }
  - { name: b-1, region: eu, zone: eu-b, capacity: { cpu: 8, memory: 16Gi } }
tenants: [{ name: risk, quota: { cpu: 6, memory: 64Gi } }]
workloads:
  - metadata: { name: api, namespace: risk }
    spec: { replicas: 4, resources: { cpu: 1, memory: 1Gi } }
autoscalers:
  - tenant: risk
    workload: api
    min: 2
    max: 12
    perReplica: 100
    up: { window: 0s, step: 8, period: 0s }
    manualHold: 0s
    demand: [{ at: 0s, load: 400 }]
schedulers: 1
faultsUntil: 1s
heal: 2m
startUp: 1s
`;

const FLEET = fleetOfWorld(parseWorld(WORLD, "scaled.yaml"));

const scenario = (of: Partial<TwinScenario>): TwinScenario => ({
  events: [],
  watchMs: 120_000,
  hasFaults: false,
  ...of,
});

describe("the load of a fleet with an autoscaler", () => {
  test("leaves its size as it is while nothing happens", () => {
    const run = runTwin(FLEET, scenario({}), 1);
    expect(run).toMatchObject({ recoveries: [], waits: [], violations: [] });
  });

  test("is what was measured last, or what the wanted replicas are to have", () => {
    const demand = (objects: typeof FLEET.objects) => loadOfFleet(objects, undefined)?.[0]?.demand;
    expect(demand(FLEET.objects)).toEqual([{ atMs: 0, load: 400 }]);
    const unmeasured = FLEET.objects.map((object) =>
      object.kind === "Autoscaler" ? { ...object, status: {} } : object,
    );
    expect(demand(unmeasured)).toEqual([{ atMs: 0, load: 400 }]);
    expect(loadOfFleet([], undefined)).toBeUndefined();
  });

  test("asks for more when it rises, and stops at the quota", () => {
    const run = runTwin(FLEET, scenario({ loadPercent: 200 }), 1);
    expect(run.violations).toEqual([]);
    // Eight are asked for. Two of the four that are new have quota and find a place.
    const placed = run.waits.filter(({ ms }) => ms !== undefined);
    expect(placed).toHaveLength(2);
  });

  test("brings no storm where a node is lost and the sums of quotas are seen late", () => {
    const events = [{ atMs: 0, do: "lose", nodes: ["b-1"] }] as const;
    const stale = scenario({ events, loadPercent: 150, hasFaults: true, meant: ["stale-quota"] });
    for (const seed of [1, 2, 3, 4]) {
      const run = runTwin(FLEET, stale, seed);
      expect(run.violations).toEqual([]);
      expect(run.met).toEqual(["stale-quota"]);
      expect(run.recoveries[0]?.recoveredMs).toBeGreaterThan(0);
      expect(run.mostCommands?.count ?? 0).toBeLessThan(100);
    }
  });
});
