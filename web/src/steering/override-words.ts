/** What an override does, in words: how things stand while it holds, and what that means. */
import { countText } from "../../../src/core/model/text/count-text.ts";
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
        ? `${subject} may have ${countText(of.amount ?? 0, "more unavailable replica")}`
        : `Recovery budgets of ${what} are raised by ${of.amount ?? 0}%`;
    case "freeze-tenant":
      return `${subject} is frozen`;
    case "mark-partitioned":
      return `${subject} is partitioned`;
  }
}

/** As the table in docs/overrides.md has it. */
export const EFFECTS: Readonly<Record<OverrideAction, string>> = {
  "avoid-zone":
    "No new work is placed there: no bind, no preemption, no recovery reserve. Running replicas stay.",
  "avoid-node":
    "No new work is placed there: no bind, no preemption, no recovery reserve. Running replicas stay.",
  "pause-expansion":
    "No new replicas start and no rollout proceeds. Lost replicas are still replaced.",
  "pause-repair":
    "No replica is released, replaced or evicted. Nodes are still fenced, and passed drain deadlines still reported.",
  pin: "Its replicas are not preempted, drained or replaced by a rollout.",
  "raise-budget":
    "For a workload: raises its disruption budget by a number of replicas. For a region: raises each recovery budget by a percentage.",
  "freeze-tenant":
    "No replica of the tenant is started, placed or moved. Running replicas stay; lost ones are not replaced.",
  "mark-partitioned":
    "Running replicas stay. Only low-risk work is bound there, on an earlier budget, and it must be confirmed later.",
};

type Targeted = Pick<OverrideSpecText, "action" | "target">;

/**
 * Whether it changes what happens at a place: avoided, or not repaired. What means everything means
 * every place.
 */
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

/** Long enough to extend it. */
const ENDING_MS = 15 * 60_000;

/** Its time is nearly over: what it holds back comes back then. */
export const isAboutToEnd = ({ until }: { readonly until: string }, nowMs: number): boolean =>
  Date.parse(until) - nowMs < ENDING_MS;
