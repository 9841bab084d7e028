/** Why a replica is not on a node, and what would give it a place, as `GET /explain` answers it. */
import { whatIf, whyNot } from "../../core/explain/what-if.ts";
import type { Replica } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { ShownWhatIf, ShownWhyNot } from "./explanation.ts";
import { obstacleText, remedyText } from "./remedy-text.ts";

/** Known to the schedulers alone, and only for a while. */
const NOT_JUDGED = [
  "nodes that a scheduler avoids for a moment, because they rejected the replica lately or are reserved for another",
  "other replicas that would take the room first",
];
const GANG = "its gang as a whole: this is about one member alone";

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
      says: obstacleText(each),
      ...(each.remedy === undefined ? {} : { remedy: remedyText(each.remedy) }),
    })),
    notChecked: notChecked(objects, replica),
  };
}

export function answerWhatIf(objects: ObjectIndex, replica: Replica): ShownWhatIf {
  const { stage } = replica.status;
  if (stage !== "admitted" && stage !== "queued") {
    const says = `It does not wait for a node: it is ${stage}.`;
    return { says, suggestions: [], beyondHelp: {}, notChecked: [] };
  }
  const { suggestions, fitsNow, nodes, nodesLookedAt, beyondHelp } = whatIf(objects, replica);
  const bound =
    nodesLookedAt < nodes ? ` Only ${nodesLookedAt} of ${nodes} nodes were checked.` : "";
  const says =
    fitsNow !== undefined
      ? `It fits on ${fitsNow} now and waits for its turn.`
      : suggestions.length === 0
        ? "None of the changes tried would let it fit."
        : "Any one of these changes lets it fit; each was checked with the placement rules.";
  return {
    says: `${says}${bound}`,
    suggestions: suggestions.map(({ remedies, node, opens }) => ({
      changes: remedies.map((remedy) => ({ ...remedy, says: remedyText(remedy) })),
      node,
      opens,
    })),
    beyondHelp,
    notChecked: notChecked(objects, replica),
  };
}

function notChecked(objects: ObjectIndex, { meta, spec }: Replica): readonly string[] {
  const workload = objects.get(`Workload/${meta.namespace}/${spec.workload}` as Replica["key"]);
  const isGang = workload?.kind === "Workload" && workload.spec.gang !== undefined;
  return isGang ? [...NOT_JUDGED, GANG] : NOT_JUDGED;
}
