/** Why one node cannot take one replica, in the words of the rule that says so. */
import type { RefusalCode } from "../../protocol/refusals.ts";
import type { Fact } from "../../protocol/decision.ts";
import type { ObjectKey } from "../../model/ids.ts";
import type { Ask, Node } from "../../model/objects.ts";
import type { NodeUse } from "../../observe/usage.ts";

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

/** A rule carries its reason and what may lift it, so that a waiting replica can name both. */
export interface FeasibilityRule {
  readonly name: string;
  /** The facts after which a node turned away by this rule is worth another look. */
  readonly wakes: readonly Fact[];
  check(candidate: Candidate, ask: Ask): Misfit | undefined;
}

/** e.g. "Node//a-1 cpuMillis" */
export const fieldOf = ({ node, what }: Misfit): string => (what === "" ? node : `${node} ${what}`);
