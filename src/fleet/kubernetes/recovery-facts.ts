/**
 * What Kubernetes' own controllers decide a recovery by and Berth has no field for, kept as
 * annotations of the imported objects: no decision of Berth reads them, the timing profile does.
 */
import type { Labels, Node, Replica, Workload } from "../../core/model/objects.ts";
import type { KubeNode, KubeToleration, Pod } from "./kube-objects.ts";
import type { Owner } from "./owners.ts";

/** The kind of a workload's controller, such as "StatefulSet"; "Pod" has none. */
const KIND_NOTE = "import.berth.dev/kind";
export const POD_NOTE = "import.berth.dev/pod";
const REPLACED_NOTE = "import.berth.dev/replaced";
const TOLERATES_NOTE = "import.berth.dev/tolerates-unreachable";
const SPREAD_NOTE = "import.berth.dev/spread-honors-taints";
const KUBELET_NOTE = "import.berth.dev/kubelet";

export const UNREACHABLE = "node.kubernetes.io/unreachable";

/** When a controller makes the pod that takes the place of one that is being deleted. */
export const REPLACEMENTS = ["at-once", "when-gone", "when-failed", "never", "unknown"] as const;
export type Replacement = (typeof REPLACEMENTS)[number];

export function workloadFacts(owner: Owner): Labels {
  return { [KIND_NOTE]: owner.controller, [REPLACED_NOTE]: replacementBy(owner) };
}

/** Their sources are named in `review/kubernetes/controller-times.ts`. */
function replacementBy({ controller, source }: Owner): Replacement {
  switch (controller) {
    case "Deployment":
    case "ReplicaSet":
    case "ReplicationController":
      return "at-once";
    case "StatefulSet":
      return "when-gone";
    case "Job": {
      const { managedBy = JOB_CONTROLLER, podReplacementPolicy: policy } = source?.spec ?? {};
      if (managedBy !== JOB_CONTROLLER) return "unknown";
      const isPatient = policy === "Failed" || (!policy && source?.spec?.podFailurePolicy);
      return isPatient ? "when-failed" : "at-once";
    }
    case "DaemonSet":
    case "Node":
    case "Pod":
      return "never";
    default:
      return "unknown";
  }
}

const JOB_CONTROLLER = "kubernetes.io/job-controller";

export function replicaFacts(pod: Pod): Labels {
  const { tolerations = [], topologySpreadConstraints: spread = [] } = pod.spec ?? {};
  const tolerated = toleratedSeconds(tolerations);
  const honors = spread.some(({ nodeTaintsPolicy }) => nodeTaintsPolicy === "Honor");
  return {
    [TOLERATES_NOTE]: tolerated === undefined ? "forever" : `${tolerated}`,
    ...(honors ? { [SPREAD_NOTE]: "yes" } : {}),
  };
}

/** The shortest of all tolerations of the taint counts; undefined: for ever. */
function toleratedSeconds(tolerations: readonly KubeToleration[]): number | undefined {
  const used = tolerations.filter(
    ({ key = "", operator = "Equal", value = "", effect = "" }) =>
      (effect === "" || effect === "NoExecute") &&
      (key === UNREACHABLE || (key === "" && operator === "Exists")) &&
      (operator === "Exists" || value === ""),
  );
  if (used.length === 0) return 0;
  const ends = used.flatMap(({ tolerationSeconds }) => tolerationSeconds ?? []);
  return ends.length === 0 ? undefined : Math.max(0, Math.min(...ends));
}

export function nodeFacts({ status }: KubeNode): Labels {
  const version = status?.nodeInfo?.kubeletVersion;
  return version === undefined ? {} : { [KUBELET_NOTE]: version };
}

const noteOf = ({ meta }: Node | Replica | Workload, note: string): string | undefined =>
  meta.annotations?.[note];

export const controllerOf = (workload: Workload): string => noteOf(workload, KIND_NOTE) ?? "Pod";

export function replacementOf(workload: Workload): Replacement {
  const said = noteOf(workload, REPLACED_NOTE);
  return REPLACEMENTS.find((known) => known === said) ?? "unknown";
}

/** How long it stays on a node that is unreachable; undefined: for ever. */
export function tolerationMsOf(replica: Replica): number | undefined {
  const said = noteOf(replica, TOLERATES_NOTE);
  return said === "forever" ? undefined : Number(said ?? DEFAULT_TOLERATION_SECONDS) * 1_000;
}

/** Admission adds it to pods that say nothing, so only a fleet of another source lacks the note. */
const DEFAULT_TOLERATION_SECONDS = 300;

/** The pod as it is with so many `tolerationSeconds` for nodes that are unreachable. */
export const withToleration = (replica: Replica, seconds: number): Replica =>
  noted(replica, { [TOLERATES_NOTE]: `${seconds}` });

/** The workload as it is when a Deployment runs its pods. */
export const asDeployment = (workload: Workload): Workload =>
  noted(workload, { [KIND_NOTE]: "Deployment", [REPLACED_NOTE]: "at-once" });

const noted = <Noted extends Replica | Workload>(object: Noted, notes: Labels): Noted => ({
  ...object,
  meta: { ...object.meta, annotations: { ...object.meta.annotations, ...notes } },
});

export const honorsTaints = (replica: Replica): boolean => noteOf(replica, SPREAD_NOTE) === "yes";

/** The minor version of the newest kubelet; a control plane is never older. */
export function newestMinor(nodes: Iterable<Node>): number | undefined {
  let newest: number | undefined;
  for (const node of nodes) {
    const minor = Number(/^v?1\.(\d+)/.exec(noteOf(node, KUBELET_NOTE) ?? "")?.[1] ?? NaN);
    if (minor > (newest ?? -1)) newest = minor;
  }
  return newest;
}
