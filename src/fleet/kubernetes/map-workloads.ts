/**
 * Controllers as workloads and pods as their replicas. Each replica has the template of its own
 * pod: pods of one controller differ by their volumes, and in the middle of a rollout.
 */
import { replicaKey, type Uid, workloadKey } from "../../core/model/ids.ts";
import type { Replica, Template, Workload } from "../../core/model/objects.ts";
import type { Stage } from "../../core/model/stage.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { nameOf } from "./dump.ts";
import { groupBy } from "./group-by.ts";
import { importedMeta } from "./imported-meta.ts";
import type { LabelSelector, Pod } from "./kube-objects.ts";
import type { DisruptionBudgets } from "./map-disruption.ts";
import { type TemplateSources, templateOf } from "./map-template.ts";
import type { Owner, OwnerKind, Owners } from "./owners.ts";
import { controllerOf, POD_NOTE, replicaFacts, workloadFacts } from "./recovery-facts.ts";
import { SelectedOwners } from "./selected-owners.ts";

export interface WorkloadSources extends TemplateSources {
  readonly owners: Owners;
  readonly budgets: DisruptionBudgets;
}

export interface MappedWorkloads {
  readonly workloads: readonly Workload[];
  readonly replicas: readonly Replica[];
}

interface Group {
  readonly owner: Owner;
  readonly pods: readonly Pod[];
}

export function mapWorkloads(pods: readonly Pod[], sources: WorkloadSources): MappedWorkloads {
  const groups = groupsOf(pods, sources.owners);
  const selected = new SelectedOwners(groups.flatMap(membersOf));
  const names = namesOf(groups);
  const workloads: Workload[] = [];
  const replicas: Replica[] = [];
  for (const group of groups) {
    const isOwn = (selector: LabelSelector | undefined): boolean =>
      selected.isOnly(selector, group.owner);
    const made = mapGroup(group, names.get(group) ?? group.owner.name, { sources, isOwn });
    if (made === undefined) continue;
    workloads.push(made.workload);
    replicas.push(...made.replicas);
  }
  // A pod's marks are known once all templates are made.
  const { podMarks } = sources.placement;
  const podOf = new Map(pods.map((pod) => [nameOf(pod), pod]));
  return {
    workloads,
    replicas: replicas.map((replica) => {
      const pod = podOf.get(replica.meta.annotations?.[POD_NOTE] ?? "");
      const labels = { ...replica.meta.labels, ...(pod && podMarks.labelsOf(pod)) };
      return { ...replica, meta: { ...replica.meta, labels } };
    }),
  };
}

const membersOf = ({ owner, pods }: Group) => pods.map((pod) => ({ owner, pod }));
const keyOfOwner = ({ kind, namespace, name }: Owner): string => `${kind}/${namespace}/${name}`;

/** Controllers without a pod count, too: their pods may be refused, or still to come. */
function groupsOf(pods: readonly Pod[], owners: Owners): readonly Group[] {
  const byOwner = groupBy(
    pods.map((pod) => ({ pod, owner: owners.of(pod) })),
    ({ owner }) => keyOfOwner(owner),
  );
  const groups = [...byOwner.values()].map((members) => ({
    owner: (members[0] as { readonly owner: Owner }).owner,
    pods: members.map(({ pod }) => pod).toSorted(byIndex),
  }));
  const idle = owners.all().filter((owner) => !byOwner.has(keyOfOwner(owner)));
  return [...groups, ...idle.map((owner) => ({ owner, pods: [] }))];
}

/** The ordinal of a StatefulSet's pod or of an indexed job's; else by name. */
function byIndex(a: Pod, b: Pod): number {
  const difference = ordinalOf(a) - ordinalOf(b);
  return difference === 0 ? (nameOf(a) < nameOf(b) ? -1 : 1) : difference;
}

function ordinalOf({ metadata: { labels = {} } }: Pod): number {
  const text =
    labels["apps.kubernetes.io/pod-index"] ?? labels["batch.kubernetes.io/job-completion-index"];
  return text === undefined ? 0 : Number(text);
}

/** A namespace may have a Deployment and a StatefulSet of one name; workloads have one each. */
function namesOf(groups: readonly Group[]): ReadonlyMap<Group, string> {
  const uses = groupBy(groups, ({ owner }) => `${owner.namespace}/${owner.name}`);
  return new Map(
    groups.map((group) => {
      const { kind, namespace, name } = group.owner;
      const isShared = (uses.get(`${namespace}/${name}`)?.length ?? 0) > 1;
      return [group, isShared ? `${name}-${kind.toLowerCase()}` : name];
    }),
  );
}

interface GroupTerms {
  readonly sources: WorkloadSources;
  readonly isOwn: (selector: LabelSelector | undefined) => boolean;
}

function mapGroup({ owner, pods }: Group, name: string, { sources, isOwn }: GroupTerms) {
  const { kind, namespace } = owner;
  const wanted = wantedOf(owner, pods.length);
  const model = newestOf(pods) ?? templatePod(owner);
  if (model === undefined || (wanted === 0 && pods.length === 0)) return undefined;
  noteOwner(owner, pods.length, wanted, sources);
  const key = workloadKey(namespace, name);
  const uid = key as string as Uid;
  const type = kind === "Job" ? "batch" : "service";
  const disruption =
    type === "service" ? sources.budgets.of(nameOfOwner(owner), wanted, model) : undefined;
  const template = templateOf(model, isOwn, sources);
  const workload: Workload = {
    kind: "Workload",
    key,
    meta: importedMeta(key, { uid, annotations: workloadFacts(owner) }),
    spec: {
      type,
      replicas: wanted,
      template,
      ...(disruption === undefined ? {} : { disruption }),
      ...(type === "batch" ? { batch: { completions: wanted, parallelism: wanted } } : {}),
    },
    status: {
      templateGeneration: 1,
      ...(type === "batch" ? { batch: { started: { atMs: 0, epoch: 1 } } } : {}),
    },
  };
  const replicas = pods.map((pod, index) => {
    const own = pod === model ? template : templateOf(pod, isOwn, sources);
    return replicaOf(pod, { workload, index, template: own });
  });
  return { workload, replicas };
}

const nameOfOwner = ({ kind, namespace, name }: Owner): string => `${kind} ${namespace}/${name}`;

function wantedOf({ kind, source }: Owner, pods: number): number {
  const { replicas = 1, suspend = false } = source?.spec ?? {};
  // A daemon runs wherever it does today; a job needs what is left of it.
  const isByPods = kind === "DaemonSet" || kind === "Job" || source === undefined;
  if (isByPods) return suspend ? 0 : pods;
  return replicas;
}

const newestOf = (pods: readonly Pod[]): Pod | undefined =>
  pods.toSorted((a, b) => (createdOf(a) < createdOf(b) ? 1 : -1))[0];
const createdOf = ({ metadata }: Pod): string => metadata.creationTimestamp ?? "";

/** A controller without a pod has only its own word for what its pods would be. */
function templatePod({ namespace, name, source }: Owner): Pod | undefined {
  const template = source?.spec?.template;
  if (template?.spec === undefined) return undefined;
  const metadata = { ...template.metadata, namespace, name };
  return { kind: "Pod", metadata, spec: template.spec };
}

const KIND_EFFECTS: Partial<Record<OwnerKind, readonly [string, string]>> = {
  DaemonSet: [
    "daemon sets",
    "each of their pods stays with its node, and none is made on new nodes",
  ],
  Pod: ["pods without a controller", "taken for services of one replica; Kubernetes replaces none"],
};

function noteOwner(owner: Owner, pods: number, wanted: number, { notes }: WorkloadSources): void {
  const known = KIND_EFFECTS[owner.kind];
  if (known !== undefined) notes.add(known[0], known[1], nameOfOwner(owner));
  if (owner.kind !== "Pod" && owner.source === undefined) {
    const effect = "taken as large as their pods are many";
    notes.add("controllers that are not in the dump", effect, nameOfOwner(owner));
  }
  const missing = wanted - pods;
  for (let at = 0; at < missing; at += 1) {
    const effect = "wanted as in Berth: quota, admission or a rollout keeps them back today";
    notes.add("wanted pods that do not exist", effect, nameOfOwner(owner));
  }
}

interface ReplicaTerms {
  readonly workload: Workload;
  readonly index: number;
  readonly template: Template;
}

function replicaOf(pod: Pod, { workload, index, template }: ReplicaTerms): Replica {
  const { key: workloadOwn, meta, spec } = workload;
  const key = replicaKey({
    tenant: meta.namespace,
    workload: meta.name,
    generation: 1,
    index,
  });
  const node = pod.spec?.nodeName;
  return {
    kind: "Replica",
    key,
    meta: importedMeta(key, {
      uid: (pod.metadata.uid ?? key) as Uid,
      labels: pod.metadata.labels ?? {},
      annotations: { [POD_NOTE]: nameOf(pod), ...replicaFacts(pod) },
    }),
    spec: {
      workload: meta.name,
      workloadUid: workloadOwn as string as Uid,
      generation: 1,
      index,
      type: spec.type,
      template,
    },
    status: {
      stage: stageOf(pod, spec.type),
      stageSinceMs: 0,
      incarnation: 1,
      failures: 0,
      node,
      session: node === undefined ? 0 : 1,
      deviceIds: [],
      stopping: undefined,
    },
  };
}

function stageOf({ spec, status }: Pod, type: "service" | "batch"): Stage {
  if (spec?.nodeName === undefined) return "queued";
  if (status?.phase !== "Running") return "starting";
  if (type === "batch") return "running";
  const ready = status.conditions?.find((condition) => condition.type === "Ready");
  return ready === undefined || ready.status === "True" ? "serving" : "starting";
}

/** The pod of a daemon set, or a static one of the kubelet, ends with its node. */
export function staysWithNode({ meta, spec }: Replica, objects: ObjectIndex): boolean {
  const workload = objects.workload(workloadKey(meta.namespace, spec.workload));
  return workload !== undefined && ["DaemonSet", "Node"].includes(controllerOf(workload));
}
