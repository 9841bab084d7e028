import { describe, expect, it } from "vitest";
import type { Fault } from "../faults/fault.ts";
import { type Case, type Probe, shrink } from "./shrink.ts";
import type { World, WorldNode, WorldWorkload } from "../world/world.ts";

const aNode = (name: string, region = "eu"): WorldNode => ({
  name,
  labels: {},
  spec: {
    region,
    zone: "a",
    capacity: { cpuMillis: 4000, memoryMiB: 4096, deviceMillis: 0 },
    pools: [],
    taints: [],
    cordons: [],
    draining: false,
  },
});

const aWorkload = (name: string, tenant: string, replicas: number): WorldWorkload => ({
  tenant,
  name,
  labels: {},
  spec: {
    type: "service",
    replicas,
    template: {
      ask: {
        amounts: { cpuMillis: 100, memoryMiB: 64, deviceMillis: 0 },
        regions: [],
        zones: [],
        nodeSelector: {},
        tolerations: [],
      },
      spread: [],
      priorityClass: "normal",
      onDisconnect: "stop",
      command: [],
    },
  },
});

const quota = { cpuMillis: 64_000, memoryMiB: 65_536, deviceMillis: 0 };

const world: World = {
  name: "wide",
  regions: [
    { name: "eu", zones: ["a", "b"] },
    { name: "us", zones: ["a"] },
  ],
  nodes: [aNode("n1"), aNode("n2"), aNode("n3"), aNode("n4", "us")],
  tenants: [
    { name: "shop", quota },
    { name: "lab", quota },
  ],
  workloads: [aWorkload("web", "shop", 9), aWorkload("train", "lab", 4)],
  schedulers: 3,
  timeline: [
    { atMs: 1000, action: { do: "scale", tenant: "shop", workload: "web", replicas: 5 } },
    { atMs: 2000, action: { do: "drain", node: "n4" } },
    { atMs: 3000, action: { do: "scale", tenant: "lab", workload: "train", replicas: 1 } },
  ],
  faultsUntilMs: 60_000,
  healMs: 60_000,
  startUpMs: 100,
  batchRunMs: 100,
};

const loseReply = (to: string, attempt: number): Fault => ({
  fault: "lose-reply",
  to,
  operation: "bind/x",
  attempt,
});

const faults: readonly Fault[] = [
  ...Array.from({ length: 20 }, (_, index) => loseReply("place-1", index + 1)),
  loseReply("place-3", 1),
  { fault: "node-crash", node: "n4", atMs: 100, downMs: 100 },
  { fault: "crash", component: "agent:n3", atMs: 100, downMs: 100 },
];

/**
 * Violates INV1 when the shop has three replicas of web, somewhere to run, and two replies are
 * lost.
 */
const needsThreeReplicasAndTwoLosses: Probe = ({ world: tried, faults: listed }) => {
  const web = tried.workloads.find(({ name }) => name === "web");
  const losses = listed.filter(
    (fault) => fault.fault === "lose-reply" && (fault.attempt === 4 || fault.attempt === 17),
  );
  const violates = web !== undefined && web.spec.replicas >= 3 && tried.nodes.length > 0;
  return violates && losses.length === 2 ? { rule: "INV1", fired: listed } : undefined;
};

const needsTwo: Probe = ({ world: { planes = 1 } }) =>
  planes < 2 ? undefined : { rule: "INV1", fired: [] };
const always: Probe = () => ({ rule: "INV1", fired: [] });

describe("shrink()", () => {
  it("keeps the faults, nodes, workloads and replicas that the violation needs, and nothing else", () => {
    const { smallest, reproduced, runs } = shrink({
      start: { world, faults },
      rule: "INV1",
      probe: needsThreeReplicasAndTwoLosses,
    });
    expect(reproduced).toBe(true);
    expect(runs).toBeLessThan(120);
    expect(smallest.faults).toEqual([loseReply("place-1", 4), loseReply("place-1", 17)]);
    expect(smallest.world.nodes).toHaveLength(1);
    expect(smallest.world.workloads.map(({ name, spec }) => [name, spec.replicas])).toEqual([
      ["web", 3],
    ]);
    expect(smallest.world).toMatchObject({ schedulers: 1, timeline: [] });
    expect(smallest.world.tenants.map(({ name }) => name)).toEqual(["shop"]);
    expect(smallest.world.regions).toHaveLength(1);
  });

  it("leaves only as many planes as it takes", () => {
    const several = { ...world, planes: 3 };
    const start = { world: several, faults: [] };
    const left = [needsTwo, always].map((probe) => shrink({ start, rule: "INV1", probe }));
    expect(left.map(({ smallest }) => smallest.world.planes)).toEqual([2, 1]);
  });

  it("does not take the violation of another rule for the one it shrinks [SIM4]", () => {
    const { smallest } = shrink({
      start: { world, faults },
      rule: "INV1",
      probe: (tried) => {
        const found = needsThreeReplicasAndTwoLosses(tried);
        return found ?? { rule: "INV2", fired: tried.faults };
      },
    });
    expect(needsThreeReplicasAndTwoLosses(smallest)?.rule).toBe("INV1");
  });

  it("says so when the listed faults do not violate the rule at all", () => {
    const start: Case = { world, faults: [] };
    const shrunk = shrink({ start, rule: "INV1", probe: needsThreeReplicasAndTwoLosses });
    expect(shrunk).toEqual({ smallest: start, runs: 1, reproduced: false });
  });

  it("stops after the runs it was given, with the smallest case so far", () => {
    const seen: number[] = [];
    const { runs, smallest } = shrink({
      start: { world, faults },
      rule: "INV1",
      probe: needsThreeReplicasAndTwoLosses,
      maxRuns: 7,
      onProgress: (progress) => seen.push(progress.runs),
    });
    expect(runs).toBe(7);
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(needsThreeReplicasAndTwoLosses(smallest)?.rule).toBe("INV1");
  });

  it("takes along the faults and the actions of a removed component", () => {
    const worlds: Case[] = [];
    shrink({
      start: { world, faults },
      rule: "INV1",
      // Everything violates, so everything that can go goes, step by step.
      probe: (tried) => {
        worlds.push(tried);
        return { rule: "INV1", fired: tried.faults };
      },
    });
    const astray = worlds.filter(({ world: tried, faults: listed }) => {
      const nodes = tried.nodes.map(({ name }) => name);
      const drained = tried.timeline.map(({ action }) =>
        action.do === "drain" ? action.node : "",
      );
      const crashed = listed.map((fault) => (fault.fault === "node-crash" ? fault.node : ""));
      return [...drained, ...crashed].some((node) => node !== "" && !nodes.includes(node));
    });
    expect(astray).toEqual([]);
  });

  it("drops listed faults that found nothing to hit", () => {
    const { smallest } = shrink({
      start: { world, faults },
      rule: "INV1",
      maxRuns: 1,
      probe: () => ({ rule: "INV1", fired: [loseReply("place-3", 1)] }),
    });
    expect(smallest.faults).toEqual([loseReply("place-3", 1)]);
  });
});
