/** What an override does, in words: how things stand while it holds, and what that means. */
import {
  isEverything,
  meansPlace,
  meansWorkload,
  type OverrideAction,
  targetText,
} from "../../../src/core/model/override.ts";
import type { OverrideSpecText } from "./override-object.ts";

/** e.g. "Zone eu-a is avoided", "Workload payments/api is pinned" */
export function standingWords(of: Pick<OverrideSpecText, "action" | "target" | "amount">): string {
  const what = targetText(of.target ?? {});
  const subject = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  switch (of.action) {
    case "avoid-zone":
    case "avoid-node":
      return `${subject} is avoided`;
    case "pause-expansion":
      return `Expansion of ${what} is paused`;
    case "pause-repair":
      return `Repair of ${what} is paused`;
    case "pin":
      return `${subject} is pinned`;
    case "raise-budget":
      return of.target?.region === undefined
        ? `${subject} may lose ${of.amount ?? 0} more at once`
        : `Recovery budgets of ${what} are raised by ${of.amount ?? 0}%`;
    case "freeze-tenant":
      return `${subject} is frozen`;
    case "cut-off":
      return `${subject} is cut off`;
  }
}

/** As the table in docs/overrides.md has it. */
export const EFFECTS: Readonly<Record<OverrideAction, string>> = {
  "avoid-zone":
    "Nothing new comes there: no bind, no preemption, no room kept for recovery. What is there stays.",
  "avoid-node":
    "Nothing new comes there: no bind, no preemption, no room kept for recovery. What is there stays.",
  "pause-expansion":
    "No slot gets its first life and no rollout moves. What was lost is still replaced.",
  "pause-repair":
    "Nothing is released, replaced or evicted. Nodes are still fenced, and deadlines of drains still told.",
  pin: "Its replicas are not preempted, drained or rolled away.",
  "raise-budget":
    "Of a workload: so many more of its replicas may be out of serving at once. Of a region: so many percent more of each of its recovery budgets may be spent.",
  "freeze-tenant":
    "Nothing of the tenant begins, is placed or moved. What runs stays, what is lost is not replaced.",
  "cut-off":
    "What runs there stays. Only work of low risk is bound there, on a budget from before, and has to be confirmed.",
};

type Targeted = Pick<OverrideSpecText, "action" | "target">;

/** Whether it changes what happens at a place: avoided, or not repaired. What means everything means every place. */
export function concernsPlace(
  { action, target = {} }: Targeted,
  place: { readonly name: string; readonly region: string; readonly zone: string },
): boolean {
  return meansPlace(target, place) || (action === "pause-repair" && isEverything(target));
}

/** Whether it is about places at all, and not about somebody's work. */
export const isOfPlaces = ({ target = {}, action }: Targeted): boolean =>
  target.tenant === undefined && (action !== "pause-expansion" || !isEverything(target));

export const concernsWorkload = (
  { target = {} }: Targeted,
  tenant: string,
  name: string,
): boolean => meansWorkload(target, { namespace: tenant, name });
