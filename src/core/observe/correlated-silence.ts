/** When many nodes of a region fall silent together, the blind eye may be ours. One judgement for all. */
import { CORRELATED_MIN_NODES, CORRELATED_PERCENT } from "../model/timing.ts";

export interface RegionSilence {
  readonly silent: number;
  /** Nodes that were ever heard of and are not fenced. */
  readonly watched: number;
}

export const isCorrelated = ({ silent, watched }: RegionSilence): boolean =>
  silent >= CORRELATED_MIN_NODES && silent * 100 >= watched * CORRELATED_PERCENT;
