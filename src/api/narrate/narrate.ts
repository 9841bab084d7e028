/**
 * The narrator of commits: what a commit did to each object, read off the object before and after
 * it. The events of a plane, its audit trail and its timelines are all told from these facts.
 */
import type { Change, Commit } from "../../core/protocol/commit-record.ts";
import { parseKey } from "../../core/model/ids.ts";
import type {
  RecoveryBudget,
  Node,
  Override,
  Policy,
  Replica,
  Reservation,
  Workload,
} from "../../core/model/objects.ts";
import { type AnyBinding, isBinding } from "../../core/observe/fold-access.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { recoveryBudgetEnd, recoveryBudgetFacts } from "./recovery-budget-facts.ts";
import type { Fact } from "./fact.ts";
import { nodeFacts } from "./node-facts.ts";
import { overrideEnd, overrideFacts } from "./override-facts.ts";
import { policyFacts } from "./policy-facts.ts";
import { replicaFacts } from "./replica-facts.ts";
import { bindingEnd, bindingFacts } from "./role-binding-facts.ts";
import { shortName } from "./short-name.ts";
import { workloadFacts } from "./workload-facts.ts";

/**
 * A change without `before` is told as one that made the object. `objects` as they are right after
 * the commit, where they are at hand: only they can say what an override left behind.
 */
export function narrate(change: Change, commit: Commit, objects?: ObjectIndex): readonly Fact[] {
  const { key, before, after } = change;
  const kind = (after ?? before)?.kind ?? parseKey(key).kind;
  if (kind === "Reservation") {
    return [reservationFact(change as Of<Reservation>)];
  }
  if (after === undefined) {
    if (kind === "Override") return [overrideEnd(change as Of<Override>, commit, objects)];
    if (isBinding(before)) return [bindingEnd(before, commit)];
    return kind === "RecoveryBudget"
      ? [recoveryBudgetEnd(change as Of<RecoveryBudget>, commit)]
      : [];
  }
  switch (after.kind) {
    case "Replica":
      return replicaFacts(before as Replica | undefined, after);
    case "Workload":
      return workloadFacts(before as Workload | undefined, after);
    case "Node":
      return nodeFacts(before as Node | undefined, after, commit.actor.name);
    case "Override":
      return overrideFacts(before as Override | undefined, after);
    case "RecoveryBudget":
      return recoveryBudgetFacts(before as RecoveryBudget | undefined, after, commit);
    case "RoleBinding":
    case "ClusterRoleBinding":
      return bindingFacts(before as AnyBinding | undefined, after, commit);
    case "Policy":
      return policyFacts(before as Policy | undefined, after, commit);
    default:
      return [];
  }
}

type Of<Object> = Change & {
  readonly before: Object | undefined;
  readonly after: Object | undefined;
};

function reservationFact({ key, before, after }: Of<Reservation>): Fact {
  const held = after ?? before;
  if (held === undefined) return { did: `gave back reservation ${shortName(key)}` };
  const { spec } = held;
  const what = spec.for === "quota" ? "quota" : `room on ${spec.room.node}`;
  const verb = after === undefined ? "gave back" : before === undefined ? "reserved" : "changed";
  return { did: `${verb} ${what} for ${shortName(spec.owner)}` };
}
