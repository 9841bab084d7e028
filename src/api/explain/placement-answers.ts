/** Why a replica is not on a node, and what would give it a place, as `GET /explain` answers it. */
import { whatIf, whyNot } from "../../core/explain/what-if.ts";
import type { WhatIf } from "../../core/explain/suggestion.ts";
import { capacity } from "../../core/rules/feasibility/capacity.ts";
import { countText } from "../../core/model/text/count-text.ts";
import type { Replica } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { ShownWhatIf, ShownWhyNot } from "./explanation.ts";
import { obstacleText, remedyText } from "./remedy-text.ts";

/** Known to the schedulers alone, and only for a while. */
const NOT_CHECKED = [
  "nodes that a scheduler avoids for a moment, because they rejected the replica lately or are reserved for another",
  "other replicas that would take the room first",
];
const GANG = "its gang as a whole: this plane is too large to try changes for all members";

export function answerWhyNot(objects: ObjectIndex, replica: Replica, node: string): ShownWhyNot {
  const obstacles = whyNot(objects, replica, node);
  return {
    node,
    isThere: replica.status.node === node,
    obstacles: obstacles.map((each) => ({
      rule: each.rule,
      ...(each.code === undefined ? {} : { code: each.code }),
      what: each.what,
      expected: each.expected,
      actual: each.actual,
      says: `${obstacleText(each)}${each.rule === capacity.name ? takenText(objects, replica, node) : ""}`,
      ...(each.remedy === undefined ? {} : { remedy: remedyText(each.remedy) }),
    })),
    notChecked: NOT_CHECKED,
  };
}

/**
 * Whose the work is that takes the room, of other tenants as a number: every reader of the answer
 * may know that much.
 */
function takenText(objects: ObjectIndex, { key, meta }: Replica, node: string): string {
  let own = 0;
  let others = 0;
  for (const there of objects.replicasOn(node).values()) {
    if (there.key === key) continue;
    if (there.meta.namespace === meta.namespace) own += 1;
    else others += 1;
  }
  const takers = [
    ...(others === 0 ? [] : [`${countText(others, "replica")} of other tenants`]),
    ...(own === 0 ? [] : [`${countText(own, "replica")} of its own tenant`]),
  ];
  return takers.length === 0 ? "" : `; room taken by ${takers.join(" and ")}`;
}

export function answerWhatIf(objects: ObjectIndex, replica: Replica): ShownWhatIf {
  const { stage } = replica.status;
  if (stage !== "admitted" && stage !== "queued") {
    const says = `It does not wait for a node: it is ${stage}.`;
    return { says, suggestions: [], beyondHelp: {}, notChecked: [] };
  }
  const found = whatIf(objects, replica);
  const { suggestions, nodes, nodesLookedAt, beyondHelp, gang, oneMemberOnly } = found;
  const bound =
    nodesLookedAt < nodes ? ` Only ${nodesLookedAt} of ${nodes} nodes were checked.` : "";
  const room =
    gang === undefined || gang.fitting === gang.members
      ? ""
      : `There is room for ${gang.fitting} of the ${gang.members} members of its gang. `;
  return {
    says: `${room}${answerText(found)}${bound}`,
    suggestions: suggestions.map(({ remedies, node, opens }) => ({
      changes: remedies.map((remedy) => ({ ...remedy, says: remedyText(remedy) })),
      node,
      opens,
    })),
    beyondHelp,
    notChecked: oneMemberOnly === true ? [...NOT_CHECKED, GANG] : NOT_CHECKED,
  };
}

function answerText({ suggestions, fitsNow, gang }: WhatIf): string {
  const it = gang === undefined ? "it" : "the whole gang";
  if (fitsNow !== undefined && gang !== undefined) {
    return `The whole gang fits now, this member on ${fitsNow}, and waits for its turn.`;
  }
  if (fitsNow !== undefined) return `It fits on ${fitsNow} now and waits for its turn.`;
  return suggestions.length === 0
    ? `None of the changes tried would let ${it} fit.`
    : `Any one of these changes lets ${it} fit; each was checked with the placement rules.`;
}
