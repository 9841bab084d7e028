/** Why one node cannot take one replica, in the words of the rule that says so. */
import type { RefusalCode } from "../commit/refusals.ts";
import type { Fact } from "../decision.ts";
import type { Ask, Node } from "../model/objects.ts";
import type { NodeUse } from "../observe/usage.ts";

export interface Candidate {
  readonly node: Node;
  readonly use: NodeUse;
}

export interface Misfit {
  readonly code: RefusalCode;
  readonly field: string;
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
