/**
 * Every field of a pod's spec that this version knows, and what an import does with it. The fields
 * are those of Kubernetes v1.36 (staging/src/k8s.io/api/core/v1/types.go). A field that is in no
 * table is noted, so that a newer cluster loses no constraint in silence.
 */
import { nameOf } from "./dump.ts";
import type { ImportNotes } from "./import-notes.ts";
import type { KubeExpression, NodeTerm, Pod, PodTerms } from "./kube-objects.ts";

/** `read` is mapped or noted by its own rule; `elsewhere` decides nothing about a place. */
type Use = "read" | "elsewhere" | { readonly effect: string };
type Uses = ReadonlyMap<string, Use>;

const uses = (
  read: string,
  elsewhere: string,
  noted: Readonly<Record<string, string>> = {},
): Uses =>
  new Map<string, Use>([
    ...read.split(" ").map((name): [string, Use] => [name, "read"]),
    ...elsewhere.split(" ").map((name): [string, Use] => [name, "elsewhere"]),
    ...Object.entries(noted).map(([name, effect]): [string, Use] => [name, { effect }]),
  ]);

const GROUPED = "each pod is placed by itself; Kubernetes places the pods of a group together";

export const POD_FIELDS: Uses = uses(
  "volumes initContainers containers nodeSelector nodeName affinity schedulerName tolerations " +
    "priorityClassName priority overhead preemptionPolicy topologySpreadConstraints " +
    "schedulingGates resourceClaims resources terminationGracePeriodSeconds",
  // The host network makes container ports host ports, and a runtime class adds its overhead,
  // selector and tolerations, both at admission: the fields above have them.
  "hostNetwork runtimeClassName ephemeralContainers restartPolicy activeDeadlineSeconds dnsPolicy " +
    "serviceAccountName serviceAccount automountServiceAccountToken hostPID hostIPC " +
    "shareProcessNamespace securityContext imagePullSecrets hostname subdomain hostAliases " +
    "dnsConfig readinessGates enableServiceLinks setHostnameAsFQDN hostUsers hostnameOverride",
  {
    os: "not counted: a kubelet of another system rejects the pod",
    workloadRef: GROUPED,
    schedulingGroup: GROUPED,
  },
);

export const CONTAINER_FIELDS: Uses = uses(
  "resources restartPolicy ports",
  "name image command args workingDir envFrom env resizePolicy restartPolicyRules volumeMounts " +
    "volumeDevices livenessProbe readinessProbe startupProbe lifecycle terminationMessagePath " +
    "terminationMessagePolicy imagePullPolicy securityContext stdin stdinOnce tty",
);

const DISK = "one disk is not kept to one node: Kubernetes rejects a second pod with it elsewhere";

export const VOLUME_FIELDS: Uses = uses(
  "persistentVolumeClaim ephemeral",
  "name emptyDir gitRepo secret nfs glusterfs cephfs downwardAPI azureFile configMap projected " +
    "portworxVolume quobyte flocker fc image",
  {
    hostPath: "no constraint: what the pod keeps on its node does not move with it",
    csi: "no constraint: an inline volume counts toward the attach limit of a node",
    flexVolume: "no constraint: a driver of its own attaches it",
    gcePersistentDisk: DISK,
    awsElasticBlockStore: DISK,
    azureDisk: DISK,
    cinder: DISK,
    iscsi: DISK,
    rbd: DISK,
    vsphereVolume: DISK,
    photonPersistentDisk: DISK,
    scaleIO: DISK,
    storageos: DISK,
  },
);

const SPREAD_FIELDS = uses(
  "maxSkew topologyKey whenUnsatisfiable labelSelector minDomains nodeAffinityPolicy " +
    "nodeTaintsPolicy matchLabelKeys",
  "",
);
const AFFINITY_FIELDS = uses("nodeAffinity podAffinity podAntiAffinity", "");
const TERMS_FIELDS = uses(
  "requiredDuringSchedulingIgnoredDuringExecution preferredDuringSchedulingIgnoredDuringExecution",
  "",
);
const TERM_FIELDS = uses(
  "labelSelector namespaces topologyKey namespaceSelector matchLabelKeys mismatchLabelKeys",
  "",
);
const TOLERATION_FIELDS = uses("key operator value effect tolerationSeconds", "");

export function noteFields(pod: Pod, notes: ImportNotes): void {
  const { spec = {} } = pod;
  const pods = nameOf(pod);
  const check = (of: object | undefined, known: Uses, where: string): void => {
    for (const [field, value] of Object.entries(of ?? {})) {
      const use = known.get(field);
      if (typeof use === "string" || value === undefined) continue;
      const effect = use?.effect ?? "this version does not know it: it may constrain the place";
      notes.add(`pods with ${where}${field}`, effect, pods);
    }
  };
  check(spec, POD_FIELDS, "");
  for (const each of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    check(each, CONTAINER_FIELDS, "containers.");
  }
  for (const volume of spec.volumes ?? []) check(volume, VOLUME_FIELDS, "volumes.");
  for (const each of spec.topologySpreadConstraints ?? []) {
    check(each, SPREAD_FIELDS, "topologySpreadConstraints.");
  }
  check(spec.affinity, AFFINITY_FIELDS, "affinity.");
  check(spec.affinity?.nodeAffinity, TERMS_FIELDS, "nodeAffinity.");
  for (const terms of [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity]) {
    check(terms, TERMS_FIELDS, "podAffinity.");
    for (const term of termsOf(terms)) check(term, TERM_FIELDS, "podAffinity.");
  }
  for (const toleration of spec.tolerations ?? []) {
    check(toleration, TOLERATION_FIELDS, "tolerations.");
    const { operator = "Equal" } = toleration;
    if (operator === "Equal" || operator === "Exists") continue;
    notes.add(`pods with a toleration of operator ${operator}`, "not tolerated here", pods);
  }
  for (const { operator } of expressionsOf(spec.affinity?.nodeAffinity)) {
    if (OPERATORS.has(operator)) continue;
    notes.add(`pods with a node expression of operator ${operator}`, "no node matches it", pods);
  }
}

const OPERATORS: ReadonlySet<string> = new Set([
  "In",
  "NotIn",
  "Exists",
  "DoesNotExist",
  "Gt",
  "Lt",
]);

const termsOf = (terms: PodTerms | undefined): readonly object[] => [
  ...(terms?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
  ...(terms?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
    ({ podAffinityTerm }) => podAffinityTerm,
  ),
];

type NodeAffinity = NonNullable<NonNullable<NonNullable<Pod["spec"]>["affinity"]>["nodeAffinity"]>;

function expressionsOf(affinity: NodeAffinity | undefined): readonly KubeExpression[] {
  const terms: readonly NodeTerm[] = [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      ({ preference }) => preference,
    ),
  ];
  return terms.flatMap(({ matchExpressions = [], matchFields = [] }) => [
    ...matchExpressions,
    ...matchFields,
  ]);
}
