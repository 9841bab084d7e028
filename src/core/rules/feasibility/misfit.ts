/** Why one node cannot take one replica, in the words of the rule that says so. */
import type { RefusalCode } from "../../protocol/refusals.ts";
import type { Fact } from "../../protocol/decision.ts";
import type { ObjectKey } from "../../model/ids.ts";
import type { Ask, Node } from "../../model/objects.ts";
import type { NodeUse } from "../../observe/usage.ts";
import type { Remedy } from "../obstacles/remedy.ts";

export interface Candidate {
  readonly node: Node;
  readonly use: NodeUse;
}

/**
 * Most misfits are counted and thrown away, so the text of the field is made only when somebody
 * reads it.
 */
export interface Misfit {
  readonly code: RefusalCode;
  readonly node: ObjectKey;
  /** What about the node; empty for the node as such. */
  readonly what: string;
  readonly expected: string | number;
  readonly actual: string | number;
}

/** One part of a rule: it is asked of this node and this ask, as if the other parts passed. */
export interface RulePart {
  readonly node?: Node;
  readonly use?: NodeUse;
  readonly ask?: Ask;
  /** The change that lifts this part; left out: no person can make one at once. */
  readonly remedy?: Remedy;
}

/** A rule carries its reason, the facts that may lift it, and the changes that would. */
export interface FeasibilityRule {
  readonly name: string;
  /** The facts after which a node turned away by this rule is worth another look. */
  readonly wakes: readonly Fact[];
  check(candidate: Candidate, ask: Ask): Misfit | undefined;
  /**
   * Its what-if, asked only of nodes that it rejects: every part that no other rule tells of. Left
   * out: no person can lift the rule.
   */
  parts?(candidate: Candidate, ask: Ask): Iterable<RulePart>;
}

/** e.g. "Node//a-1 cpuMillis" */
export const fieldOf = ({ node, what }: Misfit): string => (what === "" ? node : `${node} ${what}`);
