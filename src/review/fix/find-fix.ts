/**
 * The smallest change found that makes a capacity question hold. Each candidate is made on the copy
 * of the fleet, tried on the failures that broke it first, and argued anew in full before it is
 * accepted. The search is bounded, and says what it tried.
 */
import type { ObjectKey } from "../../core/model/ids.ts";
import type { AnyObject, Node, Replica } from "../../core/model/objects.ts";
import { countText } from "../../core/model/text/count-text.ts";
import type { CapacityArguer, Argued } from "../capacity/argue-capacity.ts";
import { type CapacityQuestion, placesOf } from "../capacity/capacity-question.ts";
import { moreReplica } from "../capacity/more-replicas.ts";
import { nodesOf, type Outcome, outcomeOf } from "../capacity/outcome-of-loss.ts";
import type { CapacityArgument, Fix } from "../review.ts";
import { addNodes, type NodeOrder, nodesIn, plusOne, shapesFor } from "./add-nodes.ts";
import type { Candidate } from "./candidate.ts";
import { termChanges } from "./change-terms.ts";

/** A larger order than this is no small change. */
const NODES_MOST = 64;

/** A mix of nodes of several zones is tried up to so many, one added after the other. */
const MIXED_MOST = 12;

/** Full arguments of one search: each may be a minute on a large fleet. */
const ARGUMENTS_MOST = 24;

/** Failures that a candidate is tried on before it is argued in full, the worst first. */
const FAILURES_FIRST = 16;

/** Workloads whose own terms are tried, those with most homeless replicas. */
const WORKLOADS_MOST = 3;

export interface FoundFix extends Fix {
  /** What a person applies. */
  readonly applied: readonly AnyObject[];
  /** All objects that are others with it; the twin runs on a fleet with them. */
  readonly changed: readonly AnyObject[];
  readonly argument: CapacityArgument;
}

export interface FixSearch {
  /** Left out: no change that was tried suffices. */
  readonly fix?: FoundFix;
  /** e.g. "14 changes were tried: …" */
  readonly tried: string;
}

export function findFix(
  arguer: CapacityArguer,
  question: CapacityQuestion,
  argued: Argued,
): FixSearch {
  return new FixFinder(arguer, question, argued).find();
}

class FixFinder {
  private readonly arguer: CapacityArguer;
  private readonly question: CapacityQuestion;
  private readonly broken: readonly Outcome[];
  private tried = 0;
  private argued = 0;

  constructor(arguer: CapacityArguer, question: CapacityQuestion, { outcomes }: Argued) {
    this.arguer = arguer;
    this.question = question;
    this.broken = outcomes
      .filter(({ missing }) => missing > 0)
      .toSorted((a, b) => b.missing - a.missing)
      .slice(0, FAILURES_FIRST);
  }

  find(): FixSearch {
    const [worst] = this.broken;
    if (worst === undefined) return { tried: "Nothing is broken." };
    const fix = this.byTerms(worst) ?? this.byNodes(worst);
    const changes = countText(this.tried, "change");
    const tried =
      `${changes} of quotas, reserves, priorities, spreads and up to ${NODES_MOST} nodes ` +
      `${this.tried === 1 ? "was" : "were"} tried, one at a time; requests were left as they are.`;
    return fix === undefined ? { tried } : { fix, tried };
  }

  private byTerms({ plan }: Outcome): FoundFix | undefined {
    const { objects } = this.arguer.planner;
    const meant = this.question.onlyWorkload ?? this.question.serves?.workload;
    const homeless = plan.homeless
      .filter(({ workload }) => meant === undefined || workload === meant)
      .toSorted((a, b) => b.count - a.count)
      .slice(0, WORKLOADS_MOST);
    for (const candidate of termChanges(objects, this.question, homeless)) {
      const found = this.accepted(candidate);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Of all orders that suffice the one with the fewest nodes. */
  private byNodes(worst: Outcome): FoundFix | undefined {
    const { objects } = this.arguer.planner;
    const replica = this.typical(worst);
    if (replica === undefined) return undefined;
    const shapes = shapesFor(objects, replica, new Set(nodesOf(worst.places)));
    const orders = [this.mixed(shapes), ...shapes.map((like) => this.fewest(like))];
    const sorted = orders.flat().toSorted((a, b) => nodesIn(a) - nodesIn(b));
    for (const order of sorted) {
      const fix = this.accepted(addNodes(objects, order));
      if (fix !== undefined) return fix;
    }
    return undefined;
  }

  /** One node after the other, each where it leaves the least missing. */
  private mixed(shapes: readonly Node[]): NodeOrder[] {
    let order: NodeOrder = [];
    for (let count = 1; count <= MIXED_MOST; count += 1) {
      let best: { readonly order: NodeOrder; readonly missing: number } | undefined;
      for (const like of shapes) {
        const next = plusOne(order, like);
        const missing = this.missingWith(addNodes(this.arguer.planner.objects, next));
        if (best === undefined || missing < best.missing) best = { order: next, missing };
      }
      if (best === undefined) return [];
      ({ order } = best);
      if (best.missing === 0) return [order];
    }
    return [];
  }

  /** Of one shape: doubling, then halving, on the failures that broke it. */
  private fewest(like: Node): NodeOrder[] {
    const { objects } = this.arguer.planner;
    const suffices = (count: number): boolean => this.mends(addNodes(objects, [{ like, count }]));
    let enough = 1;
    while (enough <= NODES_MOST && !suffices(enough)) enough *= 2;
    if (enough > NODES_MOST) return [];
    let short = Math.floor(enough / 2);
    while (enough - short > 1) {
      const middle = Math.floor((enough + short) / 2);
      if (suffices(middle)) enough = middle;
      else short = middle;
    }
    return [[{ like, count: enough }]];
  }

  /** A replica that found no place, or one more of those that room is asked for. */
  private typical({ plan }: Outcome): Replica | undefined {
    const { objects } = this.arguer.planner;
    const { onlyWorkload, serves, spare } = this.question;
    const key: ObjectKey | undefined =
      onlyWorkload ?? serves?.workload ?? plan.homeless[0]?.workload ?? spare?.workload;
    const workload = key === undefined ? undefined : objects.workload(key);
    return workload && moreReplica(workload, workload.spec.replicas);
  }

  /** Whether the failures that broke it leave nothing missing with the change. */
  private mends(candidate: Candidate): boolean {
    return this.missingWith(candidate) === 0;
  }

  private missingWith({ changed }: Candidate): number {
    this.tried += 1;
    const { planner } = this.arguer;
    return planner.with(changed, () => {
      // A node that is added to a place is lost with it.
      const places = new Map(placesOf(planner.objects, this.question).map((at) => [at.name, at]));
      return this.broken.reduce((sum, { places: lost }) => {
        const now = lost.flatMap(({ name }) => places.get(name) ?? []);
        return sum + outcomeOf(planner, now, this.question).missing;
      }, 0);
    });
  }

  private accepted(candidate: Candidate): FoundFix | undefined {
    if (this.argued >= ARGUMENTS_MOST || !this.mends(candidate)) return undefined;
    this.argued += 1;
    const { planner } = this.arguer;
    const { argument } = planner.with(candidate.changed, () => this.arguer.argue(this.question));
    if (argument.broken > 0) return undefined;
    const verdict = argument.isProved ? "holds" : "not-shown";
    const reason = `With it, ${argument.failures - argument.broken} of ${argument.failures} failures leave nothing missing (${argument.searched}).`;
    const { change, applied, changed } = candidate;
    return { change, applied, changed, verdict, reason, argument };
  }
}
