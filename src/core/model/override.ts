/**
 * What people have decided for a while: an exception from what controllers would do, with a reason
 * and an end. It is an object in the log like any desired state, so nothing has to be undone when
 * it ends, and no controller fights it.
 */
import { type ObjectKey, type ObjectName, type Uid, workloadKey } from "./ids.ts";
import type { Override } from "./objects.ts";
import { utcText } from "./text/utc-text.ts";

export const OVERRIDE_ACTIONS = [
  "avoid-zone",
  "avoid-node",
  "pause-expansion",
  "pause-repair",
  "pin",
  "raise-budget",
  "freeze-tenant",
  "mark-partitioned",
] as const;
export type OverrideAction = (typeof OVERRIDE_ACTIONS)[number];

/** What it is about; everything when it is empty. A workload is named together with its tenant. */
export interface OverrideTarget {
  readonly region?: string;
  readonly zone?: string;
  readonly node?: string;
  readonly tenant?: string;
  readonly workload?: string;
}
export const TARGET_FIELDS = ["region", "zone", "node", "tenant", "workload"] as const;

/**
 * What is to be true when it ends; people are shown whether it is, and nothing else follows from
 * it.
 */
export interface Postcondition {
  /** Of this workload so many replicas serve. */
  readonly tenant: string;
  readonly workload: string;
  readonly serving: number;
}

export interface OverrideSpec {
  readonly action: OverrideAction;
  readonly target: OverrideTarget;
  readonly reason: string;
  /** How long it holds, counted from when it was made. */
  readonly ttlMs: number;
  /** Of raise-budget: by how many replicas, or, of a region, by how many percent. */
  readonly amount?: number;
  readonly postcondition?: Postcondition;
}

export interface OverrideStatus {
  /** Who made it. Only this owner extends or releases it. */
  readonly owner: string;
  readonly sinceMs: number;
  /** A time of day, which every authority reads on its own clock (OV3). */
  readonly untilMs: number;
  /** How often it was made to last longer. */
  readonly extensions: number;
  /**
   * Of mark-partitioned: the budgets of the region that were in force when it was made, in the
   * order of their names (DG4).
   */
  readonly budgets?: readonly ReachedRecoveryBudget[];
}

/**
 * A budget that a region had before it was partitioned. What was granted, or made to last longer,
 * after that is not.
 */
export interface ReachedRecoveryBudget {
  readonly name: string;
  readonly uid: Uid;
  readonly untilMs: number;
}

/** Shorter is over before anybody has seen it; a week of an exception is an unwritten policy. */
export const OVERRIDE_TTL_MS = { least: 1_000, most: 7 * 86_400_000 } as const;
/** Every commit looks at all of them; so many are more than people can keep in mind. */
export const OVERRIDES_MAX = 256;
/** More than any workload of a plane can lose at once and still be called available. */
export const RECOVERY_BUDGET_AMOUNT_MAX = 1_000;
/** Long enough to say why, short enough to be shown wherever it acts. */
export const REASON_CHARACTERS = 500;

/** The sets of fields that a target may have, by action. */
export const TARGETS: Readonly<Record<OverrideAction, readonly (readonly string[])[]>> = {
  "avoid-zone": [["zone"], ["region", "zone"]],
  "avoid-node": [["node"]],
  "pause-expansion": [[], ["tenant"], ["tenant", "workload"]],
  "pause-repair": [
    [],
    ["region"],
    ["zone"],
    ["region", "zone"],
    ["node"],
    ["tenant"],
    ["tenant", "workload"],
  ],
  pin: [["tenant", "workload"]],
  "raise-budget": [["tenant", "workload"], ["region"]],
  "freeze-tenant": [["tenant"]],
  "mark-partitioned": [["region"]],
};

export const overrideKey = (name: string): ObjectKey => `Override//${name}` as ObjectKey;

/** From its commit until its end, unless it was released: also before it is removed (OV3, OV4). */
export const isInForce = ({ meta, status }: Override, nowMs: number): boolean =>
  meta.deletingMs === undefined && nowMs < status.untilMs;

/** e.g. "workload payments/risk-api", "zone zone-c of eu-west", "everything" */
export function targetText({ region, zone, node, tenant, workload }: OverrideTarget): string {
  if (workload !== undefined) return `workload ${tenant ?? ""}/${workload}`;
  if (tenant !== undefined) return `tenant ${tenant}`;
  if (node !== undefined) return `node ${node}`;
  if (zone !== undefined) {
    return region === undefined ? `zone ${zone}` : `zone ${zone} of ${region}`;
  }
  return region === undefined ? "everything" : `region ${region}`;
}

/**
 * e.g. " by 2" replicas of a workload, " by 20%" of the budgets of a region; empty where nothing is
 * raised
 */
export function raiseText({
  target,
  amount,
}: {
  readonly target?: OverrideTarget;
  readonly amount?: number;
}): string {
  if (amount === undefined) return "";
  return target?.region === undefined ? ` by ${amount}` : ` by ${amount}%`;
}

/** e.g. "override ov-1 (avoid-zone by ana until 2026-11-16T12:30:00Z)" */
export const overrideText = ({ meta, spec, status }: Override): string =>
  `override ${meta.name} (${spec.action} by ${status.owner} until ${utcText(status.untilMs)})`;

/** Whether a place is meant by it. A target that names no place means none. */
export function meansPlace(
  { region, zone, node }: OverrideTarget,
  place: { readonly name: string; readonly region: string; readonly zone: string },
): boolean {
  if (node !== undefined) return node === place.name;
  if (zone === undefined && region === undefined) return false;
  return (
    (zone === undefined || zone === place.zone) && (region === undefined || region === place.region)
  );
}

export const isAvoiding = ({ spec }: Override): boolean =>
  spec.action === "avoid-zone" || spec.action === "avoid-node";

export const isPartitioned = ({ spec }: Override): boolean => spec.action === "mark-partitioned";

export const isEverything = (target: OverrideTarget): boolean =>
  TARGET_FIELDS.every((field) => target[field] === undefined);

/** Whether this workload, or the workload of this name, is meant by it or by its tenant. */
export function meansWorkload(
  target: OverrideTarget,
  { namespace, name }: Pick<ObjectName, "namespace" | "name">,
): boolean {
  if (isEverything(target)) return true;
  if (target.tenant !== namespace) return false;
  return target.workload === undefined || target.workload === name;
}

/** The workload it is about, if it is about one. */
export const workloadMeant = ({ tenant, workload }: OverrideTarget): ObjectKey | undefined =>
  tenant === undefined || workload === undefined ? undefined : workloadKey(tenant, workload);
