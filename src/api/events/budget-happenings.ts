/** What a commit says of a recovery budget: that it was granted, that its end was moved, and that it ended. */
import type { Commit } from "../../core/protocol/commit-record.ts";
import { isClosed } from "../../core/model/budget.ts";
import type { Budget } from "../../core/model/objects.ts";
import { writeAmounts } from "../kinds/text/amounts-text.ts";
import { rfc3339 } from "../rfc3339.ts";
import { aboutObject, type Happening } from "./happening.ts";

type Told = Pick<Happening, "type" | "reason" | "message">;

export function budgetHappenings(
  before: Budget | undefined,
  after: Budget,
  by: string,
): readonly Told[] {
  const { spec, status } = after;
  const until = rfc3339(status.untilMs);
  if (before === undefined) {
    const { cpu, memory } = writeAmounts(spec.amounts);
    const { grant } = status;
    const whose = grant === undefined ? status.owner : `policy revision ${grant.policyRevision}`;
    const message = `${cpu} cpu and ${memory} in ${spec.region} by ${whose} until ${until}: ${spec.reason}`;
    return [{ type: "Normal", reason: "BudgetGranted", message }];
  }
  if (isClosed(after) && !isClosed(before)) {
    return [ended(after, by, "its bindings stay, and it covers no new ones")];
  }
  if (before.status.untilMs === status.untilMs) return [];
  const message = `${status.owner} moved its end from ${rfc3339(before.status.untilMs)} to ${until}.`;
  return [{ type: "Normal", reason: "BudgetExtended", message }];
}

function ended({ meta, status }: Budget, by: string, rest: string): Told {
  const isEarly = meta.deletingMs !== undefined && meta.deletingMs < status.untilMs;
  const how = isEarly ? `${by} withdrew it` : "It expired";
  const reason = isEarly ? "BudgetWithdrawn" : "BudgetOver";
  return { type: "Normal", reason, message: `${how}; ${rest}.` };
}

/** Commands by which one can go; all others are not looked into. */
const ENDS: ReadonlySet<Commit["command"]> = new Set(["release", "delete", "put"]);

/** Of those that went: one of which nothing was spent goes at once, another when the last binding on it has ended. */
export function budgetEnds({ command, changes, actor, atMs }: Commit): readonly Happening[] {
  if (!ENDS.has(command)) return [];
  return changes.flatMap(({ before, after }) => {
    if (before?.kind !== "Budget" || after !== undefined) return [];
    const deletingMs = command === "release" ? before.status.untilMs : atMs;
    const told = isClosed(before)
      ? GONE
      : ended(
          { ...before, meta: { ...before.meta, deletingMs } },
          actor.name,
          "nothing was spent from it",
        );
    return [{ ...told, about: aboutObject(before), atMs, source: actor.name }];
  });
}

const GONE: Told = {
  type: "Normal",
  reason: "BudgetSettled",
  message: "Its last binding has ended; the full amount is back in the recovery reserve.",
};
