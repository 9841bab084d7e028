import { describe, expect, test } from "vitest";
import { kubeNodes, owned, tolerating } from "../../../test/builders/a-kube-cluster.ts";
import type { Fleet } from "../../fleet/fleet.ts";
import { KubeDump } from "../../fleet/kubernetes/dump.ts";
import { importKubernetes } from "../../fleet/kubernetes/import-kubernetes.ts";
import { forecast, type ForecastOptions } from "./forecast.ts";
import { KUBERNETES_BOUNDARY, runKubernetes } from "./run-kubernetes.ts";

function fleetOf(...objects: readonly unknown[]): Fleet {
  const dump = new KubeDump();
  dump.add({ kind: "List", items: objects.flat() }, "test");
  return importKubernetes(dump).fleet;
}

const THREE_ZONES = [...kubeNodes("a", 3), ...kubeNodes("b", 3), ...kubeNodes("c", 3)];

const NAMES = THREE_ZONES.map(({ metadata }) => metadata.name);

/** Every node has just sent its heartbeat, and the monitor has just looked. */
const PHASES = {
  heartbeatMs: () => 0,
  monitorMs: 0,
  taintTryMs: 50,
  quotaSyncMs: 0,
  order: (_look: number, node: string) => Number(node.split("-")[1]),
};

const lost = (fleet: Fleet, nodes: readonly string[], parts: Partial<ForecastOptions> = {}) =>
  forecast(fleet, {
    events: [{ atMs: 0, do: "lose", nodes }],
    watchMs: 1_800_000,
    phases: PHASES,
    ...parts,
  });

const only = <T>(all: readonly T[]): T => {
  expect(all).toHaveLength(1);
  return all[0] as T;
};

describe("one node of three", () => {
  test("its pod is bound elsewhere after the grace period, the taint and its toleration", () => {
    const { pods } = lost(fleetOf(THREE_ZONES, owned("web", ["b-0"])), ["b-0"]);
    const pod = only(pods);
    expect(pod).toMatchObject({ pod: "shop/web-0", controller: "ReplicaSet", node: "b-0" });
    // The look at 50.1 s is the first that is more than 50 s after the one that saw the heartbeat.
    expect(pod.unknownMs).toBe(50_110);
    expect(pod.taintMs).toBe(50_150);
    expect(pod.evictedMs).toBe(350_180);
    expect(pod.boundMs).toBe(350_210);
    expect(pod.boundTo).not.toBe("b-0");
    expect(pod.never).toBeUndefined();
  });

  test("a turn that comes before the controller's own cache is up to date is lost", () => {
    const phases = { ...PHASES, taintTryMs: 20 };
    const { pods } = lost(fleetOf(THREE_ZONES, owned("web", ["b-0"])), ["b-0"], { phases });
    // Written at 50.11 s, tried at 50.12 s, known at 50.13 s: the next token comes ten seconds later.
    expect(only(pods)).toMatchObject({ unknownMs: 50_110, taintMs: 60_120 });
  });

  test.each([
    { seconds: 30, evictedMs: 80_180 },
    { seconds: 0, evictedMs: 50_180 },
  ])("a pod that tolerates $seconds seconds is evicted that much later", (row) => {
    const web = owned("web", ["b-0"], { podSpec: { tolerations: tolerating(row.seconds) } });
    const { pods } = lost(fleetOf(THREE_ZONES, web), ["b-0"]);
    expect(only(pods).evictedMs).toBe(row.evictedMs);
  });

  test("a cluster before 1.32 notices ten seconds earlier", () => {
    const nodes = THREE_ZONES.map((node) => ({
      ...node,
      status: { ...node.status, nodeInfo: { kubeletVersion: "v1.31.2" } },
    }));
    const { pods } = lost(fleetOf(nodes, owned("web", ["b-0"])), ["b-0"]);
    expect(only(pods).unknownMs).toBe(40_090);
  });

  test.each([
    { kind: "StatefulSet", why: "waits until the pod object is gone" },
    { kind: "DaemonSet", why: "makes no pod elsewhere" },
    { kind: "Rollout", why: "is not one of Kubernetes' own" },
    { kind: "Job", spec: { podReplacementPolicy: "Failed" }, why: "podReplacementPolicy Failed" },
    { kind: "Job", spec: { podFailurePolicy: {} }, why: "podReplacementPolicy Failed" },
    { kind: "Job", spec: { managedBy: "kueue" }, why: "is not one of Kubernetes' own" },
  ])("a pod of a $kind ($why) is evicted and never replaced", ({ kind, spec = {}, why }) => {
    const { pods } = lost(fleetOf(THREE_ZONES, owned("db", ["b-0"], { kind, spec })), ["b-0"]);
    const pod = only(pods);
    expect(pod.evictedMs).toBe(350_180);
    expect(pod.replacementMs).toBeUndefined();
    expect(pod.never).toContain(why);
  });

  test("a job that replaces at once does so within its batch of a second", () => {
    const job = owned("etl", ["b-0"], { kind: "Job", spec: { parallelism: 1 } });
    const pod = only(lost(fleetOf(THREE_ZONES, job), ["b-0"]).pods);
    expect((pod.boundMs ?? 0) - (pod.evictedMs ?? 0)).toBe(1_020);
  });

  test("a pod that tolerates the taint for ever stays, and says so", () => {
    const tolerations = [{ operator: "Exists" }];
    const stays = owned("agent", ["b-0"], { kind: "DaemonSet", podSpec: { tolerations } });
    const pod = only(lost(fleetOf(THREE_ZONES, stays), ["b-0"]).pods);
    expect(pod.taintMs).toBe(50_150);
    expect(pod.evictedMs).toBeUndefined();
    expect(pod.never).toContain("for ever");
  });

  test("a disruption budget delays no eviction by a taint", () => {
    const budget = {
      kind: "PodDisruptionBudget",
      metadata: { name: "web", namespace: "shop" },
      spec: { maxUnavailable: 0, selector: { matchLabels: { app: "web" } } },
    };
    const { pods } = lost(fleetOf(THREE_ZONES, budget, owned("web", ["b-0"])), ["b-0"]);
    expect(only(pods).evictedMs).toBe(350_180);
  });
});

describe("many nodes", () => {
  const ten = kubeNodes("b", 16);
  const names = ten.map(({ metadata }) => metadata.name);

  test("the nodes of one zone are tainted one every ten seconds", () => {
    const web = owned("web", ["b-0", "b-1", "b-2"]);
    const { pods } = lost(fleetOf(kubeNodes("a", 3), ten, web), ["b-0", "b-1", "b-2"]);
    expect(pods.map(({ taintMs }) => taintMs)).toEqual([50_150, 60_150, 70_150]);
  });

  test("a partly disrupted small zone taints one node and stops; returns start it again", () => {
    const down = names.slice(0, 10);
    const fleet = fleetOf(kubeNodes("a", 20), ten, owned("web", down));
    const alone = lost(fleet, down);
    expect(alone.pods.filter(({ taintMs }) => taintMs !== undefined)).toHaveLength(1);
    expect(alone.pods[5]?.never).toContain("partly disrupted (10 of 16 nodes)");
    expect(alone.zones).toMatchObject([{ zone: "eu/b", state: "PartialDisruption" }]);
    const events = [
      { atMs: 0, do: "lose", nodes: down },
      { atMs: 535_000, do: "return", nodes: ["b-8", "b-9"] },
    ] as const;
    const { pods, zones } = lost(fleet, down, { events });
    expect(zones.map(({ state }) => state)).toEqual(["PartialDisruption", "Normal"]);
    const taints = pods.flatMap(({ taintMs = 0 }) => (taintMs > 535_000 ? taintMs : []));
    const [first = 0] = taints;
    expect(taints.map((taintMs) => taintMs - first)).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((at) => at * 10_000),
    );
    // Ten seconds after the zone became normal: the new rate begins without a token.
    expect(first).toBeGreaterThan(545_000);
    expect(pods.filter(({ returnedMs }) => returnedMs === 535_000)).toHaveLength(2);
  });

  test("a zone that is lost as a whole is tainted at the usual rate", () => {
    const { pods, zones } = lost(fleetOf(kubeNodes("a", 20), ten, owned("web", names)), names);
    expect(zones.at(-1)).toMatchObject({ state: "FullDisruption" });
    expect(pods.every(({ boundMs }) => boundMs !== undefined)).toBe(true);
    expect(Math.max(...pods.map(({ taintMs = 0 }) => taintMs))).toBe(200_150);
  });

  test("the loss of all zones at once taints no node", () => {
    const { pods, zones } = lost(fleetOf(THREE_ZONES, owned("web", ["a-0"])), NAMES);
    expect(zones.at(-1)?.state).toBe("AllZonesDisrupted");
    expect(only(pods).never).toContain("no node of the cluster is ready");
  });
});

const spread = (parts: object) => [
  {
    maxSkew: 1,
    topologyKey: "topology.kubernetes.io/zone",
    whenUnsatisfiable: "DoNotSchedule",
    labelSelector: { matchLabels: { app: "web" } },
    ...parts,
  },
];

describe("replacements that wait", () => {
  const zone = ["b-0", "b-1", "b-2"];

  test.each([
    { title: "stays pending", policy: {}, never: /no node takes its replacement: .*spread/ },
    { title: "is placed if it honors taints", policy: { nodeTaintsPolicy: "Honor" }, never: /^$/ },
  ])("a hard spread over a dead zone $title", ({ policy, never }) => {
    const podSpec = { topologySpreadConstraints: spread(policy) };
    const fleet = fleetOf(THREE_ZONES, owned("web", ["a-0", "b-0", "c-0"], { podSpec }));
    const pod = only(lost(fleet, zone).pods);
    expect(pod.replacementMs).toBeDefined();
    expect(pod.never ?? "").toMatch(never);
  });

  test("a full quota keeps a replacement back until deleted pods are no longer counted", () => {
    const quota = {
      kind: "ResourceQuota",
      metadata: { name: "all", namespace: "shop" },
      spec: { hard: { pods: "1" } },
    };
    const pod = only(lost(fleetOf(THREE_ZONES, quota, owned("web", ["b-0"])), ["b-0"]).pods);
    expect(pod).toMatchObject({ short: "pods", evictedMs: 350_180 });
    // Twice the grace of 30 s, then the next count of five minutes, then the next try.
    expect(pod.boundMs).toBeGreaterThan(600_000);
    expect(pod.boundMs).toBeLessThan(600_000 + 350_000);
  });

  test("a pod of a StatefulSet is replaced when its node returns and its object is gone", () => {
    const events = [
      { atMs: 0, do: "lose", nodes: ["b-0"] },
      { atMs: 900_000, do: "return", nodes: ["b-0"] },
    ] as const;
    const fleet = fleetOf(THREE_ZONES, owned("db", ["b-0"], { kind: "StatefulSet" }));
    const pod = only(lost(fleet, ["b-0"], { events }).pods);
    expect(pod.boundMs).toBeGreaterThan(900_000);
    expect(pod.boundMs).toBeLessThan(901_000);
  });

  test("a node that returns in time keeps its pods", () => {
    const events = [
      { atMs: 0, do: "lose", nodes: ["b-0"] },
      { atMs: 200_000, do: "return", nodes: ["b-0"] },
    ] as const;
    const pod = only(lost(fleetOf(THREE_ZONES, owned("web", ["b-0"])), ["b-0"], { events }).pods);
    expect(pod).toMatchObject({ taintMs: 50_150, returnedMs: 200_000 });
    expect(pod.evictedMs).toBeUndefined();
    expect(pod.never).toBeUndefined();
  });

  test("replacements that find no room name the rules that reject the nodes", () => {
    const podSpec = { containers: [{ resources: { requests: { cpu: "10" } } }] };
    const fleet = fleetOf(kubeNodes("a", 2), owned("big", ["a-0", "a-1"], { podSpec }));
    const pod = only(lost(fleet, ["a-0"]).pods);
    expect(pod.never).toContain("capacity (1)");
  });
});

describe("as a twin's run", () => {
  const fleet = fleetOf(
    THREE_ZONES,
    owned("web", ["a-0", "b-0", "b-1"]),
    owned("db", ["b-2"], { kind: "StatefulSet" }),
    owned("agent", ["b-0"], {
      kind: "DaemonSet",
      podSpec: { tolerations: [{ operator: "Exists" }] },
    }),
  );
  const scenario = {
    events: [{ atMs: 0, do: "lose", nodes: ["b-0", "b-1", "b-2"] }],
    watchMs: 900_000,
    hasFaults: false,
  } as const;

  test("it tells of each workload but daemons how far it fell and when it was back", () => {
    const run = runKubernetes(fleet, scenario, 7);
    const by = new Map(run.recoveries.map((each) => [each.workload as string, each]));
    expect([...by.keys()]).toEqual(["Workload/shop/web", "Workload/shop/db"]);
    const web = by.get("Workload/shop/web");
    expect(web).toMatchObject({ before: 3, least: 1 });
    expect(web?.recoveredMs).toBeGreaterThan(340_000);
    const stages = Object.values(web?.stages ?? {}).reduce((sum, ms) => sum + ms, 0);
    expect(stages).toBe(web?.recoveredMs);
    expect(by.get("Workload/shop/db")).toMatchObject({ before: 1, least: 0 });
    expect(by.get("Workload/shop/db")?.recoveredMs).toBeUndefined();
    expect(run.waits).toHaveLength(2);
  });

  test("the same seed gives the same run, another seed other phases, and the fleet stays", () => {
    const before = JSON.stringify(fleet);
    const first = runKubernetes(fleet, scenario, 7);
    expect(runKubernetes(fleet, scenario, 8).hash).not.toBe(first.hash);
    expect(runKubernetes(fleet, scenario, 7)).toEqual(first);
    expect(JSON.stringify(fleet)).toBe(before);
  });

  test("slow starts come on top, and an event without a model is a clear error", () => {
    const slow = { atMs: 0, do: "slow-starts", byMs: 5_000 } as const;
    const slower = runKubernetes(fleet, { ...scenario, events: [...scenario.events, slow] }, 7);
    const recovered = (run: typeof slower) =>
      run.recoveries.find(({ workload }) => workload.endsWith("/web"))?.recoveredMs ?? 0;
    expect(recovered(slower) - recovered(runKubernetes(fleet, scenario, 7))).toBe(5_000);
    const leader = { ...scenario, events: [{ atMs: 0, do: "restart-leader" }] } as const;
    expect(() => runKubernetes(fleet, leader, 7)).toThrow(/does not model "restart-leader"/);
    expect(KUBERNETES_BOUNDARY.length).toBeGreaterThan(2);
  });
});
