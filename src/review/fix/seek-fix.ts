/**
 * The smallest change that makes a breached promise hold, applied to the fleet and reviewed again:
 * single changes first, then two together, the second one sought on the fleet with the first.
 */
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { type Fleet, indexOf } from "../../fleet/fleet.ts";
import { CapacityArguer } from "../capacity/argue-capacity.ts";
import { argueFor, type AskedCapacity } from "../check/ask-capacity.ts";
import { termFixes, withObjects } from "../check/fix-terms.ts";
import type { StatedPromise } from "../promise.ts";
import type { Finding, Fix, Review } from "../review.ts";
import type { Change } from "./candidate.ts";
import { findFix } from "./find-fix.ts";

export interface SoughtFix {
  readonly fix: Fix | undefined;
  /** In words, singles before pairs. */
  readonly tried: readonly string[];
  readonly pairs: number;
}

export interface FixTerms {
  readonly promise: StatedPromise;
  readonly profile: Review["profile"];
  /** Of the worst run; left out: it was not run. */
  readonly worstSeed: number | undefined;
  readonly reviewOn: (fleet: Fleet, seed?: number) => Pick<Finding, "verdict" | "reason">;
}

/** Each pair is tried with the worst run, and with all of them if that one is mended. */
const PAIRS_MOST = 8;

/** Changes that a second one is sought for, in the order of the singles. */
const FIRSTS_MOST = 3;

interface Tried extends Change {
  readonly fleet: Fleet;
}

export class FixSeeker {
  private readonly terms: FixTerms;
  private readonly tried: string[] = [];
  private last: Fix | undefined;
  private pairs = 0;

  constructor(terms: FixTerms) {
    this.terms = terms;
  }

  seek(fleet: Fleet, arguer: CapacityArguer, asked: AskedCapacity | undefined): SoughtFix {
    const singles: Tried[] = [];
    for (const change of this.changesOn(arguer, asked)) {
      const changed = this.applied(fleet, change);
      this.tried.push(change.change);
      const isStep = (asked?.argument.broken ?? 0) > 0;
      if (this.mends(changed, isStep)) return this.found();
      singles.push(changed);
    }
    for (const first of singles.slice(0, FIRSTS_MOST)) {
      if (this.byPairs(first)) return this.found();
    }
    return this.found();
  }

  private byPairs(first: Tried): boolean {
    const objects: ObjectIndex = indexOf(first.fleet);
    const arguer = new CapacityArguer(objects);
    const asked = argueFor(arguer, objects, this.terms.promise);
    for (const second of this.changesOn(arguer, asked)) {
      if (this.pairs >= PAIRS_MOST) return false;
      if (this.tried.includes(pairText(second, first)) || second.change === first.change) continue;
      const both = { change: pairText(first, second), changed: second.changed };
      this.pairs += 1;
      this.tried.push(both.change);
      if (this.mends(this.applied(first.fleet, both), false)) return true;
    }
    return false;
  }

  private applied(fleet: Fleet, change: Change): Tried {
    return { ...change, fleet: withObjects(fleet, change.changed, this.terms.profile) };
  }

  /** Only what holds is a fix; what makes room, or leaves it open, is a step towards one. */
  private mends({ change, fleet }: Tried, isStep: boolean): boolean {
    const { worstSeed, reviewOn } = this.terms;
    // A change that does not mend the worst run needs no other.
    const first = worstSeed === undefined ? undefined : reviewOn(fleet, worstSeed);
    const { verdict, reason } = first?.verdict === "breached" ? first : reviewOn(fleet);
    if (verdict === "holds") this.last = { change, verdict, reason };
    else if (isStep || verdict === "not-shown") this.last ??= { change, verdict, reason };
    return verdict === "holds";
  }

  private found(): SoughtFix {
    return { fix: this.last, tried: this.tried, pairs: this.pairs };
  }

  private changesOn(arguer: CapacityArguer, asked: AskedCapacity | undefined): readonly Change[] {
    const { promise, profile } = this.terms;
    if (asked === undefined || asked.argument.broken === 0) {
      return termFixes(arguer.planner.objects, promise, profile);
    }
    const { fix } = findFix(arguer, asked.question, asked.argued);
    return fix === undefined ? [] : [{ change: fix.change, changed: fix.changed }];
  }
}

const pairText = (first: Change, second: Change): string => `${first.change}; and ${second.change}`;
