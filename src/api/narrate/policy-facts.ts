/** What became of a policy: that its pointer has moved, from where to where, by whom and why. */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Policy } from "../../core/model/objects.ts";
import { type Fact, normal, warning } from "./fact.ts";

export function policyFacts(
  before: Policy | undefined,
  { meta, status }: Policy,
  { command }: Commit,
): readonly Fact[] {
  const move = status.history?.at(-1);
  const was = before?.status.history?.at(-1);
  // A move is told apart by its time and its end: the history is cut at its oldest, so its length
  // tells nothing.
  if (move === undefined || (was?.atMs === move.atMs && was.to === move.to)) return [];
  const { by, region, from, to, reason, rollback, budgetsKept } = move;
  const where = region === undefined ? "everywhere" : `in ${region}`;
  const why = reason === "" ? "" : `: ${reason}`;
  const old = from || "no revision";
  const rest = `${region === undefined ? "" : ` ${where}`}, was ${old}${why}`;
  // A policy that is made with a history was put, not activated.
  const did = (words: string) => (command === "activate" ? `${words} ${to}${rest}` : undefined);
  if (rollback === undefined) {
    const message = `${by} activated ${to} ${where}, was ${old}${why || "."}`;
    return [normal("PolicyActivated", message, did(`activated policy ${meta.name} revision`))];
  }
  const budgets = budgetsKept === undefined ? "" : `, budgets: preserve ${budgetsKept}`;
  const plan = `bindings: ${rollback.bindings}, reservations: ${rollback.reservations}${budgets}`;
  const message = `${by} rolled back from ${from} to ${to} ${where} (${plan})${why || "."}`;
  const back = did(`rolled policy ${meta.name} back to revision`);
  return [warning("PolicyRolledBack", message, back)];
}
