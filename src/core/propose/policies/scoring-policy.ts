/**
 * How much a policy would like an ask on a node that has room for it. One policy a file; a `Policy`
 * object names the one in force. Scores are integers, because sums of fractions depend on their
 * order.
 */
import type { AskShape, Fleet } from "../fleet/fleet.ts";

export interface ScoringPolicy {
  readonly name: string;
  /** Grows when scores that were given before would come out differently now. */
  readonly version: number;
  /** Told once of every ask that arrives, whether or not it finds a place. */
  arrived(shape: AskShape): void;
  /** More is better. Only asked of rows that have room. */
  score(fleet: Fleet, row: number, shape: AskShape): number;
  /** Which units of the row to take, by index into the fleet's units. */
  units(fleet: Fleet, row: number, shape: AskShape): readonly number[];
}
