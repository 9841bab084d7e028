/**
 * Checks promises against a fleet: which objects carry a promise, whether there is room, what the
 * twin shows over seeds, and what all of it comes to. A promise holds only on evidence that shows
 * it; everything else is said to be not shown.
 */
import { promiseText } from "../manifest/promise-text.ts";
import { type Fleet, indexOf } from "../fleet/fleet.ts";
import { countText } from "../core/model/text/count-text.ts";
import type { ObjectIndex } from "../core/observe/object-index.ts";
import type { RunTwin } from "../twin/twin-run.ts";
import { CapacityArguer } from "./capacity/argue-capacity.ts";
import { answersOf } from "./check/answers.ts";
import { argueFor } from "./check/ask-capacity.ts";
import { boundaryOf } from "./check/boundary.ts";
import { type Failures, failuresOf } from "./check/failures.ts";
import { FixSeeker, type SoughtFix } from "./fix/seek-fix.ts";
import { invariantAfter } from "./check/invariant-after.ts";
import { mechanismsOf } from "./check/mechanisms.ts";
import { runSeeds, type SeedRuns, type WorstRun } from "./check/run-seeds.ts";
import { type Claim, staticClaim } from "./check/static-claims.ts";
import { type Evidence, verdictOf } from "./check/verdict-of.ts";
import { kindOf, nameOf, type StatedPromise } from "./promise.ts";
import type { Finding, Review, Simulation, Verdict } from "./review.ts";

export interface ReviewTerms {
  readonly profile: Review["profile"];
  readonly runTwin: RunTwin;
  /** Runs for each promise. */
  readonly seeds: number;
  readonly onlySeed?: number | undefined;
  /** Whether a change is searched for a promise that is breached; left out: none is. */
  readonly searchesFix?: boolean | undefined;
  readonly onProgress?: ((step: ReviewStep) => void) | undefined;
  /** Leaves the worst run of a promise that does not hold in files, and names them. */
  readonly leave?: ((promise: StatedPromise, worst: WorstRun) => LeftFiles) | undefined;
  /** The command that runs one seed of one promise again. */
  readonly replay?: ((promise: StatedPromise, seed: number) => string) | undefined;
}

export type LeftFiles = Pick<NonNullable<Simulation["worst"]>, "scenario" | "incident">;

export interface ReviewStep {
  readonly promise: string;
  readonly done: number;
  readonly of: number;
}

/** Of these the room after a failure, or the objects as they are, say all that is to be said. */
const WITHOUT_RUNS: ReadonlySet<string> = new Set(["headroom", "invariant"]);

/** The forecast of Kubernetes follows the loss of nodes, and no disturbance of a control plane. */
const KUBERNETES_KNOWS: ReadonlySet<string> = new Set(["lose", "return"]);

export class Reviewer {
  readonly objects: ObjectIndex;
  private readonly fleet: Fleet;
  private readonly terms: ReviewTerms;
  private arguer: CapacityArguer | undefined;

  constructor(fleet: Fleet, terms: ReviewTerms) {
    this.fleet = fleet;
    this.terms = terms;
    this.objects = indexOf(fleet);
  }

  review(promise: StatedPromise): Finding {
    const claim = staticClaim(this.objects, promise);
    const evidence = claim === undefined ? this.gather(promise) : ofClaim(claim);
    const { verdict, reason } = verdictOf(promise, evidence);
    const mechanisms = mechanismsOf(this.objects, promise);
    const { capacity, runs } = evidence;
    const isSought = verdict === "breached" && this.terms.searchesFix === true;
    const sought = isSought ? this.fix(promise, evidence) : NO_FIX;
    const { fix } = sought;
    const told = { promise, evidence, mechanisms, profile: this.terms.profile };
    return {
      name: nameOf(promise),
      promise: promiseText(promise.spec, promise.namespace),
      verdict,
      reason,
      mechanisms,
      ...(capacity === undefined ? {} : { capacity }),
      ...(runs === undefined ? {} : { simulation: this.left(promise, verdict, runs) }),
      ...(fix === undefined ? {} : { fix }),
      answers: answersOf(told),
      boundary: [...boundaryOf(told), ...triedText(sought)],
    };
  }

  /** The runs, with the files in which the worst one was left. */
  private left(promise: StatedPromise, verdict: Verdict, runs: SeedRuns): Simulation {
    const { simulation, worst } = runs;
    const { leave } = this.terms;
    if (verdict === "holds" || leave === undefined) return simulation;
    if (worst === undefined || simulation.worst === undefined) return simulation;
    return { ...simulation, worst: { ...simulation.worst, ...leave(promise, worst) } };
  }

  private gather(promise: StatedPromise): Evidence {
    const { objects } = this;
    const failures = failuresOf(objects, promise);
    if (failures.missing !== undefined) {
      const reason = `the fleet has no ${failures.missing}`;
      return { ...ofClaim({ verdict: "not-shown", reason }), failures };
    }
    const asked = argueFor(this.arguing(), objects, promise);
    const kind = kindOf(promise);
    const invariant =
      kind === "invariant" ? invariantAfter(this.arguing(), promise, failures.all) : undefined;
    // Without a node to drain there is no drain that could fail.
    const isIdle = kind === "drains" && failures.all.length === 0;
    const runs = WITHOUT_RUNS.has(kind) || isIdle ? undefined : this.run(promise, failures);
    const capacity = asked?.argument;
    return {
      failures,
      claim: undefined,
      ...(asked === undefined ? {} : { asked }),
      capacity,
      invariant,
      runs,
    };
  }

  private fix(promise: StatedPromise, { asked, runs }: Evidence): SoughtFix {
    const { profile } = this.terms;
    const worstSeed = runs?.worst?.seed;
    const reviewOn = (fleet: Fleet, onlySeed?: number): Finding => {
      const terms = { ...this.terms, searchesFix: false, onlySeed, leave: undefined };
      return new Reviewer(fleet, terms).review(promise);
    };
    const seeker = new FixSeeker({ promise, profile, worstSeed, reviewOn });
    return seeker.seek(this.fleet, this.arguing(), asked);
  }

  /** One copy of the fleet serves all promises. */
  private arguing(): CapacityArguer {
    return (this.arguer ??= new CapacityArguer(this.objects));
  }

  private run(promise: StatedPromise, { all }: Failures): SeedRuns | undefined {
    const { runTwin, seeds, onlySeed, onProgress, replay, profile } = this.terms;
    return runSeeds(promise, all, {
      fleet: this.fleet,
      objects: this.objects,
      runTwin,
      seeds,
      onlySeed,
      knows: profile === "kubernetes" ? KUBERNETES_KNOWS : undefined,
      onProgress: (done, of) => onProgress?.({ promise: nameOf(promise), done, of }),
      replay: replay === undefined ? undefined : (seed) => replay(promise, seed),
    });
  }
}

const NO_FIX: SoughtFix = { fix: undefined, tried: [], pairs: 0 };

function triedText({ tried, fix, pairs }: SoughtFix): readonly string[] {
  const [first] = tried;
  if (first === undefined || fix !== undefined) return [];
  const singles = tried.length - pairs;
  const were = singles === 1 ? "1 change was" : `${singles} changes were`;
  const two = pairs === 0 ? "" : `, and ${countText(pairs, "pair")} of changes`;
  const [any, more] = tried.length === 1 ? ["it", ""] : ["any of them", "the first was to "];
  return [`${were} tried${two}, and the promise does not hold with ${any}: ${more}${first}.`];
}

const ofClaim = (claim: Claim): Evidence => ({
  failures: { all: [], isCut: false },
  claim,
  capacity: undefined,
  invariant: undefined,
  runs: undefined,
});
