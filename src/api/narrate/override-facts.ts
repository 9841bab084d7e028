/**
 * What became of an override: that it holds, that it was extended, and that it ended, and in which
 * state.
 */
import type { Change, Commit } from "../../core/protocol/commit-record.ts";
import type { Override } from "../../core/model/objects.ts";
import { type OverrideSpec, raiseText, targetText } from "../../core/model/override.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { postconditionOf } from "../kinds/status/postcondition.ts";
import { rfc3339 } from "../rfc3339.ts";
import { type Fact, normal, warning } from "./fact.ts";
import { shortName } from "./short-name.ts";

export function overrideFacts(before: Override | undefined, after: Override): readonly Fact[] {
  const { meta, spec, status } = after;
  const until = rfc3339(status.untilMs);
  if (before === undefined) {
    const message = `${spec.action} of ${targetText(spec.target)} by ${status.owner} until ${until}: ${spec.reason}`;
    const did = `${actionWords(spec)} until ${until} (override ${meta.name}): ${spec.reason}`;
    return [normal("Overridden", message, did)];
  }
  if (before.status.untilMs === status.untilMs) return [];
  const was = rfc3339(before.status.untilMs);
  const message = `${status.owner} moved its end from ${was} to ${until}.`;
  const did = `extended override ${meta.name} until ${until}, was ${was}`;
  return [normal("OverrideExtended", message, did)];
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
    case "mark-partitioned":
      return `marks ${what} as partitioned`;
  }
}

/**
 * What it was to leave behind is true or not at this moment, so only `objects` of this moment can
 * tell it.
 */
export function overrideEnd(
  { key, before }: Change & { readonly before: Override | undefined },
  { command, actor }: Commit,
  objects: ObjectIndex | undefined,
): Fact {
  // Only the controller that looks after ends expires one; people delete theirs.
  const isOver = command === "expire";
  const name = shortName(key);
  const did = isOver ? `override ${name} expired` : `released override ${name}`;
  if (before === undefined || objects === undefined) return { did };
  const how = isOver ? "It expired" : `${actor.name} released it`;
  const post = postconditionOf(before, objects);
  const left = post === undefined ? "" : ` ${post.message}`;
  return (post?.status === "False" ? warning : normal)(
    isOver ? "OverrideExpired" : "OverrideReleased",
    `${how}; the work that it held back resumes within seconds.${left}`,
    did,
  );
}
