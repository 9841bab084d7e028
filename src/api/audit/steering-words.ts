/** What people did to steer the plane: overrides that they made, extended and released, and policies that they moved. */
import type { Change, Commit } from "../../core/protocol/commit-record.ts";
import type { AnyObject, Override, Policy } from "../../core/model/objects.ts";
import { type OverrideSpec, raiseText, targetText } from "../../core/model/override.ts";
import type { Activation } from "../../core/model/policy.ts";
import { isMadeAt } from "../../host/past-log.ts";
import { rfc3339 } from "../rfc3339.ts";
import { budgetWords } from "./budget-words.ts";
import { shortName } from "./short-name.ts";

/** Undefined when nothing about it is peculiar to steering. */
export function steeringWords({ key, before, after }: Change, commit: Commit): string | undefined {
  if (key.startsWith("Override/")) {
    return after === undefined
      ? endWords(shortName(key), commit)
      : overrideWords(before, after as Override, commit);
  }
  if (key.startsWith("Budget/")) return budgetWords({ key, before, after }, commit);
  // What a move replaced stands in its own entry: it can be told whether or not the object of before is still known.
  if (after?.kind === "Policy" && commit.command === "activate") return activationWords(after);
  return undefined;
}

/** Only the controller that looks after ends releases one; people delete theirs. */
const endWords = (name: string, { command }: Commit): string =>
  command === "release" ? `override ${name} expired` : `released override ${name}`;

function overrideWords(
  before: AnyObject | undefined,
  after: Override,
  commit: Commit,
): string | undefined {
  const { meta, spec, status } = after;
  const until = rfc3339(status.untilMs);
  if (isMadeAt(after, commit.revision)) {
    return `${actionWords(spec)} until ${until} (override ${meta.name}): ${spec.reason}`;
  }
  if (before?.kind !== "Override" || before.status.untilMs === status.untilMs) return undefined;
  return `extended override ${meta.name} until ${until}, was ${rfc3339(before.status.untilMs)}`;
}

/** e.g. "avoids zone eu-a", "pins workload payments/api" */
function actionWords({ action, target, amount = 0 }: OverrideSpec): string {
  const what = targetText(target);
  switch (action) {
    case "avoid-zone":
    case "avoid-node":
      return `avoids ${what}`;
    case "pause-expansion":
      return `pauses expansion of ${what}`;
    case "pause-repair":
      return `pauses repair of ${what}`;
    case "pin":
      return `pins ${what}`;
    case "raise-budget":
      return `raises the ${target.region === undefined ? "budget" : "recovery budgets"} of ${what}${raiseText({ target, amount })}`;
    case "freeze-tenant":
      return `freezes ${what}`;
    case "cut-off":
      return `marks ${what} as partitioned`;
  }
}

function activationWords({ meta, status }: Policy): string | undefined {
  const move = status.history?.at(-1);
  if (move === undefined) return undefined;
  const why = move.reason === "" ? "" : `: ${move.reason}`;
  return `${moveWords(meta.name, move)}${why}`;
}

function moveWords(policy: string, { region, from, to, rollback }: Activation): string {
  const where = region === undefined ? "" : ` in ${region}`;
  const was = from === "" ? "scoring of its own" : from;
  return rollback === undefined
    ? `activated policy ${policy} revision ${to}${where}, was ${was}`
    : `rolled policy ${policy} back to revision ${to}${where}, was ${was}`;
}
