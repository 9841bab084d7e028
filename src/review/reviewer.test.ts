import { describe, expect, test } from "vitest";
import { kubeNodes, owned } from "../../test/builders/a-kube-cluster.ts";
import type { CommitmentSpec } from "../core/model/commitment.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { KubeDump } from "../fleet/kubernetes/dump.ts";
import { importKubernetes } from "../fleet/kubernetes/import-kubernetes.ts";
import { worldNode, worldWorkload } from "../sim/world/build-world.ts";
import type { World } from "../sim/world/world.ts";
import { fleetOfWorld } from "../twin/fleet-of-world.ts";
import { runTwin } from "../twin/run-twin.ts";
import { runKubernetes } from "./kubernetes/run-kubernetes.ts";
import type { Finding } from "./review.ts";
import { Reviewer } from "./reviewer.ts";

const MINUTE = 60_000;

interface Parts {
  readonly workloads: World["workloads"];
  readonly nodes?: readonly string[];
  readonly classes?: World["priorityClasses"];
}

const cpus = (count: number) => ({
  cpuMillis: count * 1_000,
  memoryMiB: count * 1_024,
  deviceMillis: 0,
});

/** Nodes of four processors each, named by their zones; each tenant may have half of all. */
function fleetOf({ workloads, nodes = ["a-1", "a-2", "b-1", "b-2"], classes = [] }: Parts): Fleet {
  const tenants = [...new Set(workloads.map(({ tenant }) => tenant))];
  return fleetOfWorld({
    name: "small",
    regions: [{ name: "eu", zones: ["eu-a", "eu-b"] }],
    nodes: nodes.map((name) =>
      worldNode({ name, region: "eu", zone: `eu-${name.charAt(0)}`, ...cpus(4) }),
    ),
    tenants: tenants.map((name) => ({ name, quota: cpus(nodes.length * 2) })),
    priorityClasses: classes,
    workloads,
    schedulers: 1,
    timeline: [],
    faultsUntilMs: 1_000,
    healMs: 120_000,
    startUpMs: 1_000,
    batchRunMs: 5_000,
  });
}

function review(
  fleet: Fleet,
  spec: CommitmentSpec,
  profile: "berth" | "kubernetes" = "berth",
): Finding {
  const terms = { profile, seeds: 2, searchesFix: true };
  const run = profile === "berth" ? runTwin : runKubernetes;
  const reviewer = new Reviewer(fleet, { ...terms, runTwin: run });
  return reviewer.review({ namespace: "shop", name: "p", spec });
}

/** Both tenants may run in zone eu-a only, where there is room for one of them. */
const crowded = (priorityClass: string): Fleet =>
  fleetOf({
    classes: [{ name: "high", spec: { value: 100 } }],
    workloads: [
      worldWorkload({
        tenant: "shop",
        name: "web",
        replicas: 2,
        amounts: { cpuMillis: 2_000, memoryMiB: 1_024 },
        ask: { zones: ["eu-a"] },
      }),
      worldWorkload({
        tenant: "ads",
        name: "train",
        replicas: 1,
        amounts: { cpuMillis: 2_000, memoryMiB: 1_024 },
        ask: { zones: ["eu-a"] },
        priorityClass,
      }),
    ],
  });

describe("isolation", () => {
  test("is breached where another tenant's work takes the room of the tenant's", () => {
    const { verdict, reason } = review(crowded("high"), { isolation: {} });
    expect(reason).toMatch(/^\d of 2 replicas of shop\/web stopped/);
    expect(verdict).toBe("breached");
  });

  test("holds where no class lets another tenant take it", () => {
    expect(review(crowded(""), { isolation: {} })).toMatchObject({ verdict: "holds" });
  });
});

describe("an override that ends", () => {
  const web = worldWorkload({
    tenant: "shop",
    name: "web",
    replicas: 2,
    amounts: { cpuMillis: 1_000, memoryMiB: 1_024 },
  });

  test("is shown to be gone in time, with the slowest of all runs", () => {
    const promised = { overrideEnds: { withinMs: 5 * MINUTE } };
    const finding = review(fleetOf({ workloads: [web] }), promised);
    expect(finding).toMatchObject({ verdict: "holds", simulation: { kept: 2 } });
    expect(finding.simulation?.worst?.ms).toBeLessThan(MINUTE);
  });

  test("is shown to be late where less time is promised than its removal takes", () => {
    const finding = review(fleetOf({ workloads: [web] }), { overrideEnds: { withinMs: 1 } });
    expect(finding.verdict).toBe("breached");
    expect(finding.reason).toMatch(/^Override review-avoids-a-zone was gone only .* after its end/);
  });
});

function clusterOf(...objects: readonly unknown[]): Fleet {
  const dump = new KubeDump();
  const nodes = [...kubeNodes("a", 3), ...kubeNodes("b", 3), ...kubeNodes("c", 3)];
  dump.add({ kind: "List", items: [nodes, ...objects].flat() }, "test");
  return importKubernetes(dump).fleet;
}

const work = (tenant: string, zone: string) =>
  worldWorkload({
    tenant,
    name: "work",
    replicas: 2,
    amounts: { cpuMillis: 2_000, memoryMiB: 1_024 },
    ...(zone === "" ? {} : { ask: { zones: [zone] } }),
  });

describe("a fix for a promise about time", () => {
  const lost = { when: { lose: "node", which: "b-0" } } as const;

  test("lowers the toleration of pods by as little as suffices", () => {
    const fleet = clusterOf(owned("web", ["a-0", "b-0"]));
    const spec = { recover: { workload: "web", withinMs: 5 * MINUTE }, ...lost };
    const { verdict, fix } = review(fleet, spec, "kubernetes");
    expect(verdict).toBe("breached");
    expect(fix).toMatchObject({
      change: "lower tolerationSeconds for unreachable nodes of shop/web from 300 to 150",
      verdict: "holds",
    });
  });

  test("says what a Deployment in place of a StatefulSet does not give", () => {
    const fleet = clusterOf(owned("ledger", ["a-0", "b-0"], { kind: "StatefulSet" }));
    const spec = { recover: { workload: "ledger", withinMs: 10 * MINUTE }, ...lost };
    const { verdict, fix } = review(fleet, spec, "kubernetes");
    expect(verdict).toBe("breached");
    expect(fix?.verdict).toBe("holds");
    expect(fix?.change).toMatch(
      /^run shop\/ledger as a Deployment in place of a StatefulSet, which/,
    );
    expect(fix?.change).not.toContain("tolerationSeconds");
  });

  test("is not called one where no change suffices, and what was tried is told", () => {
    const fleet = clusterOf(owned("web", ["a-0", "b-0"]));
    const spec = { recover: { workload: "web", withinMs: 40_000 }, ...lost };
    const { verdict, fix, boundary } = review(fleet, spec, "kubernetes");
    expect([verdict, fix]).toEqual(["breached", undefined]);
    expect(boundary.at(-1)).toMatch(
      /^3 changes were tried, and \d pairs of changes, and the promise does not hold with any/,
    );
  });

  test("changes both where one of them does not suffice", () => {
    const fleet = clusterOf(owned("ledger", ["a-0", "b-0"], { kind: "StatefulSet" }));
    const spec = { recover: { workload: "ledger", withinMs: 4 * MINUTE }, ...lost };
    const { fix } = review(fleet, spec, "kubernetes");
    expect(fix?.verdict).toBe("holds");
    expect(fix?.change).toMatch(/Deployment .*; and lower tolerationSeconds .* from 300 to 120$/);
  });

  test("makes room and lowers the patience where neither of both suffices", () => {
    const web = worldWorkload({
      tenant: "shop",
      name: "web",
      replicas: 3,
      amounts: cpus(2),
      disconnect: { onDisconnect: "stop", replaceAfterMs: 10 * MINUTE },
    });
    const ads = worldWorkload({
      tenant: "ads",
      name: "work",
      replicas: 3,
      amounts: cpus(2),
      ask: { zones: ["eu-a"] },
    });
    const fleet = fleetOf({ workloads: [ads, web], nodes: ["a-1", "a-2", "b-1"] });
    const spec = {
      recover: { workload: "web", withinMs: 2 * MINUTE },
      when: { lose: "node", which: "b-1" },
    } as const;
    const { verdict, reason, fix } = review(fleet, spec);
    expect([verdict, reason]).toEqual([
      "breached",
      expect.stringMatching(/find no free or reserved room/),
    ]);
    expect(fix).toMatchObject({ verdict: "holds" });
    expect(fix?.change).toMatch(
      /^add 1 node like .*; and lower replaceAfter of shop\/web from 10m to 24s$/,
    );
  });

  test("lets work that waits for a place go first", () => {
    const fleet = fleetOf({
      nodes: ["a-1", "b-1"],
      classes: [{ name: "high", spec: { value: 100 } }],
      workloads: [work("ads", "eu-a"), work("shop", "")],
    });
    const spec = { wait: { withinMs: MINUTE }, when: { lose: "node", which: "b-1" } } as const;
    const { verdict, reason, fix } = review(fleet, spec);
    expect(reason).toMatch(/^A replica of shop\/work still waited for a place at the end/);
    expect(verdict).toBe("breached");
    expect(fix).toMatchObject({
      change: "give shop/work the priority class high",
      verdict: "holds",
    });
  });

  test("lets a drain evict more at once where it takes too long", () => {
    const web = worldWorkload({
      tenant: "shop",
      name: "web",
      replicas: 8,
      amounts: { cpuMillis: 1_000, memoryMiB: 512 },
      disruption: { maxUnavailable: 1 },
    });
    const spec = { drains: { withinMs: 5_000 }, when: { drain: "zone" } } as const;
    const { verdict, reason, fix } = review(fleetOf({ workloads: [web] }), spec);
    expect(reason).toMatch(/ on [ab]-\d until the disruption budget .* did not end/);
    expect(verdict).toBe("breached");
    expect(fix?.change).toMatch(/^raise disruption.maxUnavailable of shop\/web to [24]$/);
    expect(fix?.verdict).toBe("holds");
  });
});
