/** A recovery budget as the API shows it. */
import { BUDGETS, type ShownAmounts } from "../../../src/steering/shown-recovery-budget.ts";
import { parseCpu, parseDevices, parseMemory } from "../../../src/quantity/quantity.ts";
import type { LiveObject } from "../live/object-message.ts";

export interface RecoveryBudgetObject extends LiveObject {
  readonly spec: {
    readonly region: string;
    readonly cpu: string;
    readonly memory: string;
    readonly devices?: string | number;
    readonly tenants?: readonly string[];
    readonly classes?: readonly string[];
    readonly ttl: string;
    readonly reason: string;
  };
  readonly status: {
    readonly owner: string;
    readonly since: string;
    readonly until: string;
    readonly extensions: number;
    readonly state: string;
    /** The policy's own: by this revision. */
    readonly grantedBy?: { readonly policyRevision: string };
    readonly granted: ShownAmounts;
    /** Left out: no override raises it. */
    readonly raised?: ShownAmounts;
    readonly spent: ShownAmounts;
    readonly left: ShownAmounts;
    readonly replicaCount: number;
    /** The first of them, as tenant/name. */
    readonly replicas: readonly string[];
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason: string;
      readonly message: string;
    }[];
  };
}

export const recoveryBudgetsPath = BUDGETS;

/** The amounts that a bar is drawn of, each with how it is read. */
export const RESOURCES = [
  { name: "CPU", of: ({ cpu }: ShownAmounts) => cpu, read: parseCpu },
  { name: "Memory", of: ({ memory }: ShownAmounts) => memory, read: parseMemory },
  { name: "Devices", of: ({ devices }: ShownAmounts) => String(devices), read: parseDevices },
] as const;

export type Resource = (typeof RESOURCES)[number];

/** In the unit of the resource; 0 for what is no amount. */
export const amountIn = ({ of, read }: Resource, amounts: ShownAmounts): number =>
  read(of(amounts)) ?? 0;
