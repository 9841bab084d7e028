/**
 * Reasons to leave a node alone that one scheduler alone knows, and only for a while: no other
 * part can tell whether they hold, so explanations say that they are not checked.
 */
import { NODES_FACT } from "../../observe/facts.ts";
import type { PlacementRule } from "./placement-rule.ts";

/** They pass by themselves, which no fact tells; until then another node may take the replica. */
const passing = <Name extends string>(name: Name): PlacementRule & { readonly name: Name } => ({
  name,
  wakes: () => [NODES_FACT],
  obstacles: () => [],
});

/** The authority refused a bind there for a reason that the view does not show yet. */
export const refusedLately = passing("refused-lately");
/** It is reserved for a workload that waited too long. */
export const keptForAnother = passing("kept-for-another");
/** Its machine could not take a replica of this workload. */
export const rejectedLately = passing("rejected-lately");

export const HELD_BACK_RULES: readonly PlacementRule[] = [
  refusedLately,
  keptForAnother,
  rejectedLately,
];
