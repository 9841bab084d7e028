import { describe, expect, test } from "vitest";
import type { Replica, Workload } from "../../core/model/objects.ts";
import { indexOf } from "../fleet.ts";
import { KubeDump } from "./dump.ts";
import { importKubernetes } from "./import-kubernetes.ts";
import type { PodSpec } from "./kube-objects.ts";

const node = (name: string, parts: Record<string, unknown> = {}) => ({
  kind: "Node",
  metadata: {
    name,
    labels: {
      "topology.kubernetes.io/region": "eu",
      "topology.kubernetes.io/zone": "eu-a",
      "kubernetes.io/hostname": name,
      ...(parts["labels"] as object),
    },
  },
  spec: { taints: parts["taints"] ?? [] },
  status: {
    allocatable: { cpu: "4", memory: "8Gi", pods: "110", ...(parts["allocatable"] as object) },
  },
});

interface PodParts {
  readonly spec?: PodSpec;
  readonly node?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly owner?: { readonly kind: string; readonly name: string; readonly uid: string };
  readonly phase?: string;
}

const pod = (name: string, parts: PodParts = {}) => ({
  kind: "Pod",
  metadata: {
    name,
    namespace: "shop",
    uid: `uid-${name}`,
    labels: parts.labels ?? {},
    ownerReferences: parts.owner === undefined ? [] : [{ ...parts.owner, controller: true }],
  },
  spec: {
    containers: [{ resources: { requests: { cpu: "1", memory: "1Gi" } } }],
    ...(parts.node === undefined ? {} : { nodeName: parts.node }),
    ...parts.spec,
  },
  status: {
    phase: parts.phase ?? (parts.node === undefined ? "Pending" : "Running"),
    conditions: [{ type: "Ready", status: "True" }],
  },
});

function imported(...objects: readonly unknown[]) {
  const dump = new KubeDump();
  dump.add({ kind: "List", items: objects }, "test");
  const made = importKubernetes(dump);
  const index = indexOf(made.fleet);
  const replicas = [...index.all("Replica").values()];
  const workloads = [...index.all("Workload").values()];
  return { ...made, index, replicas, workloads };
}

const budget = (name: string, spec: object) => ({
  kind: "PodDisruptionBudget",
  metadata: { name, namespace: "shop" },
  spec: { selector: { matchLabels: { app: "web" } }, ...spec },
});

const gpu = (count: string) => ({
  containers: [{ resources: { requests: { "nvidia.com/gpu": count } } }],
});

const share = (milli: string) => ({
  containers: [{ resources: { requests: { "example.com/milli": milli } } }],
});

const askOf = (replica: Replica | undefined) => replica?.spec.template.ask;
const notesOf = (made: ReturnType<typeof imported>) => made.notes.map(({ what }) => what);

describe("pods and their controllers", () => {
  const deployment = {
    kind: "Deployment",
    metadata: { name: "web", namespace: "shop", uid: "d1" },
    spec: { replicas: 3 },
  };
  const replicaSet = {
    kind: "ReplicaSet",
    metadata: {
      name: "web-1",
      namespace: "shop",
      uid: "r1",
      ownerReferences: [{ kind: "Deployment", name: "web", uid: "d1", controller: true }],
    },
    spec: { replicas: 3 },
  };
  const ofSet = { kind: "ReplicaSet", name: "web-1", uid: "r1" };

  test("pods of a ReplicaSet are replicas of its Deployment, on their nodes and in their stage", () => {
    const { workloads, replicas, counts, notes } = imported(
      node("n1"),
      deployment,
      replicaSet,
      pod("web-1-a", { node: "n1", owner: ofSet }),
      pod("web-1-b", { owner: ofSet }),
    );
    expect(workloads.map(({ key, spec }) => [key, spec.type, spec.replicas])).toEqual([
      ["Workload/shop/web", "service", 3],
    ]);
    expect(replicas.map(({ key, status }) => [key, status.stage, status.node])).toEqual([
      ["Replica/shop/web.1.0", "serving", "n1"],
      ["Replica/shop/web.1.1", "queued", undefined],
    ]);
    expect(counts).toEqual({ nodes: 1, pods: 2, bound: 1, workloads: 1, tenants: 1 });
    expect(notes).toMatchObject([{ what: "wanted pods that do not exist", count: 1 }]);
  });

  test("controllers of one name and of different kinds become two workloads", () => {
    const set = { kind: "StatefulSet", name: "web", uid: "s1" };
    const made = imported(
      node("n1"),
      deployment,
      replicaSet,
      pod("web-1-a", { node: "n1", owner: ofSet }),
      pod("web-0", { node: "n1", owner: set }),
    );
    expect(made.workloads.map(({ meta }) => meta.name)).toEqual([
      "web-deployment",
      "web-statefulset",
    ]);
    expect(notesOf(made)).toContain("controllers that are not in the dump");
  });

  test("finished, gated and foreign pods are left out with a note, and hold no room", () => {
    const made = imported(
      node("n1"),
      pod("done", { node: "n1", phase: "Succeeded" }),
      pod("gated", { spec: { schedulingGates: [{ name: "later" }] } }),
      pod("foreign", { spec: { schedulerName: "volcano" } }),
      pod("alive", { node: "n1" }),
    );
    expect(made.replicas).toHaveLength(1);
    expect(notesOf(made)).toEqual(
      expect.arrayContaining([
        "finished pods",
        "pods behind a scheduling gate",
        "pending pods of the scheduler volcano",
        "pods without a controller",
      ]),
    );
  });

  test("a disruption budget bounds its workload; the strictest of several counts", () => {
    const [web] = imported(
      node("n1"),
      deployment,
      replicaSet,
      pod("web-1-a", { node: "n1", owner: ofSet, labels: { app: "web" } }),
      budget("half", { maxUnavailable: "50%" }),
      budget("most", { minAvailable: 2 }),
    ).workloads as readonly Workload[];
    expect(web?.spec.disruption).toEqual({ maxUnavailable: 1 });
  });
});

describe("where pods may run", () => {
  test("terms of which one is enough become a mark of the nodes that they select", () => {
    const terms = [
      { matchExpressions: [{ key: "disk", operator: "In", values: ["ssd"] }] },
      { matchFields: [{ key: "metadata.name", operator: "In", values: ["n3"] }] },
    ];
    const affinity = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms },
      },
    };
    const made = imported(
      node("n1"),
      node("n2", { labels: { disk: "ssd" } }),
      node("n3"),
      pod("picky", { node: "n2", spec: { affinity } }),
    );
    const label = askOf(made.replicas[0])?.nodeExpressions?.[0]?.key ?? "";
    const marked = [...made.index.all("Node").values()].filter(({ meta }) => label in meta.labels);
    expect(marked.map(({ meta }) => meta.name)).toEqual(["n2", "n3"]);
    expect(made.differences).toEqual([]);
  });

  test("a taint that evicts is tolerated only by those that tolerate its eviction", () => {
    const made = imported(
      node("n1", { taints: [{ key: "dedicated", value: "db", effect: "NoExecute" }] }),
      pod("schedules", {
        node: "n1",
        spec: { tolerations: [{ key: "dedicated", operator: "Exists", effect: "NoSchedule" }] },
      }),
      pod("stays", {
        node: "n1",
        spec: { tolerations: [{ key: "dedicated", operator: "Exists", effect: "NoExecute" }] },
      }),
      pod("bears-all", { node: "n1", spec: { tolerations: [{ operator: "Exists" }] } }),
    );
    expect(made.differences).toMatchObject([{ rule: "taints", count: 1, nodes: 1 }]);
    expect(made.differences[0]?.examples[0]).toContain("shop/schedules.1.0 on n1");
  });

  test("host ports and selectors with expressions keep pods apart by marks", () => {
    const port = { containers: [{ ports: [{ containerPort: 80, hostPort: 80 }] }] };
    const apart = {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              topologyKey: "kubernetes.io/hostname",
              labelSelector: {
                matchExpressions: [{ key: "app", operator: "In", values: ["a", "b"] }],
              },
            },
          ],
        },
      },
    };
    const made = imported(
      node("n1"),
      pod("p1", { node: "n1", spec: port }),
      pod("p2", { node: "n1", spec: port }),
      pod("alone", { node: "n1", labels: { app: "c" }, spec: apart }),
      pod("other", { node: "n1", labels: { app: "b" } }),
    );
    // Each of two that must be apart is rejected beside the other.
    expect(made.differences).toMatchObject([{ rule: "anti-affinity", count: 4 }]);
  });

  test("a volume holds its pod where it is", () => {
    const claim = {
      kind: "PersistentVolumeClaim",
      metadata: { name: "data-0", namespace: "shop" },
      spec: { volumeName: "pv1" },
    };
    const volume = {
      kind: "PersistentVolume",
      metadata: { name: "pv1" },
      spec: {
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              {
                matchExpressions: [
                  { key: "topology.kubernetes.io/zone", operator: "In", values: ["eu-b"] },
                ],
              },
            ],
          },
        },
      },
    };
    const spec = { volumes: [{ persistentVolumeClaim: { claimName: "data-0" } }] };
    const made = imported(node("n1"), claim, volume, pod("db-0", { node: "n1", spec }));
    expect(made.differences).toMatchObject([{ rule: "node-expressions", count: 1 }]);
  });
});

describe("devices", () => {
  test("whole devices are given one by one, and one too many is a difference", () => {
    const made = imported(
      node("n1", { allocatable: { "nvidia.com/gpu": "2" } }),
      pod("a", { node: "n1", spec: gpu("1") }),
      pod("b", { node: "n1", spec: gpu("1") }),
    );
    expect(made.replicas.map(({ status }) => status.deviceIds)).toEqual([
      ["nvidia.com/gpu-0"],
      ["nvidia.com/gpu-1"],
    ]);
    expect(made.differences).toEqual([]);
  });

  test("a mix of shares that Kubernetes adds up does not fit whole devices", () => {
    const made = imported(
      node("n1", { allocatable: { "example.com/milli": "2k" } }),
      pod("a", { node: "n1", spec: share("600") }),
      pod("b", { node: "n1", spec: share("600") }),
      pod("c", { node: "n1", spec: share("600") }),
    );
    expect(made.differences).toMatchObject([{ rule: "devices", count: 1, nodes: 1 }]);
  });
});

describe("tenants", () => {
  test("a namespace's quota is its tenant's; parts that Berth does not count are noted", () => {
    const quota = {
      kind: "ResourceQuota",
      metadata: { name: "compute", namespace: "shop" },
      spec: { hard: { "requests.cpu": "10", memory: "4Gi", pods: "5", "limits.cpu": "20" } },
    };
    const made = imported(node("n1"), quota, pod("a", { node: "n1" }));
    const [own] = [...made.index.all("Quota").values()];
    expect(own?.spec).toMatchObject({
      limit: { cpuMillis: 10_000, memoryMiB: 4_096 },
      counts: { replicas: 5 },
    });
    expect(notesOf(made)).toContain("resource quotas of limits.cpu");
  });
});
