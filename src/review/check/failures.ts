/**
 * The failures under which a promise is checked: those that it states, or else those that can break
 * a promise of its kind. A failure is a set of nodes that is lost or drained at once.
 */
import type { FailureCase, PromiseKind } from "../../core/model/commitment.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Topology } from "../../core/model/objects.ts";
import { workloadOf } from "../../core/model/workload-of.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { type Place, placesOf } from "../capacity/capacity-question.ts";
import { isAbout, kindOf, type StatedPromise } from "../promise.ts";

export interface Failure {
  /** e.g. "the loss of zone eu-a" */
  readonly text: string;
  readonly does: "lose" | "drain";
  readonly by: Topology;
  readonly places: readonly string[];
  readonly nodes: readonly string[];
  /** Replicas that the promise is about and that it hits. */
  readonly hits: number;
}

export interface Failures {
  /** Those that hit something that the promise is about, the heaviest first. */
  readonly all: readonly Failure[];
  /** More were possible than are listed. */
  readonly isCut: boolean;
  /** The stated places do not exist. */
  readonly missing?: string;
}

/** What can break a promise that names no failure. */
const BREAKS: Readonly<Record<PromiseKind, FailureCase>> = {
  recover: { lose: "node" },
  keepServing: { lose: "node" },
  wait: { lose: "node" },
  isolation: {},
  fairness: { lose: "node" },
  headroom: { lose: "node" },
  drains: { drain: "node" },
  overrideEnds: { also: ["override", "leader-change"] },
  noStorm: { lose: "node", also: ["leader-change", "write-timeout", "slow-starts"] },
  invariant: { lose: "node" },
};

/** Larger places are lost, too, where there are several of them. */
const LARGER: readonly Topology[] = ["zone", "region"];

/** More failures than this are neither simulated nor remembered. */
const FAILURES_MOST = 2_000;

export function casesOf(objects: ObjectIndex, promise: StatedPromise): readonly FailureCase[] {
  const { when } = promise.spec;
  if (when !== undefined) return [when];
  const usual = BREAKS[kindOf(promise)];
  if (usual.lose === undefined) return [usual];
  const also = LARGER.filter((lose) => placesOf(objects, { lose }).length > 1);
  return [usual, ...also.map((lose) => ({ ...usual, lose }))];
}

export function failuresOf(objects: ObjectIndex, promise: StatedPromise): Failures {
  const found: Failure[] = [];
  let isCut = false;
  for (const one of casesOf(objects, promise)) {
    const lose = one.lose ?? one.drain;
    if (lose === undefined) continue;
    const { which, anyOf = 1 } = one;
    const places = placesOf(objects, { lose, ...(which === undefined ? {} : { which }) });
    if (places.length < anyOf) {
      const missing = which === undefined ? `${anyOf} places by ${lose}` : `${lose} ${which}`;
      return { all: [], isCut: false, missing };
    }
    const does = one.lose === undefined ? "drain" : "lose";
    for (const set of setsOf(places, anyOf)) {
      if (found.length >= FAILURES_MOST) {
        isCut = true;
        break;
      }
      found.push(failureOf(set, { does, by: lose, objects, promise }));
    }
  }
  const all = found.filter(({ hits }) => hits > 0);
  return { all: all.toSorted((a, b) => b.hits - a.hits), isCut };
}

interface FailureTerms {
  readonly does: Failure["does"];
  readonly by: Topology;
  readonly objects: ObjectIndex;
  readonly promise: StatedPromise;
}

function failureOf(set: readonly Place[], { does, by, objects, promise }: FailureTerms): Failure {
  const nodes = set.flatMap((place) => place.nodes);
  const places = set.map(({ name }) => name);
  const noun = places.length === 1 ? by : `${by}s`;
  const text = `the ${does === "lose" ? "loss" : "drain"} of ${noun} ${places.join(" and ")}`;
  return { text, does, by, places, nodes, hits: hitsOf(objects, nodes, promise) };
}

function hitsOf(objects: ObjectIndex, nodes: readonly string[], promise: StatedPromise): number {
  let hits = 0;
  for (const node of nodes) {
    for (const replica of objects.replicasOn(node).values()) {
      const workload: ObjectKey = workloadOf(replica);
      if (isAbout(promise, workload)) hits += 1;
    }
  }
  return hits;
}

function* setsOf(places: readonly Place[], size: number): Generator<readonly Place[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (const [at, first] of places.entries()) {
    for (const rest of setsOf(places.slice(at + 1), size - 1)) yield [first, ...rest];
  }
}
