/**
 * What a simulated run is about: the places, the tenants, what they ask for, and what people do
 * when. Worlds come from YAML (`world-file.ts`) or are drawn by the swarm (`swarm.ts`).
 */
import type { Amounts } from "../../core/model/amounts.ts";
import type { AutoscalerSpec } from "../../core/model/autoscaler.ts";
import type { BudgetSpec } from "../../core/model/budget.ts";
import type { DrainTerms } from "../../core/model/node/drain.ts";
import type {
  Labels,
  NodeSpec,
  PriorityClassSpec,
  QuotaSpec,
  WorkloadSpec,
} from "../../core/model/objects.ts";
import type { NodePoolSpec } from "../../core/model/node/node-pool.ts";
import type { OverrideSpec } from "../../core/model/override.ts";
import type { PolicyRules } from "../../core/model/policy.ts";
import type { RolloutSpec } from "../../core/model/rollout.ts";
import type { FaultName } from "../faults/fault.ts";
import type { Attack } from "../hostile/attack.ts";
import type { RegionLoss } from "../faults/region-loss.ts";

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

/** Everything a quota says beside its limit. */
export type QuotaSharing = Omit<QuotaSpec, "limit">;

export interface WorldTenant {
  readonly name: string;
  readonly quota: Amounts;
  readonly sharing?: QuotaSharing;
  /** Left on it when it is made; left out: none. */
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
  /** The revision that it begins with. */
  readonly active: string;
}

/** From `atMs` on all replicas together are asked to do so much, in units of the target. */
export interface DemandStep {
  readonly atMs: number;
  readonly load: number;
}

export interface WorldAutoscaler {
  readonly tenant: string;
  readonly name: string;
  readonly spec: AutoscalerSpec;
  /** In the order of their times; before the first there is none. */
  readonly demand: readonly DemandStep[];
  /** Of a hundred samples so many are lost, before the world heals. */
  readonly lostPercent: number;
  /** Samples are at most so old when they are read. */
  readonly lateMs: number;
}

export interface WorldNodePool {
  readonly name: string;
  readonly spec: NodePoolSpec;
  /** A machine is up so long after it was asked for. */
  readonly bootMs: { readonly least: number; readonly most: number };
  /** Before the world heals: of a hundred that are asked for so many are refused, */
  readonly refusedPercent: number;
  /** so many are taken on and never come, */
  readonly lostPercent: number;
  /** and of so many nothing is ever heard. */
  readonly silentPercent: number;
}

/** What a person does during the run. Sent as commands by the `user` component, with retries. */
export type UserAction =
  | { readonly do: "put-workload"; readonly workload: WorldWorkload }
  | {
      readonly do: "scale";
      readonly tenant: string;
      readonly workload: string;
      readonly replicas: number;
    }
  | { readonly do: "delete-workload"; readonly tenant: string; readonly workload: string }
  /** Changes the template so that a new generation begins. */
  | {
      readonly do: "change-template";
      readonly tenant: string;
      readonly workload: string;
      readonly command: readonly string[];
      /** What each replica asks for from then on; left out: what it asked for before. */
      readonly amounts?: Pick<Amounts, "cpuMillis" | "memoryMiB">;
    }
  /** Says how it rolls out from now on: also how it is paused and resumed. */
  | {
      readonly do: "set-rollout";
      readonly tenant: string;
      readonly workload: string;
      readonly rollout: RolloutSpec;
    }
  /** With everything it owns. */
  | { readonly do: "delete-tenant"; readonly tenant: string }
  /** Whoever put finalizers on it takes them off. */
  | { readonly do: "lift-finalizers"; readonly tenant: string }
  /** What is left out beside the limit stays as it is. */
  | {
      readonly do: "set-quota";
      readonly tenant: string;
      readonly limit: Amounts;
      readonly sharing?: QuotaSharing;
    }
  | { readonly do: "put-priority-class"; readonly priorityClass: WorldPriorityClass }
  /** Of one that is there: somebody tries to rewrite it, in vain. */
  | { readonly do: "put-policy-revision"; readonly policyRevision: WorldPolicyRevision }
  /**
   * Moves the pointer. `stale`: who tries it speaks of a revision that is not in force, and is
   * refused.
   */
  | {
      readonly do: "activate";
      readonly policy: string;
      readonly to: string;
      readonly region?: string;
      readonly stale?: true;
    }
  /** In whose name: nobody else extends or releases it, though some try. */
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
  /**
   * In whose name: nobody else extends it, and nobody else withdraws what a person granted, though
   * some try.
   */
  | {
      readonly do: "grant-budget";
      readonly name: string;
      readonly as: string;
      readonly spec: BudgetSpec;
    }
  | {
      readonly do: "extend-budget";
      readonly name: string;
      readonly as: string;
      readonly ttlMs: number;
    }
  /** Also one that the policy granted, by the name it got. */
  | { readonly do: "withdraw-budget"; readonly name: string; readonly as: string }
  | { readonly do: "cordon"; readonly node: string; readonly holder: string }
  /** `as`: who tries it, if not the holder; in vain unless by force. */
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
  /** Its object alone, whatever is bound there; the machine and its agent go on. */
  | { readonly do: "delete-node"; readonly node: string }
  /** Makes the object of a deleted node anew, as it was. */
  | { readonly do: "restore-node"; readonly node: string };

export interface TimelineEntry {
  readonly atMs: number;
  readonly action: UserAction;
}

export interface World {
  readonly name: string;
  readonly regions: readonly { readonly name: string; readonly zones: readonly string[] }[];
  readonly nodes: readonly WorldNode[];
  readonly tenants: readonly WorldTenant[];
  /** Left out: none, and no workload names one. */
  readonly priorityClasses?: readonly WorldPriorityClass[];
  /** Left out: none. They are made in this order, which is what earlier and later mean of them. */
  readonly policyRevisions?: readonly WorldPolicyRevision[];
  /** Left out: none, and what is built in counts. */
  readonly policies?: readonly WorldPolicy[];
  readonly workloads: readonly WorldWorkload[];
  /** Left out: none, and nothing is measured. */
  readonly autoscalers?: readonly WorldAutoscaler[];
  /** Left out: none, and nobody makes machines. */
  readonly nodePools?: readonly WorldNodePool[];
  /** How many `place` components run side by side. */
  readonly schedulers: number;
  /**
   * All controllers around one view, as in a plane's own process, instead of each alone with its
   * own.
   */
  readonly controllersShareView?: boolean;
  /**
   * So many planes run all the time on a log they share: one leads under a lease, the others
   * follow. Left out or 1: one plane, and another that is brought in when there is none.
   */
  readonly planes?: number;
  readonly timeline: readonly TimelineEntry[];
  /** What hostile senders do. Left out: there are none. */
  readonly attacks?: readonly Attack[];
  /**
   * Regions that go dark. Left out: none. Whoever plans a run draws them from its seed; a list of
   * faults has them already.
   */
  readonly losses?: readonly RegionLoss[];
  /**
   * The kinds of fault that the swarm draws over it unless somebody asks for others. Left out: all.
   */
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
