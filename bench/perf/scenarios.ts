/** The scenarios of `berth bench perf`, in the order of their table. */
import { nodeManifest, workloadManifest } from "../measure/manifests.ts";
import type { ChurnTask } from "../path/path-task.ts";
import {
  apartPod,
  gangPod,
  greenPod,
  highPod,
  hopelessPod,
  lowPod,
  NODE_SIZE,
  plainPod,
  PRIORITIES,
  ratherApartPod,
  ratherTogetherPod,
  spreadPod,
  TENANTS,
  togetherPod,
  zonePod,
} from "./pods.ts";
import { group, type Params, type Scenario, type Stage } from "./scenario.ts";

const of = (params: Params, name: string): number => params[name] ?? 0;

/** Nodes as the original has them, and nothing else. */
const stageOn = (params: Params, zones: readonly string[] = ["zone1"]) => ({
  tenants: TENANTS,
  priorityClasses: PRIORITIES,
  fleet: { nodes: of(params, "initNodes"), zones, size: NODE_SIZE, answersStops: false },
});

/**
 * Some pods are there, then others are measured; the former are made as replicas of one workload.
 */
const twoSteps =
  (
    first: Parameters<typeof group>[2],
    second: Parameters<typeof group>[2],
    how: { readonly zones?: readonly string[]; readonly shape?: "singly" | "together" } = {},
  ) =>
  (params: Params): Stage => ({
    ...stageOn(params, how.zones),
    before: [group("before", of(params, "initPods"), first, "together")],
    measured: group("measured", of(params, "measurePods"), second, how.shape),
  });

/** Five a second, as in the original. */
const joinedBy = (pod: Parameters<typeof group>[2]): ChurnTask => ({
  mode: "create",
  everyMs: 200,
  objects: [workloadManifest("churn", { ...pod, replicas: 1 })],
});

const churned =
  (first: Parameters<typeof group>[2], churn: ChurnTask) =>
  (params: Params): Stage => {
    const stage = twoSteps(first, plainPod)(params);
    return { ...stage, churn, fleet: { ...stage.fleet, answersStops: true } };
  };

const preempting = (params: Params): Stage => {
  const stage = twoSteps(lowPod, highPod)(params);
  return { ...stage, fleet: { ...stage.fleet, answersStops: true } };
};

/**
 * Once a second a node and a pod come or go. The original's Service has no counterpart: Berth has
 * no such kind.
 */
const comingAndGoing = (params: Params): Stage => ({
  ...stageOn(params),
  before: [],
  measured: group("measured", of(params, "measurePods"), plainPod),
  churn: {
    mode: "recreate",
    everyMs: 1_000,
    objects: [
      nodeManifest("churn", "zone1", { cpu: "0", memory: "0" }),
      workloadManifest("churn", { ...hopelessPod, replicas: 1 }),
    ],
  },
});

const gangs = (params: Params): Stage => ({
  ...stageOn(params),
  before: [],
  measured: {
    name: "measured",
    workloads: of(params, "initPodGroups"),
    each: of(params, "podsPerGroup"),
    of: gangPod,
  },
});

const mixed = (params: Params): Stage => {
  const count = of(params, "initPods");
  const [tenant] = TENANTS;
  const kinds = [plainPod, togetherPod(tenant), apartPod(tenant), ratherTogetherPod(tenant)];
  return {
    ...stageOn(params),
    before: [...kinds, ratherApartPod(tenant)].map((pod, at) =>
      group(`before${at}`, count, pod, "together"),
    ),
    measured: group("measured", of(params, "measurePods"), plainPod),
  };
};

const MOONS = ["moon-1", "moon-2", "moon-3"];
const [FIRST, SECOND] = TENANTS;

const sized = (initNodes: number, initPods: number, measurePods: number): Params => ({
  initNodes,
  initPods,
  measurePods,
});

const scenario = (
  name: string,
  path: string,
  of_: Pick<Scenario, "params" | "threshold" | "stage">,
): Scenario => {
  const [topic = "", test = "", ...workload] = path.split(" ");
  return { name, original: { topic, test, workload: workload.join(" ") }, ...of_ };
};

export const SCENARIOS: readonly Scenario[] = [
  scenario("basic", "misc SchedulingBasic 5000Nodes_10000Pods", {
    params: sized(5_000, 1_000, 10_000),
    threshold: 680,
    stage: twoSteps(plainPod, plainPod),
  }),
  scenario("basic-50k", "misc SchedulingBasic 5000Nodes_50000Pods", {
    params: sized(5_000, 5_000, 50_000),
    threshold: 790,
    stage: twoSteps(plainPod, plainPod),
  }),
  scenario("anti-affinity", "affinity SchedulingPodAntiAffinity 5000Nodes_2000Pods", {
    params: sized(5_000, 1_000, 2_000),
    threshold: 180,
    stage: twoSteps(apartPod(FIRST), apartPod(SECOND)),
  }),
  scenario(
    "matching-anti-affinity",
    "affinity SchedulingPodMatchingAntiAffinity 5000Nodes_5000Pods",
    {
      params: sized(5_000, 1_000, 5_000),
      threshold: 540,
      stage: twoSteps(apartPod(FIRST), greenPod),
    },
  ),
  scenario("affinity", "affinity SchedulingPodAffinity 5000Nodes_5000Pods", {
    params: sized(5_000, 5_000, 5_000),
    threshold: 70,
    stage: twoSteps(togetherPod(FIRST), togetherPod(SECOND)),
  }),
  scenario("preferred-affinity", "affinity SchedulingPreferredPodAffinity 5000Nodes_5000Pods", {
    params: sized(5_000, 5_000, 5_000),
    threshold: 160,
    stage: twoSteps(ratherTogetherPod(FIRST), ratherTogetherPod(SECOND)),
  }),
  scenario(
    "preferred-anti-affinity",
    "affinity SchedulingPreferredPodAntiAffinity 5000Nodes_5000Pods",
    {
      params: sized(5_000, 5_000, 5_000),
      threshold: 190,
      stage: twoSteps(ratherApartPod(FIRST), ratherApartPod(SECOND)),
    },
  ),
  scenario("mixed-affinity", "affinity MixedSchedulingBasePod 5000Nodes_5000Pods", {
    params: sized(5_000, 2_000, 5_000),
    threshold: 540,
    stage: mixed,
  }),
  scenario("node-affinity", "affinity SchedulingNodeAffinity 5000Nodes_10000Pods", {
    params: sized(5_000, 5_000, 10_000),
    threshold: 540,
    stage: twoSteps(zonePod, zonePod),
  }),
  scenario("spread", "topology_spreading TopologySpreading 5000Nodes_5000Pods", {
    params: sized(5_000, 5_000, 5_000),
    threshold: 460,
    stage: twoSteps(plainPod, spreadPod(false), { zones: MOONS, shape: "together" }),
  }),
  scenario("preferred-spread", "topology_spreading PreferredTopologySpreading 5000Nodes_5000Pods", {
    params: sized(5_000, 5_000, 5_000),
    threshold: 340,
    stage: twoSteps(plainPod, spreadPod(true), { zones: MOONS, shape: "together" }),
  }),
  scenario("preemption", "default_preemption PreemptionBasic 1000Nodes", {
    params: sized(1_000, 4_000, 1_000),
    threshold: undefined,
    stage: preempting,
  }),
  scenario("preemption-beside", "default_preemption PreemptionAsync 5000Nodes", {
    params: sized(5_000, 20_000, 5_000),
    threshold: 570,
    stage: churned(lowPod, joinedBy(highPod)),
  }),
  scenario("unschedulable", "default_preemption Unschedulable 5kNodes/100Init/10kPods", {
    params: sized(5_000, 100, 10_000),
    threshold: 590,
    stage: churned(plainPod, joinedBy(hopelessPod)),
  }),
  scenario("unschedulable-20k", "default_preemption Unschedulable 5kNodes/20kInit/10kPods", {
    params: sized(5_000, 20_000, 10_000),
    threshold: 600,
    stage: churned(plainPod, joinedBy(hopelessPod)),
  }),
  scenario("mixed-churn", "misc SchedulingWithMixedChurn 5000Nodes_10000Pods", {
    params: { initNodes: 5_000, measurePods: 10_000 },
    threshold: 710,
    stage: comingAndGoing,
  }),
  scenario("gang", "podgroup/gangscheduling GangScheduling 5000Nodes_1000Gangs_3000Pods", {
    params: { initNodes: 5_000, initPodGroups: 1_000, podsPerGroup: 3 },
    threshold: undefined,
    stage: gangs,
  }),
  scenario(
    "gang-1000",
    "podgroup/gangscheduling GangScheduling 5000Nodes_9Gangs_9000Pods_1000PerGroup",
    {
      params: { initNodes: 5_000, initPodGroups: 9, podsPerGroup: 1_000 },
      threshold: undefined,
      stage: gangs,
    },
  ),
];
