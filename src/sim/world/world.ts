/**
 * The contents of a simulated run: places, tenants, their workloads, and the actions of people.
 * Worlds come from YAML (`world-file.ts`) or are drawn by the swarm (`swarm.ts`).
 */
import type { Amounts } from "../../core/model/amounts.ts";
import type { AutoscalerSpec } from "../../core/model/autoscaler.ts";
import type { RecoveryBudgetSpec } from "../../core/model/recovery-budget.ts";
import type { DrainTerms } from "../../core/model/node/drain.ts";
import type {
  Labels,
  NodeSpec,
  PriorityClassSpec,
  QuotaSpec,
  WorkloadSpec,
} from "../../core/model/objects.ts";
import type { IndexOfGeneration } from "../../core/model/ids.ts";
import type { NodePoolSpec } from "../../core/model/node/node-pool.ts";
import type { OverrideSpec } from "../../core/model/override.ts";
import type { PolicyRules } from "../../core/model/policy.ts";
import type { RolloutSpec } from "../../core/model/rollout.ts";
import type { RegionalPart } from "../regional/regional-world.ts";
import type { FaultName } from "../faults/fault.ts";
import type { PersonAct } from "../roles/person-act.ts";
import type { Attack } from "../hostile/attack.ts";
import type { Step } from "./user-script.ts";
import type { RegionLoss } from "../faults/region-loss.ts";

export interface WorldRegion {
  readonly name: string;
  readonly zones: readonly string[];
  /** It has a plane of its own. Left out: it has none. */
  readonly plane?: { readonly termMs: number };
}

export interface WorldNode {
  readonly name: string;
  readonly labels: Labels;
  readonly spec: NodeSpec;
}

export interface WorldWorkload {
  readonly tenant: string;
  readonly name: string;
  readonly labels: Labels;
  readonly spec: WorkloadSpec;
}

/** All fields of a quota but its limit. */
export type QuotaSharing = Omit<QuotaSpec, "limit">;

export interface WorldTenant {
  readonly name: string;
  readonly quota: Amounts;
  readonly sharing?: QuotaSharing;
  /** Set on the tenant when it is made; left out: none. */
  readonly finalizers?: readonly string[];
}

export interface WorldPriorityClass {
  readonly name: string;
  readonly spec: PriorityClassSpec;
}

export interface WorldPolicyRevision {
  readonly name: string;
  readonly spec: PolicyRules;
}

export interface WorldPolicy {
  readonly name: string;
  /** The first revision in force. */
  readonly active: string;
}

/** From `atMs` on, the load of all replicas together, in units of the target. */
export interface DemandStep {
  readonly atMs: number;
  readonly load: number;
}

export interface WorldAutoscaler {
  readonly tenant: string;
  readonly name: string;
  readonly spec: AutoscalerSpec;
  /** In the order of their times; before the first there is no load. */
  readonly demand: readonly DemandStep[];
  /** The percentage of samples that are lost before the world heals. */
  readonly lostPercent: number;
  /** The maximum age of a sample when it is read. */
  readonly lateMs: number;
}

export interface WorldNodePool {
  readonly name: string;
  readonly spec: NodePoolSpec;
  /** The time from a request until the machine is up. */
  readonly bootMs: { readonly least: number; readonly most: number };
  /** Before the world heals, the percentage of requests that the provider refuses. */
  readonly refusedPercent: number;
  /** The percentage that it accepts and never delivers. */
  readonly lostPercent: number;
  /** The percentage that it never answers. */
  readonly silentPercent: number;
}

/**
 * An action of a person during the run. The `user` component sends it as commands, with retries.
 */
export type UserAction =
  | { readonly do: "put-workload"; readonly workload: WorldWorkload }
  | {
      readonly do: "scale";
      readonly tenant: string;
      readonly workload: string;
      readonly replicas: number;
    }
  | { readonly do: "delete-workload"; readonly tenant: string; readonly workload: string }
  /** Restarts it. */
  | ({ readonly do: "delete-replica" } & IndexOfGeneration)
  /** Changes the template so that a new generation begins. */
  | {
      readonly do: "change-template";
      readonly tenant: string;
      readonly workload: string;
      readonly command: readonly string[];
      /** The new request of each replica; left out: as before. */
      readonly amounts?: Pick<Amounts, "cpuMillis" | "memoryMiB">;
    }
  /**
   * Gives it owners, workloads of its tenant, in place of those that it has: it goes once none of
   * them exists. Without any it belongs to no other.
   */
  | {
      readonly do: "set-owners";
      readonly tenant: string;
      readonly workload: string;
      readonly owners: readonly string[];
    }
  /** Makes it, or gives it these keys in place of those that it has. Without keys it is deleted. */
  | {
      readonly do: "set-secret";
      readonly tenant: string;
      readonly name: string;
      readonly keys: readonly string[];
    }
  /** Changes how it rolls out: also pauses and resumes it. */
  | {
      readonly do: "set-rollout";
      readonly tenant: string;
      readonly workload: string;
      readonly rollout: RolloutSpec;
    }
  /** With everything it owns. */
  | { readonly do: "delete-tenant"; readonly tenant: string }
  /** It goes after the tenant's last workload. */
  | { readonly do: "delete-quota"; readonly tenant: string }
  /** Removes the finalizers that people put on it. */
  | { readonly do: "lift-finalizers"; readonly tenant: string }
  /** Fields that are left out stay as they are. */
  | {
      readonly do: "set-quota";
      readonly tenant: string;
      readonly limit: Amounts;
      readonly sharing?: QuotaSharing;
    }
  | { readonly do: "put-priority-class"; readonly priorityClass: WorldPriorityClass }
  /** For an existing revision: a person tries to rewrite it, which fails. */
  | { readonly do: "put-policy-revision"; readonly policyRevision: WorldPolicyRevision }
  /**
   * Moves the pointer. `stale`: the sender names a revision that is not in force, and is refused.
   */
  | {
      readonly do: "activate";
      readonly policy: string;
      readonly to: string;
      readonly region?: string;
      readonly stale?: true;
    }
  /** `as` is the owner. No other person extends or releases it, though some try. */
  | {
      readonly do: "override";
      readonly name: string;
      readonly as: string;
      readonly spec: OverrideSpec;
    }
  | {
      readonly do: "extend-override";
      readonly name: string;
      readonly as: string;
      readonly ttlMs: number;
    }
  | { readonly do: "release-override"; readonly name: string; readonly as: string }
  /** `as` is the owner. No other person extends or withdraws it, though some try. */
  | {
      readonly do: "grant-budget";
      readonly name: string;
      readonly as: string;
      readonly spec: RecoveryBudgetSpec;
    }
  | {
      readonly do: "extend-budget";
      readonly name: string;
      readonly as: string;
      readonly ttlMs: number;
    }
  /** Also a grant of the policy, by its generated name. */
  | { readonly do: "withdraw-budget"; readonly name: string; readonly as: string }
  | { readonly do: "cordon"; readonly node: string; readonly holder: string }
  /** `as`: the sender, if not the holder; it fails without force. */
  | {
      readonly do: "uncordon";
      readonly node: string;
      readonly holder: string;
      readonly as?: string;
      readonly force?: true;
    }
  | { readonly do: "drain"; readonly node: string; readonly terms?: DrainTerms }
  | { readonly do: "undrain"; readonly node: string }
  | { readonly do: "add-node"; readonly node: WorldNode }
  /** The object alone, with replicas bound there; the machine and its agent go on. */
  | { readonly do: "delete-node"; readonly node: string }
  /** Makes the object of a deleted node anew, as it was. */
  | { readonly do: "restore-node"; readonly node: string };

export interface TimelineEntry {
  readonly atMs: number;
  readonly action: UserAction;
}

export interface World {
  readonly name: string;
  readonly regions: readonly WorldRegion[];
  readonly nodes: readonly WorldNode[];
  readonly tenants: readonly WorldTenant[];
  /** Left out: none, and no workload names one. */
  readonly priorityClasses?: readonly WorldPriorityClass[];
  /** Left out: none. They are made in this order, which defines earlier and later. */
  readonly policyRevisions?: readonly WorldPolicyRevision[];
  /** Left out: none, and the built-in policy applies. */
  readonly policies?: readonly WorldPolicy[];
  readonly workloads: readonly WorldWorkload[];
  /** Left out: none, and nothing is measured. */
  readonly autoscalers?: readonly WorldAutoscaler[];
  /** Left out: none, and no machines are provisioned. */
  readonly nodePools?: readonly WorldNodePool[];
  /** How many requests the plane takes in a second. Left out: as many as come. */
  readonly commandsPerSecond?: number;
  /** How many `place` components run side by side. */
  readonly schedulers: number;
  /** All controllers share one view, as in a plane's own process, instead of one view each. */
  readonly controllersShareView?: boolean;
  /**
   * The number of planes that run all the time on a shared log: one leads under a lease, the others
   * follow. Left out or 1: one plane, and another that is brought in when there is none.
   */
  readonly planes?: number;
  /** What happens between the planes of regions that have their own. Left out: nothing. */
  readonly regional?: RegionalPart;
  /** Of one plane among several. Left out: it is alone. */
  readonly role?: "global" | "regional";
  readonly timeline: readonly TimelineEntry[];
  /** What people with roles do. Left out: there are none, and nothing has a role. */
  readonly people?: readonly PersonAct[];
  /**
   * What one more tenant writes, step by step, where two worlds are compared. Left out: it is not
   * there. Files never have it.
   */
  readonly neighbour?: readonly Step[];
  /** Attacks of hostile senders. Left out: there are none. */
  readonly attacks?: readonly Attack[];
  /**
   * Regions that lose all machines. Left out: none. The plan of a run draws them from its seed; a
   * list of faults already contains them.
   */
  readonly losses?: readonly RegionLoss[];
  /** The kinds of fault that the swarm draws unless the caller asks for others. Left out: all. */
  readonly faults?: readonly FaultName[];
  /** Faults happen before this time; then everything heals. */
  readonly faultsUntilMs: number;
  /** After healing, progress is demanded within this time. */
  readonly healMs: number;
  /** How long a process needs from start to its first good probe. */
  readonly startUpMs: number;
  /** How long a batch process runs. */
  readonly batchRunMs: number;
}
