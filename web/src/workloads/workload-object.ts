/** A workload as the API shows it, as far as this page reads it. */
import type { LiveObject } from "../live/object-message.ts";

export interface PastTemplate {
  readonly generation: number;
  readonly since: string;
  readonly served: boolean;
  /** Why its rollout failed, if it did. */
  readonly failed?: string;
  readonly template: Readonly<Record<string, unknown>>;
}

export interface ShownGeneration {
  readonly generation: number;
  readonly wanted: number;
  readonly served: boolean;
  readonly stages: Readonly<Record<string, number>>;
}

export interface ShownCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}

export interface RolloutStep {
  readonly replicas: number;
  readonly pause?: string;
}

export interface WorkloadObject extends LiveObject {
  readonly spec: Readonly<Record<string, unknown>> & {
    readonly replicas?: number;
    readonly rollout?: {
      readonly deadline?: string;
      readonly onFailure?: string;
      readonly paused?: boolean;
      readonly steps?: readonly RolloutStep[];
    };
    readonly recovery?: { readonly in?: readonly string[] };
  };
  readonly status?: {
    readonly templateGeneration?: number;
    /** Only of what rolls out. */
    readonly generations?: readonly ShownGeneration[];
    readonly rollout?: { readonly maxSurge?: number; readonly maxUnavailable?: number };
    readonly history?: readonly PastTemplate[];
    readonly recovery?: {
      readonly rooms?: readonly string[];
      readonly budgets?: readonly string[];
      /** Set where recoveries are budgeted. */
      readonly current?: { readonly goesFirst?: boolean };
    };
    readonly conditions?: readonly ShownCondition[];
  };
}
