/**
 * Finds the set of `k` places whose loss leaves most missing: greedily first, then through all sets
 * by branch and bound. Sets that cannot be worse are left out, and sets that are like one that was
 * tried. Beyond a limit it says that it stopped.
 */
import type { LossPlanner } from "../../core/explain/plan-loss.ts";
import { alikePlaces } from "./alike-places.ts";
import { atMost, boundOfSets, type SetBound } from "./bound-of-sets.ts";
import type { CapacityQuestion, Place } from "./capacity-question.ts";
import { type Outcome, outcomeOf } from "./outcome-of-loss.ts";

/** A set takes some milliseconds on a thousand nodes: so many take seconds, or a minute. */
export const SETS_MOST = 2_000;

/** Sets of whole zones take longer: no more replicas than this are searched a place in all. */
const MOVES_MOST = 100_000;

/** The greedy search tries so many places for each member of the set, those that may add most. */
const GREEDY_WIDTH = 16;

export interface FoundSets {
  /** One for each set that was tried. */
  readonly outcomes: readonly Outcome[];
  readonly isProved: boolean;
}

export function searchSets(
  planner: LossPlanner,
  places: readonly Place[],
  question: CapacityQuestion,
  onTried: (tried: number, most: number) => void = () => undefined,
): FoundSets {
  const search = new SetSearch(planner, places, question, onTried);
  return search.run();
}

/** Places by their order, each of them by its number in it. */
interface Branch {
  readonly chosen: readonly number[];
  readonly from: number;
  readonly sum: number;
  /** Groups of which one was left out before. */
  readonly leftOut: ReadonlySet<number>;
}

class SetSearch {
  private readonly planner: LossPlanner;
  private readonly question: CapacityQuestion;
  private readonly places: readonly Place[];
  private readonly k: number;
  private readonly most: number;
  private readonly bound: SetBound;
  /** Of the places in their order: what each may add, and which are alike. */
  private readonly values: readonly number[];
  private readonly groups: readonly number[];
  private readonly onTried: (tried: number, most: number) => void;
  private readonly tried = new Map<string, Outcome>();
  private worst = 0;
  private moves = 0;
  private isCut = false;

  constructor(
    planner: LossPlanner,
    places: readonly Place[],
    question: CapacityQuestion,
    onTried: (tried: number, most: number) => void,
  ) {
    this.planner = planner;
    this.question = question;
    this.k = Math.min(question.anyOf ?? 1, places.length);
    this.most = question.setsMost ?? SETS_MOST;
    this.onTried = onTried;
    this.bound = boundOfSets(planner, places, question);
    const moving = places.map(({ nodes }) =>
      nodes.reduce((sum, node) => sum + planner.movingFrom(node).length, 0),
    );
    const { values } = this.bound;
    const order = [...places.keys()].toSorted(
      (a, b) => (values[b] ?? 0) - (values[a] ?? 0) || (moving[b] ?? 0) - (moving[a] ?? 0) || a - b,
    );
    const groups = alikePlaces(planner.objects, places);
    this.places = order.map((at) => places[at] as Place);
    this.values = order.map((at) => values[at] ?? 0);
    this.groups = order.map((at) => groups[at] ?? 0);
  }

  run(): FoundSets {
    this.greedy();
    this.branch({ chosen: [], from: 0, sum: 0, leftOut: new Set() });
    return { outcomes: [...this.tried.values()], isProved: !this.isCut };
  }

  /** One place after the other, each time the one that leaves most missing. */
  private greedy(): void {
    let chosen: readonly number[] = [];
    for (let size = 1; size <= this.k; size += 1) {
      let best: { readonly at: number; readonly missing: number } | undefined;
      const seen = new Set<number>();
      for (let at = 0; at < this.places.length && seen.size < GREEDY_WIDTH; at += 1) {
        const group = this.groups[at] ?? 0;
        if (chosen.includes(at) || seen.has(group)) continue;
        seen.add(group);
        const { missing } = this.outcome([...chosen, at]);
        if (best === undefined || missing > best.missing) best = { at, missing };
      }
      if (best === undefined) return;
      chosen = [...chosen, best.at].toSorted((a, b) => a - b);
    }
  }

  private branch({ chosen, from, sum, leftOut }: Branch): void {
    const left = this.k - chosen.length;
    if (left === 0) {
      this.outcome(chosen);
      return;
    }
    const passed = new Set(leftOut);
    for (let at = from; at + left <= this.places.length && !this.isCut; at += 1) {
      // Values fall from here on: no later set can be worse either.
      if (atMost(this.bound, sum + this.sumOf(at, left)) <= this.worst) return;
      const group = this.groups[at] ?? 0;
      // Once one of a group is left out, the others of it would only stand for it.
      if (passed.has(group)) continue;
      this.branch({
        chosen: [...chosen, at],
        from: at + 1,
        sum: sum + (this.values[at] ?? 0),
        leftOut: passed,
      });
      passed.add(group);
    }
  }

  private sumOf(from: number, count: number): number {
    let sum = 0;
    for (let at = from; at < from + count; at += 1) sum += this.values[at] ?? 0;
    return sum;
  }

  /** Of a set that is not complete only the greedy search asks; it is no set that was tried. */
  private outcome(chosen: readonly number[]): Outcome {
    const name = chosen.join(" ");
    const known = this.tried.get(name);
    if (known !== undefined) return known;
    const isWhole = chosen.length === this.k;
    if (isWhole && (this.tried.size >= this.most || this.moves >= MOVES_MOST)) {
      this.isCut = true;
      return NOTHING_MISSING;
    }
    const places = chosen.map((at) => this.places[at] as Place);
    const outcome = outcomeOf(this.planner, places, this.question);
    this.moves += outcome.plan.lost;
    if (!isWhole) return outcome;
    this.tried.set(name, outcome);
    this.worst = Math.max(this.worst, outcome.missing);
    this.onTried(this.tried.size, this.most);
    return outcome;
  }
}

const NOTHING_MISSING: Outcome = {
  places: [],
  plan: {
    lost: 0,
    preempted: 0,
    placed: 0,
    placedOf: new Map(),
    homeless: [],
    added: new Map(),
  },
  wanted: 0,
  missing: 0,
};
