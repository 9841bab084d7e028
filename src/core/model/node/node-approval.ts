/**
 * What an operator allows a node to say of itself. An agent describes its own machine, and a
 * machine that lies would draw the work of others: so what it claims counts only as far as an
 * operator has stated it beforehand, and a node that claims anything else takes no work until an
 * operator approves it.
 */
import type { Labels, NodeSpec } from "../objects.ts";

export interface NodeApproval {
  /** Ceilings; left out: nothing was stated. */
  readonly cpuMillis?: number;
  readonly memoryMiB?: number;
  /** How many devices of each class. */
  readonly devices?: Readonly<Record<string, number>>;
  readonly region?: string;
  readonly zone?: string;
  readonly labels?: Labels;
}

/** The holder of the cordon that keeps work from a node until an operator approves it. */
export const APPROVAL_HOLDER = "approval";

/**
 * What policies, pools and operators select on; an agent states these of its node only where its
 * operator did.
 */
const RESERVED_DOMAINS = ["berth.dev", "kubernetes.io", "k8s.io"] as const;

export function isReservedLabel(key: string): boolean {
  const slash = key.indexOf("/");
  const domain = key.slice(0, Math.max(0, slash)).toLowerCase();
  return RESERVED_DOMAINS.some((each) => domain === each || domain.endsWith(`.${each}`));
}

/** A node as its agent describes it. */
export interface NodeClaim {
  readonly spec: NodeSpec;
  readonly labels: Labels;
}

/** How many devices of each class a node has. */
export function devicesByClass({ pools }: Pick<NodeSpec, "pools">): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { class: of, ids } of pools) counts.set(of, (counts.get(of) ?? 0) + ids.length);
  return counts;
}

/** What of a claim no operator has stated, for people; empty: all of it was. */
export function notStated({ spec, labels }: NodeClaim, approved: NodeApproval): readonly string[] {
  const { region, zone, capacity, pools, taints, maxReplicas } = spec;
  // Work selects on models as it does on labels, and operators state classes alone.
  const models = pools.filter(({ model }) => model !== "");
  const devices = [...devicesByClass(spec).keys()].filter(
    (of) => approved.devices?.[of] === undefined,
  );
  const unknown = Object.entries(labels).filter(([key, value]) => approved.labels?.[key] !== value);
  return [
    ...(approved.region === region ? [] : [`region ${region}`]),
    ...(approved.zone === zone ? [] : [`zone ${zone}`]),
    ...(approved.cpuMillis === undefined ? [`${capacity.cpuMillis}m CPU`] : []),
    ...(approved.memoryMiB === undefined ? [`${capacity.memoryMiB}Mi memory`] : []),
    ...devices.map((of) => `${of} devices`),
    ...models.map(({ class: of, model }) => `${of} model ${model}`),
    ...unknown.map(([key]) => `label ${key}`),
    ...taints.map(({ key }) => `taint ${key}`),
    ...(maxReplicas === undefined ? [] : ["maxReplicas"]),
  ];
}
