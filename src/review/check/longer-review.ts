/**
 * Whether a longer review says the same. A promise that holds is reviewed with so many times the
 * runs, and so is the tightest promise of its kind that the shorter review would still say to hold:
 * if the longer one breaks neither, the shorter review was right about the promise and its margin.
 */
import type { Fleet } from "../../fleet/fleet.ts";
import type { RunTwin, TwinRun } from "../../twin/twin-run.ts";
import { nameOf, type StatedPromise } from "../promise.ts";
import type { Review, Verdict } from "../review.ts";
import { Reviewer, type ReviewStep } from "../reviewer.ts";

export interface LongerTerms {
  readonly profile: Review["profile"];
  readonly runTwin: RunTwin;
  readonly seeds: number;
  /** So many times the seeds. */
  readonly times: number;
  readonly onProgress?: ((step: ReviewStep) => void) | undefined;
}

export interface LongerRow {
  readonly name: string;
  /** As it is stated. */
  readonly stated: Compared;
  /** Of the shortest time that the shorter review would show; left out: it is about no time. */
  readonly tightest?: Compared & { readonly withinMs: number };
}

export interface Compared {
  readonly verdict: Verdict;
  /** Left out: the shorter review does not say that it holds. */
  readonly longer?: Verdict;
  readonly worstMs?: number;
  readonly longerMs?: number;
}

export const isBroken = ({ stated, tightest }: LongerRow): boolean =>
  stated.longer === "breached" || tightest?.longer === "breached";

export function reviewLonger(fleet: Fleet, promise: StatedPromise, terms: LongerTerms): LongerRow {
  const reviewers = new Reviewers(fleet, terms);
  const name = nameOf(promise);
  const stated = reviewers.compare(promise);
  const { tightestMs } = reviewers.short(promise).simulation ?? {};
  if (tightestMs === undefined) return { name, stated };
  const tightest = reviewers.compare(promising(promise, tightestMs));
  return { name, stated, tightest: { ...tightest, withinMs: tightestMs } };
}

class Reviewers {
  private readonly shorter: Reviewer;
  private readonly longer: Reviewer;

  constructor(fleet: Fleet, { profile, runTwin, seeds, times, onProgress }: LongerTerms) {
    const kept = remembering(runTwin);
    this.shorter = new Reviewer(fleet, { profile, runTwin: kept, seeds, onProgress });
    this.longer = new Reviewer(fleet, { profile, runTwin: kept, seeds: seeds * times, onProgress });
  }

  short(promise: StatedPromise): ReturnType<Reviewer["review"]> {
    return this.shorter.review(promise);
  }

  compare(promise: StatedPromise): Compared {
    const { verdict, simulation } = this.short(promise);
    const worst = simulation?.worst?.ms;
    const own = { verdict, ...(worst === undefined ? {} : { worstMs: worst }) };
    if (verdict !== "holds") return own;
    const more = this.longer.review(promise);
    const ms = more.simulation?.worst?.ms;
    return { ...own, longer: more.verdict, ...(ms === undefined ? {} : { longerMs: ms }) };
  }
}

/** The runs of the shorter review are among those of the longer one. */
function remembering(runTwin: RunTwin): RunTwin {
  const runs = new Map<string, TwinRun>();
  return (fleet, scenario, seed) => {
    const key = `${seed} ${JSON.stringify(scenario)}`;
    const run = runs.get(key) ?? runTwin(fleet, scenario, seed);
    runs.set(key, run);
    return run;
  };
}

function promising(promise: StatedPromise, withinMs: number): StatedPromise {
  const { recover, wait, fairness, drains, overrideEnds } = promise.spec;
  const spec = {
    ...promise.spec,
    ...(recover && { recover: { ...recover, withinMs } }),
    ...(wait && { wait: { ...wait, withinMs } }),
    ...(fairness && { fairness: { withinMs } }),
    ...(drains && { drains: { withinMs } }),
    ...(overrideEnds && { overrideEnds: { withinMs } }),
  };
  return { ...promise, spec };
}
