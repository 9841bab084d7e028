/** What a commit says of a policy: that its pointer has moved, from where to where, by whom and why. */
import type { Policy } from "../../core/model/objects.ts";
import type { Happening } from "./happening.ts";

type Told = Pick<Happening, "type" | "reason" | "message">;

export function policyHappenings(before: Policy | undefined, after: Policy): readonly Told[] {
  const move = after.status.history?.at(-1);
  const was = before?.status.history?.at(-1);
  // A move is told apart by its time and its end: the history is cut at its oldest, so its length tells nothing.
  if (move === undefined || (was?.atMs === move.atMs && was.to === move.to)) return [];
  const { by, region, from, to, reason, rollback, budgetsKept } = move;
  const where = region === undefined ? "everywhere" : `in ${region}`;
  const why = reason === "" ? "." : `: ${reason}`;
  if (rollback === undefined) {
    const message = `${by} activated ${to} ${where}, was ${from || "no revision"}${why}`;
    return [{ type: "Normal", reason: "PolicyActivated", message }];
  }
  const budgets = budgetsKept === undefined ? "" : `, budgets: preserve ${budgetsKept}`;
  const plan = `bindings: ${rollback.bindings}, reservations: ${rollback.reservations}${budgets}`;
  const message = `${by} rolled back from ${from} to ${to} ${where} (${plan})${why}`;
  return [{ type: "Warning", reason: "PolicyRolledBack", message }];
}
