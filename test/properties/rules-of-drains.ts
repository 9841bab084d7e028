/** Whose holds on a node are, and the deadlines of drains (MT1 to MT5, PE4), restated from docs/SPEC.md. */
import { isDeepStrictEqual } from "node:util";
import type { IntentOf } from "../../src/core/protocol/command.ts";
import type { Role } from "../../src/core/model/actor.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import { nodeKey } from "../../src/core/model/ids.ts";
import type { DrainTerms } from "../../src/core/model/node/drain.ts";
import type { NodeSpec } from "../../src/core/model/objects.ts";
import type { BrokenRules } from "./broken-rules.ts";
import {
  find,
  isOnANode,
  type ModelState,
  type NodeThing,
  type ReplicaThing,
} from "./model-state.ts";
import { budgetRules, oneByOneRules } from "./rules-of-preemption.ts";

/** Written out, not imported: a day. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

/** Of a node that is not drained the terms mean nothing. */
export const termsOf = ({ draining, drain }: NodeSpec): DrainTerms | undefined =>
  draining ? drain : undefined;

/** MT1: is something of another's made, changed or lifted? A drain that names nobody is anybody's. */
export function changesAnothers(before: NodeSpec, after: NodeSpec, name: string): boolean {
  const others = ({ cordons }: NodeSpec) => cordons.filter(({ holder }) => holder !== name);
  const terms = [termsOf(before), termsOf(after)];
  const isOthers = terms.some((each) => each !== undefined && each.holder !== name);
  const isOtherDrain = isOthers && !isDeepStrictEqual(terms[0], terms[1]);
  return isOtherDrain || !isDeepStrictEqual(others(before), others(after));
}

/** MT5. */
export function isMalformedDrain({ drain }: NodeSpec): boolean {
  if (drain === undefined) return false;
  const { holder, deadlineMs } = drain;
  const isTime = deadlineMs === undefined || (Number.isInteger(deadlineMs) && deadlineMs >= 1);
  return holder === "" || !isTime || (deadlineMs ?? 0) > LONGEST_MS;
}

/** MT3: counted from when the drain began on the terms it has. */
export function drainAfter(
  state: ModelState,
  before: NodeThing | undefined,
  of: { readonly spec: NodeSpec; readonly generation: number },
): NodeThing["drain"] {
  const terms = termsOf(of.spec);
  if (terms?.deadlineMs === undefined) return undefined;
  const goesOn = before !== undefined && isDeepStrictEqual(termsOf(before.spec), terms);
  if (goesOn) return before.drain;
  return { generation: of.generation, sinceMs: state.nowMs, epoch: state.epoch };
}

export function drainOverRules(
  state: ModelState,
  intent: IntentOf<"drain-over">,
  role: Role,
  broken: BrokenRules,
): void {
  const node = find(state, "Node", nodeKey(intent.node));
  broken.owners(["drain-node"], role);
  broken.add("no-such-object", node === undefined);
  if (node === undefined) return;
  const { drain, spec } = node;
  broken.add("drain-not-over", drain === undefined);
  if (drain === undefined) return;
  broken.add("generation-changed", drain.generation !== intent.generation);
  broken.add("wrong-stage", drain.overMs !== undefined);
  const sinceMs = drain.epoch === state.epoch ? drain.sinceMs : state.leadSinceMs;
  broken.add("drain-not-over", state.nowMs - sinceMs < spec.drain!.deadlineMs!);
}

/** MT4: a drain asks whom workloads can spare, and one that is over asks nobody, or all who remain. */
export function drainedRules(
  state: ModelState,
  replica: ReplicaThing,
  evidence: Extract<Evidence, { kind: "drain" | "drain-forced" }>,
  broken: BrokenRules,
): void {
  const node = find(state, "Node", nodeKey(evidence.node));
  const isThere = isOnANode(replica) && replica.node === evidence.node;
  broken.add("evidence-wrong", !isThere || node?.spec.draining !== true);
  const isOver = node?.drain?.overMs !== undefined;
  const isForced = node?.spec.drain?.atDeadline === "force";
  if (evidence.kind === "drain-forced") {
    broken.add("evidence-wrong", !isForced);
    broken.add("drain-not-over", !isOver);
    return;
  }
  broken.add("evidence-wrong", isOver && !isForced);
  budgetRules(state, [replica], broken);
  oneByOneRules(state, replica, broken);
}
