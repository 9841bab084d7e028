/**
 * The rows of the views as they go over the wire, and what their columns are called. Times are
 * milliseconds on the plane's clock; amounts are integers: thousandths of a CPU, MiB, thousandths
 * of a device. What there is nothing of is null and never left out, so that a row is read by
 * position.
 */
import type { WaitReason } from "../../core/protocol/decision.ts";
import type { JobEnd } from "../../core/model/batch.ts";
import type { RecoveryStage } from "../../core/model/recovery.ts";
import type { RolloutStage } from "../../core/model/rollout.ts";
import type { Stage } from "../../core/model/stage.ts";
import type { Condition } from "../kinds/status/condition.ts";
import type { WorkloadProblem } from "../kinds/status/workload-problems.ts";

export const VIEW_NAMES = ["fleet", "workloads", "queue", "quota"] as const;
export type ViewName = (typeof VIEW_NAMES)[number];

/** CPU in thousandths, memory in MiB, devices in thousandths. */
export type AmountsCell = readonly [cpuMillis: number, memoryMiB: number, deviceMillis: number];

/**
 * One resource of one node. All but the first add up to the first, or to more when it holds more
 * than it has.
 */
export type PartsCell = readonly [
  capacity: number,
  /** In use by replicas that cannot be preempted. */
  committed: number,
  /** Held by replicas that a higher class may preempt. */
  reclaimable: number,
  /** Empty, and held for replicas on their way. */
  reserved: number,
  /** Empty, and kept for replicas that lose their node. */
  recovery: number,
  free: number,
];

export interface HolderCell {
  readonly by: string;
  readonly why: string;
}

/** Both empty without a holder; the times are null without a deadline. */
export interface DrainCell extends HolderCell {
  readonly since: number | null;
  readonly deadline: number | null;
  readonly over: number | null;
}

export type FleetRow = readonly [
  node: string,
  region: string,
  zone: string,
  /** As `berth get nodes` says it: its health, then what else keeps work away. */
  health: string,
  since: number,
  /** In a sentence; empty while it is ready. */
  why: string,
  cordons: readonly HolderCell[],
  drain: DrainCell | null,
  supply: "hard" | "soft",
  cpu: PartsCell,
  memory: PartsCell,
  devices: PartsCell,
  replicas: number,
  /** Of them, those that were asked to stop. */
  leaving: number,
];

/** Replicas that stand still for one reason. */
export interface PendingCell {
  readonly reason: WaitReason | StandingReason;
  readonly count: number;
  readonly text: string;
  /** The same in a few words. */
  readonly cause: string;
  /** The controller that said so; empty when none has yet. */
  readonly by: string;
  /** When the first of them restarts; null: no restart is planned. */
  readonly restarts: number | null;
}

/** Where a replica stands while no controller has said more. */
export type StandingReason =
  | "not-admitted"
  | "waiting-for-quota"
  | "waiting-for-node"
  | "failed"
  | "node-silent";

export interface RolloutCell {
  readonly stage: RolloutStage;
  readonly from: number | null;
  readonly to: number;
  /** Replicas of the new generation that are wanted so far. */
  readonly updated: number;
  readonly since: number;
  /** Counted from 1; null without steps, after the last, and on the way back. */
  readonly step: number | null;
  readonly steps: number;
  readonly paused: boolean;
  readonly reason: string | null;
}

export interface RecoveryCell {
  readonly withinMs: number;
  readonly replicas: number;
  readonly reserved: number;
  readonly needed: number;
  readonly now: {
    readonly stage: RecoveryStage;
    readonly lost: number;
    readonly since: number;
    readonly deadline: number;
    readonly missed: RecoveryStage | null;
  } | null;
  readonly last: {
    readonly tookMs: number;
    readonly lost: number;
    readonly ended: number;
    readonly missed: RecoveryStage | null;
  } | null;
}

export interface BatchCell {
  readonly completions: number;
  readonly parallelism: number;
  readonly succeeded: number;
  readonly active: number;
  readonly failures: number;
  readonly givenUp: number;
  readonly started: number | null;
  readonly finished: number | null;
  readonly outcome: JobEnd | null;
}

/**
 * What the autoscaler has seen changes more often than the workload; what it makes of it is asked
 * for then.
 */
export interface ScalingCell {
  /** The name of the autoscaler. */
  readonly autoscaler: string;
  readonly min: number;
  readonly max: number;
  /** The number of its last observation; null: there was none. */
  readonly observation: number | null;
}

export interface ConditionCell extends Omit<Condition, "sinceMs"> {
  readonly since: number;
}

export type WorkloadRow = readonly [
  /** As tenant/name. */
  workload: string,
  type: "service" | "batch",
  priority: string,
  wanted: number,
  ready: number,
  stages: Readonly<Partial<Record<Stage, number>>>,
  /** The most first. */
  pending: readonly PendingCell[],
  rollout: RolloutCell | null,
  recovery: RecoveryCell | null,
  batch: BatchCell | null,
  /** Only what is not fine. */
  conditions: readonly ConditionCell[],
  generation: number,
  created: number,
  deleting: number | null,
  /** Null: it has no autoscaler. */
  scaling: ScalingCell | null,
  /** The worst first. */
  problems: readonly WorkloadProblem[],
];

export type QueueRow = readonly [
  /** Whose wait it is and for what: `place-1 Workload/payments/api`. */
  wait: string,
  /**
   * Its column is called "class". waiting: replicas that wait for room or quota. owed: every other
   * wake-up.
   */
  standing: "waiting" | "owed",
  subject: string,
  tenant: string,
  priority: { readonly name: string; readonly value: number } | null,
  /**
   * As the scheduler last said; null when it did not, or when more are before it than it counts.
   */
  position: number | null,
  of: number | null,
  /** Replicas before it. */
  ahead: number | null,
  /** Replicas of it that wait. */
  count: number | null,
  since: number | null,
  reason: WaitReason,
  /** The controller's own sentence; empty when it gave none. */
  text: string,
  /** What would end the wait, in words. */
  wakes: readonly string[],
  /** When it is looked at in any case. */
  deadline: number,
  owner: string,
  estimateMs: number | null,
  /** What the estimate rests on, or why there is none. */
  basis: string,
  /** Nine of ten such waits took no longer; null while too few have ended to say. */
  upToMs: number | null,
];

export interface BoundCell {
  readonly name: string;
  readonly limit: AmountsCell;
  readonly used: AmountsCell;
}

export type QuotaRow = readonly [
  /** The tenant's name, or `group/NAME`. */
  key: string,
  kind: "tenant" | "group",
  name: string,
  group: string | null,
  /** Of a group. */
  tenants: readonly string[],
  /** Null: the tenant has no quota, and nothing of it is admitted. */
  limit: AmountsCell | null,
  used: AmountsCell,
  reserved: AmountsCell,
  free: AmountsCell,
  /** Of a group: what its tenants lend each other, in no sum. */
  borrowed: AmountsCell,
  overdrawn: AmountsCell,
  /** Null: of no group. An amount that is null has no bound of its own. */
  mayBorrow: readonly (number | null)[] | null,
  regions: readonly BoundCell[],
  classes: readonly BoundCell[],
  weight: number | null,
  /** Its dominant share by its weight, in millionths of all hard capacity. */
  share: number | null,
  /** Its place among the tenants that wait; 1 is served next. */
  turn: number | null,
  /** Replicas that wait for quota. */
  waiting: number,
];

export interface ViewRowOf {
  readonly fleet: FleetRow;
  readonly workloads: WorkloadRow;
  readonly queue: QueueRow;
  readonly quota: QuotaRow;
}
export type ViewRow = ViewRowOf[ViewName];

type NamesOf<Row extends readonly unknown[]> = { readonly [At in keyof Row]: string };

export const VIEW_COLUMNS: { readonly [Name in ViewName]: NamesOf<ViewRowOf[Name]> } = {
  fleet: [
    "node",
    "region",
    "zone",
    "health",
    "since",
    "why",
    "cordons",
    "drain",
    "supply",
    "cpu",
    "memory",
    "devices",
    "replicas",
    "leaving",
  ],
  workloads: [
    "workload",
    "type",
    "priority",
    "wanted",
    "ready",
    "stages",
    "pending",
    "rollout",
    "recovery",
    "batch",
    "conditions",
    "generation",
    "created",
    "deleting",
    "scaling",
    "problems",
  ],
  queue: [
    "wait",
    "class",
    "subject",
    "tenant",
    "priority",
    "position",
    "of",
    "ahead",
    "count",
    "since",
    "reason",
    "text",
    "wakes",
    "deadline",
    "owner",
    "estimateMs",
    "basis",
    "upToMs",
  ],
  quota: [
    "key",
    "kind",
    "name",
    "group",
    "tenants",
    "limit",
    "used",
    "reserved",
    "free",
    "borrowed",
    "overdrawn",
    "mayBorrow",
    "regions",
    "classes",
    "weight",
    "share",
    "turn",
    "waiting",
  ],
};

/** What a reader that does not watch is answered. */
export interface ViewTable<Name extends ViewName = ViewName> {
  readonly view: Name;
  readonly revision: number;
  /** The plane's clock. */
  readonly at: number;
  readonly columns: readonly string[];
  readonly rows: readonly ViewRowOf[Name][];
}

/** One line of a watch. */
export type ViewLine<Name extends ViewName = ViewName> =
  | (ViewTable<Name> & { readonly type: "table"; readonly more: boolean })
  | {
      readonly type: "rows";
      readonly revision: number;
      readonly at: number;
      readonly rows: readonly ViewRowOf[Name][];
      readonly gone: readonly string[];
      /** Further rows are on their way. */
      readonly more: boolean;
    }
  | { readonly type: "bookmark"; readonly revision: number; readonly at: number };
