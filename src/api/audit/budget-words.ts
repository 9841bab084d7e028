/** What became of a recovery budget, in words about its actor. */
import type { Change, Commit } from "../../core/protocol/commit-record.ts";
import { isClosed } from "../../core/model/budget.ts";
import type { Budget } from "../../core/model/objects.ts";
import { isMadeAt } from "../../host/past-log.ts";
import { writeAmounts } from "../kinds/text/amounts-text.ts";
import { rfc3339 } from "../rfc3339.ts";
import { shortName } from "./short-name.ts";

/** Undefined when nothing about it is peculiar to budgets. */
export function budgetWords({ key, before, after }: Change, commit: Commit): string | undefined {
  const name = shortName(key);
  // Only the controller that looks after ends releases one; people delete theirs.
  const isEnd = commit.command === "release";
  const ends = isEnd ? `ended budget ${name}: it expired` : `withdrew budget ${name}`;
  if (after === undefined) {
    const isLast = before?.kind === "Budget" && isClosed(before);
    return isLast ? `removed budget ${name}: nothing is spent from it any more` : ends;
  }
  if (after.kind !== "Budget") return undefined;
  if (isMadeAt(after, commit.revision)) return grantWords(after);
  if (before?.kind !== "Budget") return undefined;
  if (isClosed(after) && !isClosed(before)) return ends;
  const { untilMs } = after.status;
  if (before.status.untilMs === untilMs) return undefined;
  return `extended budget ${name} until ${rfc3339(untilMs)}, was ${rfc3339(before.status.untilMs)}`;
}

/** e.g. "granted 8 cpu and 16Gi in eu-west to recoveries until … (budget eu-west-ana): zone c is dark" */
function grantWords({ meta, spec, status }: Budget): string {
  const { cpu, memory } = writeAmounts(spec.amounts);
  const until = rfc3339(status.untilMs);
  return `granted ${cpu} cpu and ${memory} in ${spec.region} to recoveries until ${until} (budget ${meta.name}): ${spec.reason}`;
}
