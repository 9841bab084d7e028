import { describe, expect, test } from "vitest";
import { workloadKey } from "../core/model/ids.ts";
import { FENCE_AFTER_MS, LEASE_MS, RENEW_EVERY_MS } from "../core/model/timing.ts";
import type { Report, Truth } from "../sim/check/checker.ts";
import { worldNode, worldWorkload } from "../sim/world/build-world.ts";
import type { World } from "../sim/world/world.ts";
import { fleetOfWorld } from "./fleet-of-world.ts";
import { playTwin } from "./play-twin.ts";
import { runTwin } from "./run-twin.ts";
import type { TwinScenario } from "./twin-run.ts";

const NODES = ["a-1", "a-2", "b-1", "b-2", "c-1", "c-2"];

const WORLD: World = {
  name: "three-zones",
  regions: [{ name: "eu", zones: ["eu-a", "eu-b", "eu-c"] }],
  nodes: NODES.map((name) =>
    worldNode({
      name,
      region: "eu",
      zone: `eu-${name.charAt(0)}`,
      cpuMillis: 8_000,
      memoryMiB: 16_384,
    }),
  ),
  tenants: [{ name: "shop", quota: { cpuMillis: 40_000, memoryMiB: 80_000, deviceMillis: 0 } }],
  workloads: [
    worldWorkload({
      tenant: "shop",
      name: "web",
      replicas: 12,
      amounts: { cpuMillis: 1_000, memoryMiB: 1_024 },
      together: { spread: [{ by: "zone", maxSkew: 1 }] },
    }),
  ],
  schedulers: 1,
  timeline: [],
  faultsUntilMs: 1_000,
  healMs: 120_000,
  startUpMs: 1_000,
  batchRunMs: 5_000,
};

const FLEET = fleetOfWorld(WORLD);
const WEB = workloadKey("shop", "web");

const scenario = (of: Partial<TwinScenario>): TwinScenario => ({
  events: [],
  watchMs: 120_000,
  hasFaults: false,
  ...of,
});

describe("the twin", () => {
  test("keeps a fleet serving to which nothing happens", () => {
    const run = runTwin(FLEET, scenario({}), 1);
    expect(run).toMatchObject({ recoveries: [], waits: [], violations: [] });
  });

  test("recovers a workload that lost a node", () => {
    const lose = scenario({ events: [{ atMs: 0, do: "lose", nodes: ["b-1"] }] });
    const run = runTwin(FLEET, lose, 1);
    expect(run.violations).toEqual([]);
    const [web] = run.recoveries;
    expect(web).toMatchObject({ workload: WEB, before: 12, least: 12 - servingOn("b-1") });
    // Its processes are surely dead after a lease, the time to kill and the bound of the clocks.
    expect(web?.recoveredMs).toBeGreaterThan(FENCE_AFTER_MS - RENEW_EVERY_MS);
    expect(web?.recoveredMs).toBeLessThan(FENCE_AFTER_MS + 5_000);
    expect(run.waits).toHaveLength(servingOn("b-1"));
    expect(run.waits.every(({ workload, ms }) => workload === WEB && ms !== undefined)).toBe(true);
  });

  test("tells of each absence stages that add up to it, and none that is longer than the recovery", () => {
    const lose = scenario({ events: [{ atMs: 0, do: "lose", nodes: ["b-1", "b-2"] }] });
    const [web] = runTwin(FLEET, lose, 2).recoveries;
    const { absences = [], recoveredMs = 0 } = web ?? {};
    expect(absences).toHaveLength(servingOn("b-1") + servingOn("b-2"));
    for (const { lostMs, backMs = 0, region, stages } of absences) {
      expect(Object.values(stages).reduce((sum, ms) => sum + ms, 0)).toBe(backMs - lostMs);
      expect(backMs).toBeLessThanOrEqual(recoveredMs);
      expect(region).toBe("eu");
    }
    const soon = runTwin(FLEET, { ...lose, watchMs: 5_000 }, 2).recoveries[0]?.absences;
    expect(soon?.map(({ open, stages }) => [open, stages])).toEqual(
      absences.map(() => ["lost", { lost: 5_000 }]),
    );
  });

  test("keeps a lost node's replicas lost to it, and serves from the node when it returns", () => {
    const events = [
      { atMs: 0, do: "lose", nodes: ["b-1"] },
      { atMs: 5_000, do: "return", nodes: ["b-1"] },
    ] as const;
    const run = runTwin(FLEET, scenario({ events }), 1);
    expect(run.violations).toEqual([]);
    // A new session of the node says at once that nothing runs there.
    expect(run.recoveries[0]?.recoveredMs).toBeGreaterThan(5_000);
    expect(run.recoveries[0]?.recoveredMs).toBeLessThan(FENCE_AFTER_MS - RENEW_EVERY_MS);
  });

  test("lets the processes of a lost agent run until their leash ends", () => {
    const stopped = scenario({ events: [{ atMs: 0, do: "stop-agent", nodes: ["b-1"] }] });
    const run = runTwin(FLEET, stopped, 1);
    expect(run.violations).toEqual([]);
    const [web] = run.recoveries;
    expect(web).toMatchObject({ workload: WEB, before: 12, least: 12 - servingOn("b-1") });
    const firstLoss = web?.serving?.find(({ in: { eu = 0 } }) => eu < 12)?.atMs ?? 0;
    expect(firstLoss).toBeGreaterThanOrEqual(LEASE_MS - RENEW_EVERY_MS - 1_000);
    expect(firstLoss).toBeLessThanOrEqual(LEASE_MS);
    expect(web?.recoveredMs).toBeGreaterThan(FENCE_AFTER_MS - RENEW_EVERY_MS);
  });

  test("drains nodes one after the other, and tells when each was empty", () => {
    const events = [{ atMs: 0, do: "drain", nodes: ["b-1", "b-2"], deadlineMs: 60_000 }] as const;
    const run = runTwin(FLEET, scenario({ events }), 1);
    expect(run.violations).toEqual([]);
    expect(run.drains.map(({ node }) => node)).toEqual(["b-1", "b-2"]);
    expect(run.drains.every(({ emptyMs }) => emptyMs !== undefined)).toBe(true);
    // The budget of the service lets one replica go at a time.
    expect(run.recoveries).toMatchObject([{ workload: WEB, before: 12, least: 11 }]);
  });

  test("tells what a drain waited for at its deadline", () => {
    const events = [{ atMs: 0, do: "drain", nodes: ["b-1"], deadlineMs: 500 }] as const;
    const { drains } = runTwin(FLEET, scenario({ events }), 1);
    expect(drains).toMatchObject([{ node: "b-1" }]);
    expect(drains[0]?.emptyMs).toBeUndefined();
    expect(drains[0]?.waitsFor).toContain("disruption budget");
  });

  test("lengthens every start by the time that an event names", () => {
    const lose = { atMs: 0, do: "lose", nodes: ["b-1"] } as const;
    const slow = { atMs: 0, do: "slow-starts", byMs: 20_000 } as const;
    const [usual, slowed] = [[lose], [slow, lose]].map(
      (events) => runTwin(FLEET, scenario({ events }), 1).recoveries[0]?.stages["starting"] ?? 0,
    );
    expect((slowed ?? 0) - (usual ?? 0)).toBe(20_000);
  });

  test("begins what a person asks for: another size of a workload", () => {
    const web = FLEET.objects.find(({ key }) => key === WEB);
    if (web?.kind !== "Workload") throw new Error("The fleet has no workload.");
    const objects = [{ ...web, spec: { ...web.spec, replicas: 16 } }];
    const run = runTwin(FLEET, scenario({ events: [{ atMs: 0, do: "put", objects }] }), 1);
    expect(run).toMatchObject({ recoveries: [], violations: [] });
    expect(run.waits).toHaveLength(4);
  });

  test("rejects a scenario that puts what only the plane writes", () => {
    const replica = FLEET.objects.find(({ kind }) => kind === "Replica");
    const objects = replica === undefined ? [] : [replica];
    const put = scenario({ events: [{ atMs: 0, do: "put", objects }] });
    expect(() => runTwin(FLEET, put, 1)).toThrow(/cannot put Replica/);
  });

  test("waits for the lease of its nodes anew when the leader restarts meanwhile", () => {
    const lose = { atMs: 0, do: "lose", nodes: ["b-1"] } as const;
    const restart = { atMs: 10_000, do: "restart-leader" } as const;
    const [usual, restarted] = [[lose], [lose, restart]].map(
      (events) => runTwin(FLEET, scenario({ events }), 1).recoveries[0]?.recoveredMs ?? 0,
    );
    expect(restarted).toBeGreaterThan((usual ?? 0) + 10_000);
  });

  test("recovers under faults of the control plane without a violation", () => {
    const events = [{ atMs: 0, do: "lose", nodes: ["b-1"] }] as const;
    const faulty = scenario({ events, watchMs: 300_000, hasFaults: true });
    for (const seed of [1, 2, 3, 4, 5]) {
      const run = runTwin(FLEET, faulty, seed);
      expect(run.violations).toEqual([]);
      expect(run.recoveries[0]?.recoveredMs).toBeGreaterThan(0);
    }
  });

  test("tells a violation that a checker finds", () => {
    const accuser = {
      name: "accuser",
      sampled: ({ nowMs }: Truth, report: Report) => {
        if (nowMs > 60_000) report("INV0", "it is what it is told to find");
      },
    };
    const { run } = playTwin({
      fleet: FLEET,
      scenario: scenario({}),
      seed: 1,
      agentsRest: true,
      checkers: () => [accuser],
    });
    expect(run.violations).toEqual(["INV0: it is what it is told to find"]);
  });

  test("gives the same run for the same seed, and another for another", () => {
    const lose = scenario({ events: [{ atMs: 0, do: "lose", nodes: ["b-1"] }] });
    const [first, again, other] = [1, 1, 2].map((seed) => runTwin(FLEET, lose, seed));
    expect(again).toEqual(first);
    expect(other?.hash).not.toBe(first?.hash);
  });
});

const servingOn = (node: string): number =>
  FLEET.objects.filter((object) => object.kind === "Replica" && object.status.node === node).length;
