/**
 * What a simulated run is about: the places, the tenants, what they ask for, and what people do when.
 * Worlds come from YAML (`world-file.ts`) or are drawn by the swarm (`swarm.ts`).
 */
import type { Amounts } from "../core/model/amounts.ts";
import type { DrainTerms } from "../core/model/drain.ts";
import type {
  Labels,
  NodeSpec,
  PriorityClassSpec,
  QuotaSpec,
  WorkloadSpec,
} from "../core/model/objects.ts";
import type { RolloutSpec } from "../core/model/rollout.ts";

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
  readonly workloads: readonly WorldWorkload[];
  /** How many `place` components run side by side. */
  readonly schedulers: number;
  /** All controllers around one view, as in a plane's own process, instead of each alone with its own. */
  readonly controllersShareView?: boolean;
  /**
   * So many planes run all the time on a log they share: one leads under a lease, the others follow. Left out or 1: one
   * plane, and another that is brought in when there is none.
   */
  readonly planes?: number;
  readonly timeline: readonly TimelineEntry[];
  /** Faults happen before this time; then everything heals. */
  readonly faultsUntilMs: number;
  /** After healing, progress is demanded within this time. */
  readonly healMs: number;
  /** How long a process needs from start to its first good probe. */
  readonly startUpMs: number;
  /** How long a batch process runs. */
  readonly batchRunMs: number;
}
