/**
 * Budgets and the reserve as the plane shows them, and in words. Pure: commands and the dashboard
 * say the same.
 */
import { listOf, recordOf, textOf } from "./api-object.ts";

export const BUDGETS = "/apis/berth.dev/v1/recoverybudgets";
/** What there is to grant, and who has it (AP212). */
export const RESERVE = "/recovery-reserve";

export const recoveryBudgetPath = (name: string): string =>
  `${BUDGETS}/${encodeURIComponent(name)}`;

export interface ShownAmounts {
  readonly cpu: string;
  readonly memory: string;
  readonly devices: string | number;
}

/** One budget that has a part of the reserve. */
export interface ShownHolding {
  readonly name: string;
  readonly region: string;
  readonly owner: string;
  /** Its grant, or the spent rest of an expired one. */
  readonly holds: ShownAmounts;
  readonly spent: ShownAmounts;
  readonly until: string;
  readonly isOver: boolean;
}

export interface ShownReserve {
  /** Recoveries are budgeted: the policy in force has a reserve. */
  readonly isBudgeted: boolean;
  /** Of the policy in force; left out: it has no name. */
  readonly policyRevision?: string;
  readonly fairnessWindow?: string;
  readonly reserve: ShownAmounts;
  /** By budgets in force as they are raised, and the spent rest of expired ones. */
  readonly granted: ShownAmounts;
  readonly spent: ShownAmounts;
  readonly free: ShownAmounts;
  /** More is granted than the reserve has, since it was made smaller. */
  readonly isExceeded: boolean;
  readonly budgets: readonly ShownHolding[];
}

/** e.g. "8 cpu, 16Gi memory", with devices where there are any */
export function amountsText(of: Partial<ShownAmounts>): string {
  const { cpu = "0", memory = "0", devices = 0 } = of;
  const more = String(devices) === "0" ? "" : `, ${devices} devices`;
  return `${cpu} cpu, ${memory} memory${more}`;
}

export const amountsIn = (value: unknown): ShownAmounts => {
  const { cpu, memory, devices } = recordOf(value);
  return { cpu: textOf(cpu) || "0", memory: textOf(memory) || "0", devices: textOf(devices) || 0 };
};

/** To the second: an exception is not planned more exactly. */
export const untilText = (until: string): string => until.replace(/\.\d+Z$/, "Z");

/** e.g. "tenants payments, class critical", "all tenants" */
export function forText(spec: unknown): string {
  const { tenants, classes } = recordOf(spec);
  const parts = [
    ...namedText("tenant", "tenants", tenants),
    ...namedText("class", "classes", classes),
  ];
  return parts.join(", ") || "everybody";
}

function namedText(one: string, many: string, names: unknown): readonly string[] {
  const list = listOf(names).map(textOf);
  return list.length === 0 ? [] : [`${list.length === 1 ? one : many} ${list.join(", ")}`];
}

/** What there is, in a sentence. */
export function reserveText(of: ShownReserve): string {
  if (!of.isBudgeted) return NO_RESERVE;
  const { reserve, granted, spent, free, policyRevision } = of;
  const whose = policyRevision === undefined ? "" : ` (policy revision ${policyRevision})`;
  const left = of.isExceeded
    ? "more is granted than that, so nothing can be granted until it fits again"
    : `${amountsText(free)} free`;
  return `Budget ceiling of ${amountsText(reserve)}${whose}: ${amountsText(granted)} granted, of which ${amountsText(spent)} spent; ${left}.`;
}

export const NO_RESERVE =
  "Recoveries are not budgeted: the policy in force has no reserve. A revision of default with `recovery.reserve` that is activated gives one.";

/** Who has how much of it, for somebody who was told that there is too little. */
export function holdersText({ budgets }: ShownReserve): string {
  if (budgets.length === 0) return "no budget holds any of it";
  return budgets
    .map(({ name, holds, owner, until, isOver }) => {
      const how = isOver ? "still spent, though it is over" : `until ${untilText(until)}`;
      return `${name} of ${owner} holds ${amountsText(holds)} (${how})`;
    })
    .join("; ");
}
