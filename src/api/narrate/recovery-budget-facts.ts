/**
 * What became of a recovery budget: that it was granted, that its end was moved, and that it ended.
 */
import type { Change, Commit } from "../../core/protocol/commit-record.ts";
import { isClosed } from "../../core/model/recovery-budget.ts";
import type { RecoveryBudget } from "../../core/model/objects.ts";
import { writeAmounts } from "../kinds/text/amounts-text.ts";
import { rfc3339 } from "../rfc3339.ts";
import { type Fact, normal } from "./fact.ts";
import { shortName } from "./short-name.ts";

export function recoveryBudgetFacts(
  before: RecoveryBudget | undefined,
  after: RecoveryBudget,
  commit: Commit,
): readonly Fact[] {
  const { meta, spec, status } = after;
  const until = rfc3339(status.untilMs);
  if (before === undefined) {
    const { cpu, memory } = writeAmounts(spec.amounts);
    const what = `${cpu} cpu and ${memory} in ${spec.region}`;
    const { grant } = status;
    const whose = grant === undefined ? status.owner : `policy revision ${grant.policyRevision}`;
    const message = `${what} by ${whose} until ${until}: ${spec.reason}`;
    const did = `granted ${what} to recoveries until ${until} (recovery budget ${meta.name}): ${spec.reason}`;
    return [normal("BudgetGranted", message, did)];
  }
  if (isClosed(after) && !isClosed(before)) {
    const isEarly = (meta.deletingMs ?? 0) < status.untilMs;
    return [ended(meta.name, commit, { isEarly, rest: BOUND_STAYS })];
  }
  if (before.status.untilMs === status.untilMs) return [];
  const was = rfc3339(before.status.untilMs);
  const message = `${status.owner} moved its end from ${was} to ${until}.`;
  const did = `extended recovery budget ${meta.name} until ${until}, was ${was}`;
  return [normal("BudgetExtended", message, did)];
}

/** One of which nothing was spent goes at once, another when the last binding on it has ended. */
export function recoveryBudgetEnd(
  { key, before }: Change & { readonly before: RecoveryBudget | undefined },
  commit: Commit,
): Fact {
  const name = shortName(key);
  if (before !== undefined && isClosed(before)) {
    const message = "Its last binding has ended; the full amount is back in the recovery reserve.";
    const did = `removed recovery budget ${name}: nothing is spent from it any more`;
    return normal("BudgetSettled", message, did);
  }
  const isEarly = commit.command !== "expire" && commit.atMs < (before?.status.untilMs ?? 0);
  return ended(name, commit, { isEarly, rest: "nothing was spent from it" });
}

const BOUND_STAYS = "its bindings stay, and it covers no new ones";

/** Only the controller that looks after ends expires one; people delete theirs, early or late. */
function ended(
  name: string,
  { command, actor }: Commit,
  { isEarly, rest }: { readonly isEarly: boolean; readonly rest: string },
): Fact {
  const isExpired = command === "expire";
  const did = isExpired
    ? `ended recovery budget ${name}: it expired`
    : `withdrew recovery budget ${name}`;
  return isEarly
    ? normal("BudgetWithdrawn", `${actor.name} withdrew it; ${rest}.`, did)
    : normal("BudgetOver", `It expired; ${rest}.`, did);
}
