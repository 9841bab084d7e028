/**
 * Checks one promise of a running plane in two steps: what the objects and the room say, which is
 * quick, and what the twin shows, which costs runs. Both are those of `berth review`.
 */
import { countText } from "../core/model/text/count-text.ts";
import type { Commitment } from "../core/model/objects.ts";
import type { ObjectIndex } from "../core/observe/object-index.ts";
import type { Fleet } from "../fleet/fleet.ts";
import type { CapacityArguer } from "../review/capacity/argue-capacity.ts";
import { askCapacity } from "../review/check/ask-capacity.ts";
import { failuresOf } from "../review/check/failures.ts";
import { staticClaim } from "../review/check/static-claims.ts";
import { verdictOf } from "../review/check/verdict-of.ts";
import { kindOf, promiseOf } from "../review/promise.ts";
import { Reviewer, type ReviewTerms } from "../review/reviewer.ts";
import type { RunTwin } from "../twin/twin-run.ts";
import type { PromiseCheck } from "./promise-standing.ts";

/** Room after a failure, or the objects as they are, say all that is to be said of them. */
const WITHOUT_RUNS: ReadonlySet<string> = new Set(["headroom", "invariant"]);

/** Each failure is run once, and a few of them again. */
const SEEDS_LEAST = 3;
/** Of more failures it says that not all were run. */
export const SEEDS_MOST = 32;

export interface QuickCheck {
  readonly check: PromiseCheck;
  /** Runs of the twin may say more. */
  readonly isOpen: boolean;
}

export function checkQuickly(
  arguer: CapacityArguer,
  fleet: { readonly fleet: Fleet; readonly objects: ObjectIndex },
  commitment: Commitment,
): QuickCheck {
  const { objects } = fleet;
  const promise = promiseOf(commitment);
  const kind = kindOf(promise);
  const claim = staticClaim(objects, promise);
  if (claim === undefined && WITHOUT_RUNS.has(kind)) {
    return {
      check: reviewed(fleet.fleet, commitment, BY_ROOM),
      isOpen: false,
    };
  }
  const failures = claim === undefined ? failuresOf(objects, promise) : { all: [], isCut: false };
  const capacity = claim === undefined ? askCapacity(arguer, objects, promise) : undefined;
  const evidence = { failures, claim, capacity, invariant: undefined, runs: undefined };
  const found = verdictOf(promise, evidence);
  const isOpen = claim === undefined && found.verdict === "holds";
  const room = capacity === undefined ? {} : { capacity };
  return { check: { ...checkOf(commitment), ...found, ...room }, isOpen };
}

export function checkByRuns(
  { fleet, objects }: { readonly fleet: Fleet; readonly objects: ObjectIndex },
  commitment: Commitment,
  runTwin: RunTwin,
): PromiseCheck {
  const { all } = failuresOf(objects, promiseOf(commitment));
  const seeds = Math.min(SEEDS_MOST, Math.max(SEEDS_LEAST, all.length));
  return reviewed(fleet, commitment, { runTwin, seeds });
}

/** The fleet is larger, or its runs are slower, than a plane may spend on them. */
export const tooLarge = (commitment: Commitment, objects: ObjectIndex): PromiseCheck => ({
  ...checkOf(commitment),
  verdict: "not-shown",
  reason: `There is room, and ${countText(objects.all("Replica").size, "replica")} are too many to simulate beside a plane: run berth review.`,
});

function reviewed(
  fleet: Fleet,
  commitment: Commitment,
  terms: Pick<ReviewTerms, "runTwin" | "seeds" | "searchesFix">,
): PromiseCheck {
  const reviewer = new Reviewer(fleet, { profile: "berth", ...terms });
  const { verdict, reason, capacity, fix } = reviewer.review(promiseOf(commitment));
  return {
    ...checkOf(commitment),
    verdict,
    reason,
    ...(capacity === undefined ? {} : { capacity }),
    ...(fix === undefined ? {} : { fix }),
  };
}

const checkOf = ({ key, meta }: Commitment) => ({ key, generation: meta.generation });

/** Its fix is checked without runs, too. */
const BY_ROOM = {
  runTwin: (): never => {
    throw new Error("A promise about room is checked without runs.");
  },
  seeds: 0,
  searchesFix: true,
} as const;
