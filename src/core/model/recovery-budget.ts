/**
 * What may be spent on recoveries in a region: how much, by whom, until when and why. A budget is
 * an object in the log, granted by a person or by the policy in force. Its spending is not written
 * here: it is the sum of the live bindings that name it, counted on demand.
 */
import type { Amounts } from "./amounts.ts";
import type { ObjectKey } from "./ids.ts";
import type { RecoveryBudget, Override, Replica, Workload } from "./objects.ts";
import { utcText } from "./text/utc-text.ts";

/** Whom it is for. */
export interface RecoveryBudgetTerms {
  readonly region: string;
  readonly amounts: Amounts;
  /** In their order, each once. Left out: all. */
  readonly tenants?: readonly string[];
  /** Priority classes, in their order, each once. Left out: all, and work without a class. */
  readonly classes?: readonly string[];
  /** How long it is in force, counted from when it was granted. */
  readonly ttlMs: number;
}

export interface RecoveryBudgetSpec extends RecoveryBudgetTerms {
  readonly reason: string;
}

export interface RecoveryBudgetStatus {
  /** Who granted it. Only this owner extends it. */
  readonly owner: string;
  readonly sinceMs: number;
  /** A time of day, which every authority reads on its own clock (OV3). */
  readonly untilMs: number;
  /** How often it was made to last longer. */
  readonly extensions: number;
  /** Set: it is the policy's own, by this grant of this revision; any person may withdraw it. */
  readonly grant?: { readonly policyRevision: string; readonly index: number };
}

/** Of a replica. Planes without budgets have no such field. */
export interface MaybeOnRecoveryBudget {
  /**
   * The name of the budget that its present binding spends, and, once that has ended, that the last
   * one spent.
   */
  readonly budget?: string | undefined;
}

/** How recoveries are budgeted, as a policy revision says. */
export interface RecoveryRules {
  /** All budgets together never grow beyond it. */
  readonly reserve: Amounts;
  /** For how long a recovery goes ahead of the queue; left out: as built in. */
  readonly fairnessWindowMs?: number;
  /** Grants that the plane makes while a matching workload recovers. */
  readonly grants?: readonly RecoveryBudgetTerms[];
}

/**
 * Five minutes: what a region takes to come back elsewhere; other waits are no longer than that.
 */
export const FAIRNESS_WINDOW_MS = 300_000;
/**
 * Shorter is over before a scheduler has looked; an hour of being passed over is no exception any
 * more.
 */
export const FAIRNESS_BOUNDS_MS = { least: 1_000, most: 3_600_000 } as const;
/** As an override's: shorter is over before anybody has seen it, a week is an unwritten policy. */
export const RECOVERY_BUDGET_TTL_MS = { least: 1_000, most: 7 * 86_400_000 } as const;
/** A reader cannot tell more tenants or classes apart in one budget. */
export const RECOVERY_BUDGET_LIST_MOST = 64;

export const recoveryBudgetKey = (name: string): ObjectKey =>
  `RecoveryBudget//${name}` as ObjectKey;

/**
 * Since its end was committed, or it was withdrawn, it is only there for what is still spent of it.
 */
export const isClosed = ({ meta }: RecoveryBudget): boolean => meta.deletingMs !== undefined;

/**
 * From its commit until its end, unless it was withdrawn: also before its expiry is committed
 * (BU1).
 */
export const isRecoveryBudgetInForce = (budget: RecoveryBudget, nowMs: number): boolean =>
  !isClosed(budget) && nowMs < budget.status.untilMs;

const isAmong = (names: readonly string[] | undefined, name: string): boolean =>
  names === undefined || names.includes(name);

/** Whether this replica is one that it is for. */
export const coversReplica = (
  { tenants, classes }: Pick<RecoveryBudgetTerms, "tenants" | "classes">,
  { meta, spec }: Replica,
): boolean => isAmong(tenants, meta.namespace) && isAmong(classes, spec.template.priorityClass);

/** Whether this workload is one that it is for, and keeps room in its region. */
export const coversWorkload = (
  { region, tenants, classes }: RecoveryBudgetTerms,
  { meta, spec }: Workload,
): boolean =>
  spec.recovery?.regions.includes(region) === true &&
  isAmong(tenants, meta.namespace) &&
  isAmong(classes, spec.template.priorityClass);

/** Whether two are the same grant: for the same region and the same work, however much it is. */
export const isSameGrant = (a: RecoveryBudgetTerms, b: RecoveryBudgetTerms): boolean =>
  a.region === b.region &&
  a.tenants?.join("/") === b.tenants?.join("/") &&
  a.classes?.join("/") === b.classes?.join("/");

/** By how many percent an override raises the budgets of a region; 0 for every other (BU9). */
export const raisesRegion = ({ spec }: Override, region: string): number =>
  spec.action === "raise-budget" && spec.target.region === region ? (spec.amount ?? 0) : 0;

/** By all of several together. */
export const raisedAmounts = (amounts: Amounts, percent: number): Amounts => {
  const raised = (amount: number): number => Math.floor((amount * (100 + percent)) / 100);
  return percent === 0
    ? amounts
    : {
        cpuMillis: raised(amounts.cpuMillis),
        memoryMiB: raised(amounts.memoryMiB),
        deviceMillis: raised(amounts.deviceMillis),
      };
};

/** e.g. "16" or "1500m" */
export const millisText = (millis: number): string =>
  millis % 1000 === 0 ? `${millis / 1000}` : `${millis}m`;

/**
 * e.g. "budget eu-west-3 (granted by policy revision r-2 until 2026-11-16T12:30:00Z)", and what
 * else is to be said of it
 */
export function recoveryBudgetText({ meta, status }: RecoveryBudget, more?: string): string {
  const { owner, untilMs, grant } = status;
  const by = grant === undefined ? owner : `policy revision ${grant.policyRevision}`;
  const said = more === undefined ? "" : `; ${more}`;
  return `recovery budget ${meta.name} (granted by ${by} until ${utcText(untilMs)}${said})`;
}
