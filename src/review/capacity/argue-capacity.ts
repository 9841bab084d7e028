/**
 * The capacity argument: for every failure of the stated kind, whether all that must find a place
 * finds one, by the product's own rules and search. It says what was counted as room, what binds
 * first, and how much is left, in replicas.
 */
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Amounts } from "../../core/model/amounts.ts";
import type { Replica, Workload } from "../../core/model/objects.ts";
import { countText } from "../../core/model/text/count-text.ts";
import { workloadOf } from "../../core/model/workload-of.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { dominantShare } from "../../core/propose/queue/fair-order.ts";
import { LossPlanner } from "../../core/explain/plan-loss.ts";
import { staysWithNode } from "../../fleet/kubernetes/map-workloads.ts";
import type { CapacityArgument, CapacityClass, WorstFailure } from "../review.ts";
import { atMost, boundOfSets } from "./bound-of-sets.ts";
import { type FoundSets, searchSets } from "./search-sets.ts";
import { type CapacityQuestion, type Place, placesOf, workloadText } from "./capacity-question.ts";
import {
  afterLoss,
  bindingOf,
  type Outcome,
  outcomeOf,
  type Room,
  roomAfter,
  withCounted,
} from "./outcome-of-loss.ts";

/** More room than this is told as "more than": a reader cares for how little there is. */
const HEADROOM_MOST = 100;

/** More places than these are tried only where the bound does not prove that all find room. */
const EACH_TRIED = 64;

/** Headroom is counted after as many failures as this, those that move most first. */
const HEADROOM_FAILURES = 16;

export interface Argued {
  readonly argument: CapacityArgument;
  /** One for each failure that was looked at. */
  readonly outcomes: readonly Outcome[];
}

export type OnProgress = (done: number, of: number, lost: string) => void;

/** One copy of the fleet serves any number of questions. */
export class CapacityArguer {
  readonly planner: LossPlanner;

  constructor(objects: ObjectIndex) {
    const staysOf = (replica: Replica): boolean => staysWithNode(replica, objects);
    this.planner = new LossPlanner(objects, (replica) => !staysOf(replica));
  }

  argue(question: CapacityQuestion, onProgress?: OnProgress): Argued {
    const places = placesOf(this.planner.objects, question);
    const found =
      (question.anyOf ?? 1) > 1
        ? this.searched(places, question, onProgress)
        : this.eachInTurn(places, question, onProgress);
    return { argument: this.argumentOf(question, found), outcomes: found.outcomes };
  }

  private eachInTurn(
    places: readonly Place[],
    question: CapacityQuestion,
    onProgress?: OnProgress,
  ): Searched {
    const bound =
      places.length > EACH_TRIED ? boundOfSets(this.planner, places, question) : undefined;
    const outcomes = places.map((place, at) => {
      onProgress?.(at, places.length, place.name);
      const isSure = bound !== undefined && atMost(bound, bound.values[at] ?? 0) === 0;
      return isSure && question.serves === undefined && question.spare === undefined
        ? placedWhole(this.planner, place, question)
        : outcomeOf(this.planner, [place], question);
    });
    const { lose, which } = question;
    const searched =
      which === undefined
        ? `proved for all ${countText(places.length, lose)}`
        : `proved for ${lose} ${which}`;
    return { outcomes, isProved: true, isEach: true, searched };
  }

  private searched(
    places: readonly Place[],
    question: CapacityQuestion,
    onProgress?: OnProgress,
  ): Searched {
    const found = searchSets(this.planner, places, question, (tried, most) =>
      onProgress?.(tried, most, `sets of ${question.anyOf ?? 1}`),
    );
    return { ...found, isEach: false, searched: setsText(places.length, question, found) };
  }

  private argumentOf(question: CapacityQuestion, found: Searched): CapacityArgument {
    const { outcomes, isProved, searched } = found;
    const worst = worstOf(outcomes);
    const broken = outcomes.filter(({ missing }) => missing > 0).length;
    const head = {
      counted: question.counted,
      searched,
      isProved,
      failures: outcomes.length,
      broken,
    };
    if (worst === undefined) return { ...head, boundary: boundaryOf(question) };
    const binding = worst.missing > 0 ? this.bindingAfter(worst, question) : undefined;
    const least = worst.missing > 0 ? undefined : this.leastRoom(found, question);
    return {
      ...head,
      worst: failureOf(worst),
      ...(binding === undefined ? {} : { binding }),
      ...(least === undefined ? {} : least),
      byClass: this.byClass(worst, question),
      boundary: boundaryOf(question),
    };
  }

  /** What keeps the first of those out that must find a place. */
  private bindingAfter({ places }: Outcome, question: CapacityQuestion): string | undefined {
    return afterLoss(this.planner, places, question, (after) => {
      const { objects } = after.world;
      const wanted = question.onlyWorkload ?? question.serves?.workload;
      const isAny = after.plan.homeless.length > 0;
      const first = isAny ? firstHomeless({ objects }, wanted, after.first) : undefined;
      if (first !== undefined) return bindingOf(objects, first);
      const workload = question.spare?.workload ?? wanted;
      if (workload === undefined) return undefined;
      return roomAfter(after, { workload, most: question.spare?.count ?? 1 }).binding;
    });
  }

  /** The failure that leaves the least room, of those that move most. */
  private leastRoom(
    { outcomes, isEach }: Searched,
    question: CapacityQuestion,
  ): Pick<CapacityArgument, "headroom" | "binding"> | undefined {
    const workload = this.unitOf(outcomes, question);
    if (workload === undefined) return undefined;
    const tried = outcomes
      .toSorted((a, b) => b.plan.lost - a.plan.lost)
      .slice(0, HEADROOM_FAILURES);
    let least: { readonly room: Room; readonly outcome: Outcome } | undefined;
    for (const outcome of tried) {
      const most = least?.room.more ?? HEADROOM_MOST;
      if (most === 0) break;
      const room = afterLoss(this.planner, outcome.places, question, (after) =>
        roomAfter(after, { workload, most }),
      );
      if (least === undefined || room.more < least.room.more) least = { room, outcome };
    }
    if (least === undefined) return undefined;
    const { room, outcome } = least;
    const isAll = isEach && tried.length === outcomes.length;
    const where = `after the loss of ${outcome.places.map(({ name }) => name).join(" and ")}`;
    const of = isAll ? "" : ` (the least of ${tried.length} losses that move most)`;
    const count = room.binding === undefined ? `more than ${room.more - 1}` : `${room.more}`;
    const headroom = `room for ${count} more ${workloadText(workload)} ${where}${of}`;
    return room.binding === undefined ? { headroom } : { headroom, binding: room.binding };
  }

  /** The workload whose replicas room is told in: the one meant, or the largest that was lost. */
  private unitOf(
    outcomes: readonly Outcome[],
    { onlyWorkload, serves, spare }: CapacityQuestion,
  ): ObjectKey | undefined {
    const meant = spare?.workload ?? onlyWorkload ?? serves?.workload;
    if (meant !== undefined) return meant;
    const { objects } = this.planner;
    const { total } = this.planner.columns;
    let largest: { readonly key: ObjectKey; readonly share: number } | undefined;
    for (const { plan } of outcomes) {
      for (const key of plan.placedOf.keys()) {
        const share = shareOf(objects.workload(key), total);
        if (largest === undefined || share > largest.share) largest = { key, share };
      }
    }
    return largest?.key;
  }

  /** The same failure with each class of room, never added up. */
  private byClass({ places, wanted }: Outcome, question: CapacityQuestion): string {
    const found = (counted: CapacityClass): Outcome =>
      outcomeOf(this.planner, places, withCounted(question, counted));
    const hard = found("hard");
    const reclaimable = found("reclaimable");
    const soft = found("soft");
    const { preempted } = reclaimable.plan;
    const { added } = soft.plan;
    const nodes = [...added.values()].reduce((sum, count) => sum + count, 0);
    const cost = preempted === 0 ? "" : ` that preempts ${countText(preempted, "replica")}`;
    const of = nodes === 0 ? "" : ` (${countText(nodes, "node")})`;
    return (
      `hard: ${hard.wanted - hard.missing} of ${wanted} find free or reserved room; ` +
      `reclaimable: ${fewerMissing(reclaimable, hard)} more by preemption${cost}; ` +
      `soft: ${fewerMissing(soft, reclaimable)} more on nodes that pools may add${of}`
    );
  }
}

/** For a single question. */
export const argueCapacity = (objects: ObjectIndex, question: CapacityQuestion): CapacityArgument =>
  new CapacityArguer(objects).argue(question).argument;

interface Searched extends FoundSets {
  readonly searched: string;
  /** Whether there is an outcome for each failure of the kind. */
  readonly isEach: boolean;
}

/** e.g. "proved for all 1,225 sets of 2 nodes (3 tried, the others cannot be worse)" */
function setsText(
  places: number,
  { lose, anyOf = 1 }: CapacityQuestion,
  { outcomes, isProved }: FoundSets,
): string {
  const sets = `${combinations(places, anyOf)} sets of ${countText(anyOf, lose)}`;
  const { length } = outcomes;
  if (!isProved) return `searched ${length} of ${sets}, worst found`;
  return `proved for all ${sets} (${length} tried, the others cannot be worse)`;
}

/** With commas, as it may be long. */
function combinations(of: number, count: number): string {
  let sets = 1n;
  for (let at = 0; at < Math.min(count, of); at += 1) {
    sets = (sets * BigInt(of - at)) / BigInt(at + 1);
  }
  return String(sets).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** What the bound proves needs no trial: each of its replicas finds a place. */
function placedWhole(
  planner: LossPlanner,
  place: Place,
  { onlyWorkload }: CapacityQuestion,
): Outcome {
  const moving = place.nodes.flatMap((node) => planner.movingFrom(node));
  const placedOf = new Map<ObjectKey, number>();
  for (const replica of moving) {
    const key = workloadOf(replica);
    placedOf.set(key, (placedOf.get(key) ?? 0) + 1);
  }
  const lost = moving.length;
  const plan = { lost, preempted: 0, placed: lost, placedOf, homeless: [], added: new Map() };
  const wanted = onlyWorkload === undefined ? lost : (placedOf.get(onlyWorkload) ?? 0);
  return { places: [place], plan, wanted, missing: 0 };
}

function worstOf(outcomes: readonly Outcome[]): Outcome | undefined {
  let worst: Outcome | undefined;
  for (const outcome of outcomes) {
    if (worst === undefined || isWorse(outcome, worst)) worst = outcome;
  }
  return worst;
}

const isWorse = (a: Outcome, b: Outcome): boolean =>
  a.missing > b.missing || (a.missing === b.missing && a.plan.lost > b.plan.lost);

const fewerMissing = (more: Outcome, less: Outcome): number =>
  Math.max(0, less.missing - more.missing);

const failureOf = ({ places, plan, wanted, missing }: Outcome): WorstFailure => ({
  lost: places.map(({ name }) => name),
  replicas: wanted,
  placed: wanted - missing,
  homeless: plan.homeless.map(({ workload, count }) => ({
    workload: workloadText(workload),
    count,
  })),
});

function firstHomeless(
  { objects }: { readonly objects: ObjectIndex },
  wanted: ObjectKey | undefined,
  first: Replica | undefined,
): Replica | undefined {
  if (wanted === undefined) return first;
  for (const replica of objects.replicasOf(wanted).values()) {
    if (replica.status.stage === "queued") return replica;
  }
  return undefined;
}

function shareOf(workload: Workload | undefined, total: Amounts): number {
  return workload === undefined ? 0 : dominantShare(workload.spec.template.ask.amounts, total, 1);
}

const COUNTS: Readonly<Record<CapacityClass, string>> = {
  hard: "Only free room and the recovery reserve count: nothing is preempted, no node is added.",
  reclaimable: "Free room, the recovery reserve and what preemption by priority frees count.",
  soft: "Nodes that pools may add count as if they were there: no pool can promise them.",
};

/** What holds of every such argument. */
export const boundaryOf = ({ counted }: CapacityQuestion): readonly string[] => [
  COUNTS[counted],
  "Replicas are placed one by one in the order of Berth's queue: a cleverer packing might find " +
    "room where Berth finds none.",
  "It says whether there is room, and not how long it takes to get there.",
];
