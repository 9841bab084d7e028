/**
 * How often a property is tried, and with which seed: a fixed one, so a red run is red for everyone, unless
 * `BERTH_PROPERTY_SEED` names another (`test/builders/property-seed.ts`). More runs go further.
 */
import * as fc from "fast-check";
import { moves, openings } from "./commands.ts";
import type { Walk } from "./side-by-side.ts";
import { SMALL, type Universe } from "./desired-states.ts";
import { EVERYDAY } from "./weights.ts";

const GATE_SEED = 20_261_115;

const factor = Math.max(1, Number(process.env["BERTH_PROPERTY_RUNS"] ?? 1));

export const runs = (numRuns: number): fc.Parameters<unknown> => ({
  seed: Number(process.env["BERTH_PROPERTY_SEED"] ?? GATE_SEED),
  numRuns: Math.round(numRuns * factor),
});

/** There to end a hang, never to measure speed: a busy machine may be ten times slower than an idle one. */
export const TIME_LIMIT_MS = 600_000 * factor;

export function walks(of: {
  readonly most: number;
  readonly universe?: Universe;
  readonly weights?: Parameters<typeof moves>[0];
}): fc.Arbitrary<Walk> {
  return fc.record({
    universe: fc.constant(of.universe ?? SMALL),
    opening: openings(),
    moves: moves(of.weights ?? EVERYDAY, of.most),
  });
}
