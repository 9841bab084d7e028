/**
 * docs/SPEC.md said a second time, as plainly as possible: for a command, the rules it breaks, and when it
 * breaks none, the state that follows. It shares no line with the authority, so where the two agree on
 * thousands of random commands, both say what the specification says, or both are wrong in the same way.
 */
import type { Command, Intent } from "../../src/core/protocol/command.ts";
import type { RefusalCode } from "../../src/core/protocol/refusals.ts";
import type { Actor } from "../../src/core/model/actor.ts";
import type { Epoch, Revision } from "../../src/core/model/ids.ts";
import { BrokenRules } from "./broken-rules.ts";
import { carryOut } from "./carry-out.ts";
import type { ModelState } from "./model-state.ts";
import { outOfModel } from "./out-of-model.ts";
import { drainOverRules } from "./rules-of-drains.ts";
import { bindAllRules, bindOf, enqueueRules, stepsOf } from "./rules-of-many.ts";
import { leaseRules, moveNodeRules } from "./rules-of-nodes.ts";
import { preemptRules } from "./rules-of-preemption.ts";
import { releaseRules } from "./rules-of-release.ts";
import {
  admitRules,
  bindRules,
  evictRules,
  queueRules,
  reportRules,
  reserveRules,
} from "./rules-of-replicas.ts";
import { deleteRules, putRules } from "./rules-of-desired-state.ts";

export type Prediction =
  | { readonly kind: "committed"; readonly revision: Revision }
  | { readonly kind: "duplicate"; readonly revision: Revision }
  /** Several rules may be broken at once; naming any of them is right. */
  | { readonly kind: "no"; readonly codes: ReadonlySet<RefusalCode> };

/** What the answer will be. Changes nothing. */
export function predict(state: ModelState, { intent, epoch, actor }: Command): Prediction {
  const owner = sharedBy(actor);
  const known = state.effects.find(({ id, whose }) => id === intent.operation && whose === owner);
  if (known !== undefined) {
    if (known.kind === intent.kind) return { kind: "duplicate", revision: known.revision };
    return { kind: "no", codes: new Set(["operation-reused"]) };
  }
  const broken = new BrokenRules();
  broken.add("stale-epoch", epoch !== state.epoch);
  broken.add("not-owner", !maySend(actor, intent));
  addRules(state, intent, actor, broken);
  if (broken.codes.size > 0) return { kind: "no", codes: broken.codes };
  return { kind: "committed", revision: state.revision + 1 };
}

/** Moves the state on by one commit. */
export function commit(state: ModelState, { intent, actor }: Command): void {
  state.revision += 1;
  for (const step of singleSteps(state, intent)) carryOut(state, step, actor.role);
  // Renewals carry their own order and are not remembered (OP3).
  if (intent.kind === "lease") return;
  const { revision } = state;
  const whose = sharedBy(actor);
  state.effects.push({ id: intent.operation, whose, kind: intent.kind, revision });
}

/** Who meets the effect of an operation again: all controllers together, everybody else alone (ID1). */
const sharedBy = ({ role, name }: Actor): string =>
  role === "user" || role === "agent" ? `${role}/${name}` : "controllers";

/** ID3 and ID4. */
function maySend({ role, name }: Actor, intent: Intent): boolean {
  const { kind } = intent;
  if (role === "user") return ["put", "delete", "transition", "activate"].includes(kind);
  if (role !== "agent") return true;
  return (kind === "lease" || kind === "report") && name === `agent:${intent.node}`;
}

/** What many at once come down to. */
function singleSteps(state: ModelState, intent: Intent): readonly Intent[] {
  if (intent.kind === "enqueue") return stepsOf(state, intent);
  return intent.kind === "bind-all" ? intent.bindings.map(bindOf) : [intent];
}

/** A new leadership begins: a commit of its own, on a clock of its own. */
export function lead(
  state: ModelState,
  of: { epoch: Epoch; operation: string; nowMs: number },
): void {
  state.revision += 1;
  state.epoch = of.epoch;
  state.nowMs = of.nowMs;
  state.leadSinceMs = of.nowMs;
  state.effects.push({
    id: of.operation,
    whose: "controllers",
    kind: "lead",
    revision: state.revision,
  });
}

function addRules(state: ModelState, intent: Intent, actor: Actor, broken: BrokenRules): void {
  const { role } = actor;
  switch (intent.kind) {
    case "put":
      return putRules(state, intent, actor, broken);
    case "delete":
      return deleteRules(state, intent, role, broken);
    case "admit":
      return admitRules(state, intent, role, broken);
    case "enqueue":
      return enqueueRules(state, intent, role, broken);
    case "reserve":
      return reserveRules(state, intent, role, broken);
    case "transition":
      if (intent.to === "queued") return queueRules(state, intent, role, broken);
      return moveNodeRules(state, intent, role, broken);
    case "bind":
      return bindRules(state, intent, role, broken);
    case "bind-all":
      return bindAllRules(state, intent, role, broken);
    case "release":
    case "unreserve":
    case "expire":
      return releaseRules(state, intent, role, broken);
    case "evict":
      return evictRules(state, intent, role, broken);
    case "report":
      return reportRules(state, intent, role, broken);
    case "lease":
      return leaseRules(state, intent, role, broken);
    case "preempt":
      return preemptRules(state, intent, role, broken);
    case "drain-over":
      return drainOverRules(state, intent, role, broken);
    default:
      throw outOfModel(intent.kind);
  }
}
