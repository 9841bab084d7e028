/** Where a pod may run: selectors, affinity, tolerations, volumes, host ports and spread. */
import type {
  Affinity,
  AffinityTerm,
  Ask,
  NodeExpression,
  PreferredNodes,
  Spread,
} from "../../core/model/objects.ts";
import { nameOf } from "./dump.ts";
import type { ImportNotes } from "./import-notes.ts";
import type {
  KubeExpression,
  KubeNode,
  LabelSelector,
  NodeSelector,
  NodeTerm,
  Pod,
  PodTerm,
  PodTerms,
  SpreadConstraint,
} from "./kube-objects.ts";
import { type TaintKeys, tolerationsOf } from "./map-taints.ts";
import { isPlain, type Marks, pairsOf, selects, selectsNode } from "./selectors.ts";
import { NODE_NAME_LABEL, topologyOf } from "./topology-of.ts";

export interface PlacementSources {
  readonly taintKeys: TaintKeys;
  /** The namespaces that a selector of namespaces selects. */
  readonly namespacesOf: (selector: LabelSelector) => readonly string[];
  /** Those that have pods with a host port, such as "TCP 9100". */
  readonly namespacesWith: (port: string) => readonly string[];
  /** Where the volumes of a pod are: each must hold. */
  readonly volumesOf: (pod: Pod) => readonly NodeSelector[];
  readonly nodeMarks: Marks<KubeNode>;
  readonly podMarks: Marks<Pod>;
  readonly notes: ImportNotes;
}

export type PlacementAsk = Pick<
  Ask,
  "regions" | "zones" | "nodeSelector" | "nodeExpressions" | "preferredNodes" | "tolerations"
>;

export function placementOf(pod: Pod, sources: PlacementSources): PlacementAsk {
  const { nodeSelector = {}, affinity, tolerations = [] } = pod.spec ?? {};
  const { nodeAffinity } = affinity ?? {};
  const required = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const all = [...(required === undefined ? [] : [required]), ...sources.volumesOf(pod)];
  const nodeExpressions = all.flatMap((selector) => expressionsOf(selector, sources));
  const preferred = nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return {
    regions: [],
    zones: [],
    nodeSelector,
    ...(nodeExpressions.length === 0 ? {} : { nodeExpressions }),
    ...(preferred.length === 0
      ? {}
      : { preferredNodes: preferred.map((each) => preferenceOf(each, sources)) }),
    tolerations: tolerationsOf(tolerations, sources.taintKeys),
  };
}

/** One of several terms is enough for Kubernetes; Berth has no "or", so they become a mark. */
function expressionsOf(
  { nodeSelectorTerms: terms = [] }: NodeSelector,
  { nodeMarks }: PlacementSources,
): readonly NodeExpression[] {
  const [only] = terms;
  const written = terms.length === 1 && only !== undefined ? writtenTerm(only) : undefined;
  if (written !== undefined) return written;
  const label = nodeMarks.markFor(JSON.stringify(terms), ({ metadata }) =>
    terms.some((term) => selectsNode(term, metadata.labels ?? {}, metadata.name ?? "")),
  );
  return [{ key: label, operator: "exists", values: [] }];
}

function preferenceOf(
  { weight, preference }: { readonly weight: number; readonly preference: NodeTerm },
  sources: PlacementSources,
): PreferredNodes {
  return { weight, expressions: expressionsOf({ nodeSelectorTerms: [preference] }, sources) };
}

const OPERATORS: Readonly<Record<string, NodeExpression["operator"]>> = {
  In: "in",
  NotIn: "not-in",
  Exists: "exists",
  DoesNotExist: "does-not-exist",
  Gt: "gt",
  Lt: "lt",
};

/** Undefined: it says something that Berth does not know, or nothing. */
function writtenTerm({ matchExpressions = [], matchFields = [] }: NodeTerm) {
  const all: readonly KubeExpression[] = [
    ...matchExpressions,
    ...matchFields.map((field) => ({ ...field, key: NODE_NAME_LABEL })),
  ];
  const written = all.flatMap(({ key, operator, values = [] }) => {
    const known = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
    return known === undefined ? [] : [{ key, operator: known, values }];
  });
  return all.length > 0 && written.length === all.length ? written : undefined;
}

export function affinityOf(pod: Pod, sources: PlacementSources): Affinity | undefined {
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  const ports = hostPortTerms(pod, sources);
  const affinity: Affinity = {
    required: requiredOf(podAffinity, pod, sources),
    preferred: preferredOf(podAffinity, pod, sources),
    antiRequired: [...requiredOf(podAntiAffinity, pod, sources), ...ports],
    antiPreferred: preferredOf(podAntiAffinity, pod, sources),
  };
  return Object.values(affinity).some((terms: readonly unknown[]) => terms.length > 0)
    ? affinity
    : undefined;
}

const requiredOf = (terms: PodTerms | undefined, pod: Pod, sources: PlacementSources) =>
  (terms?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map((term) =>
    termOf(term, pod, sources),
  );

const preferredOf = (terms: PodTerms | undefined, pod: Pod, sources: PlacementSources) =>
  (terms?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
    ({ weight, podAffinityTerm }) => ({ weight, ...termOf(podAffinityTerm, pod, sources) }),
  );

function termOf(term: PodTerm, pod: Pod, sources: PlacementSources): AffinityTerm {
  const tenants = tenantsOf(term, sources);
  const by = topologyOf(term.topologyKey);
  const selector = withKeys(term, pod);
  if (isPlain(selector)) {
    return { by, labels: selector?.matchLabels ?? {}, ...(tenants && { tenants }) };
  }
  const label = sources.podMarks.markFor(
    JSON.stringify(selector ?? null),
    ({ metadata }) => selects(selector, metadata.labels ?? {}),
    pairsOf(selector),
  );
  return { by, labels: { [label]: "yes" }, ...(tenants && { tenants }) };
}

/** `matchLabelKeys` adds the pod's own values of these labels to the selector. */
function withKeys(
  { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] }: PodTerm,
  { metadata: { labels = {} } }: Pod,
): LabelSelector | undefined {
  if (matchLabelKeys.length + mismatchLabelKeys.length === 0) return labelSelector;
  const expression = (operator: "In" | "NotIn") => (key: string) =>
    labels[key] === undefined ? [] : [{ key, operator, values: [labels[key]] }];
  return {
    ...labelSelector,
    matchExpressions: [
      ...(labelSelector?.matchExpressions ?? []),
      ...matchLabelKeys.flatMap(expression("In")),
      ...mismatchLabelKeys.flatMap(expression("NotIn")),
    ],
  };
}

/** Undefined: the pod's own namespace. */
function tenantsOf(
  { namespaces = [], namespaceSelector }: PodTerm,
  sources: PlacementSources,
): readonly string[] | undefined {
  if (namespaceSelector === undefined) return namespaces.length === 0 ? undefined : namespaces;
  return [...new Set([...namespaces, ...sources.namespacesOf(namespaceSelector)])];
}

/** Pods with the same host port never share a node; the port stands as a mark on each of them. */
function hostPortTerms(pod: Pod, { podMarks, namespacesWith, notes }: PlacementSources) {
  const ports = hostPortsOf(pod);
  if (ports.length === 0) return [];
  const effect = "pods with the same host port are kept on different nodes, as in Kubernetes";
  notes.add("pods that use a host port", effect, nameOf(pod));
  return ports.map((port): AffinityTerm => {
    const label = podMarks.markFor(`host port ${port}`, (each) => hostPortsOf(each).includes(port));
    return { by: "node", labels: { [label]: "yes" }, tenants: namespacesWith(port) };
  });
}

/** By host port. */
export function namespacesByPort(pods: readonly Pod[]): ReadonlyMap<string, readonly string[]> {
  const byPort = new Map<string, Set<string>>();
  for (const pod of pods) {
    for (const port of hostPortsOf(pod)) {
      const { namespace = "" } = pod.metadata;
      byPort.set(port, (byPort.get(port) ?? new Set()).add(namespace));
    }
  }
  return new Map([...byPort].map(([port, namespaces]) => [port, [...namespaces].toSorted()]));
}

/** e.g. "TCP 9100" */
function hostPortsOf({ spec }: Pod): readonly string[] {
  const sidecars = (spec?.initContainers ?? []).filter(
    ({ restartPolicy }) => restartPolicy === "Always",
  );
  const ports = [...(spec?.containers ?? []), ...sidecars].flatMap(({ ports: own = [] }) => own);
  return ports.flatMap(({ hostPort = 0, protocol = "TCP" }) =>
    hostPort === 0 ? [] : [`${protocol} ${hostPort}`],
  );
}

/** `isOwn` says whether a selector selects the pods of the pod's own controller and no others. */
export function spreadOf(
  pod: Pod,
  isOwn: (selector: LabelSelector | undefined) => boolean,
  { notes }: PlacementSources,
): readonly Spread[] {
  return (pod.spec?.topologySpreadConstraints ?? []).map((constraint) => {
    noteDifferences(constraint, { name: nameOf(pod), isOwn, notes });
    const isSoft = constraint.whenUnsatisfiable === "ScheduleAnyway";
    return {
      by: topologyOf(constraint.topologyKey),
      maxSkew: constraint.maxSkew,
      ...(isSoft ? { soft: true } : {}),
    };
  });
}

function noteDifferences(
  constraint: SpreadConstraint,
  {
    name,
    isOwn,
    notes,
  }: {
    readonly name: string;
    readonly isOwn: (selector: LabelSelector | undefined) => boolean;
    readonly notes: ImportNotes;
  },
): void {
  if (!isOwn(constraint.labelSelector)) {
    const effect = "only the pods of its own controller are counted";
    notes.add("spread constraints that count pods of several controllers", effect, name);
  }
  if (constraint.minDomains !== undefined) {
    notes.add("spread constraints with minDomains", "minDomains is not counted", name);
  }
  if (constraint.nodeTaintsPolicy === "Honor" || constraint.nodeAffinityPolicy === "Ignore") {
    const effect = "which empty places count differs: Berth counts those where the pod may run";
    notes.add("spread constraints with a policy for taints or affinity", effect, name);
  }
}
