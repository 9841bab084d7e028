/**
 * The five groups of questions of a design review, answered for one promise: who decides, what
 * shows progress, where the capacity is, what cannot go wrong, and what the evidence is.
 */
import type { PromiseKind } from "../../core/model/commitment.ts";
import { countText } from "../../core/model/text/count-text.ts";
import { failureText } from "../../manifest/promise-text.ts";
import { kindOf, type StatedPromise } from "../promise.ts";
import type { Finding, Mechanism, Review } from "../review.ts";
import { spanText } from "../report/span-text.ts";
import { stageSubject } from "../report/stage-subject.ts";
import type { Evidence } from "./verdict-of.ts";

export interface Told {
  readonly promise: StatedPromise;
  readonly evidence: Evidence;
  readonly mechanisms: readonly Mechanism[];
  readonly profile: Review["profile"];
}

/** Which component decides, and what makes two of them agree. */
const AUTHORITY: Readonly<Record<PromiseKind, string>> = {
  recover: "The scheduler proposes places, and the authority commits each bind once (BD).",
  keepServing: "Only the agent of a node ends a process; drains and preemption ask the authority.",
  wait: "The queue decides the order, and the authority commits each bind once.",
  isolation: "The authority checks quota at every bind, and reclaims what others borrowed.",
  fairness: "The queue takes the tenant with the smallest share first.",
  headroom: "The scheduler finds room, and the authority checks it again at the bind.",
  drains: "The drain controller asks for evictions, and the authority checks disruption budgets.",
  overrideEnds: "One controller ends overrides; only the owner of one releases it earlier.",
  noStorm: "Each controller retries within its own budget and backs off.",
  invariant:
    "The scheduler proposes places by the rules of the workload, and the authority checks.",
};

const PROGRESS: Readonly<Record<PromiseKind, string>> = {
  recover: "status.recovery of the workload has the stage, the time and the number that serve.",
  keepServing: "status.replicas of the workload counts the serving replicas.",
  wait: "Slo objects measure bind-latency and queue-wait by class.",
  isolation: "status of the quota has what is used, lent and borrowed.",
  fairness: "An Slo with indicator fairness measures the difference of the shares.",
  headroom: "berth capacity shows hard, reclaimable and soft capacity by region.",
  drains: "status.drain of the node has what it waits for, and its deadline.",
  overrideEnds: "status.until of the override has its end, and its postcondition.",
  noStorm: "/metrics counts commands, retries and rejections by controller.",
  invariant: "berth explain tells the places of the replicas of a workload.",
};

export function answersOf(told: Told): Finding["answers"] {
  const { promise, evidence, mechanisms, profile } = told;
  const kind = kindOf(promise);
  const carried =
    mechanisms.length === 0
      ? "Nothing carries it: no priority, reserve, budget, quota or rule that it rests on."
      : `It rests on ${mechanisms.map(({ object }) => object).join(", ")}.`;
  const isForecast = profile === "kubernetes";
  return {
    authority: isForecast ? [carried] : [carried, AUTHORITY[kind]],
    progress: [...(isForecast ? [] : [PROGRESS[kind]]), ...slowest(evidence)],
    capacity: capacityAnswers(evidence),
    safety: safetyAnswers(told),
    evidence: evidenceAnswers(told),
  };
}

function slowest({ runs }: Evidence): readonly string[] {
  const { worst } = runs?.simulation ?? {};
  if (worst?.slowest === undefined) return [];
  const what = stageSubject(worst.slowest);
  return [`What took longest in the worst run (seed ${worst.seed}) is ${what}.`];
}

function capacityAnswers({ capacity }: Evidence): readonly string[] {
  if (capacity === undefined) return ["It does not rest on free room."];
  const { counted, searched, broken, failures, byClass } = capacity;
  return [
    `Only ${counted === "hard" ? "hard" : `hard and ${counted}`} capacity counts; ${searched}.`,
    broken === 0
      ? `After each of ${countText(failures, "failure")} there is a place for all.`
      : `After ${broken} of ${countText(failures, "failure")} some find no place.`,
    ...(byClass === undefined ? [] : [`After the worst one, ${byClass}.`]),
  ];
}

function safetyAnswers({ evidence, profile }: Told): readonly string[] {
  const { runs } = evidence;
  if (profile === "kubernetes") return ["A forecast checks no invariants of the control plane."];
  if (runs === undefined) return ["Nothing was simulated, so no invariant was checked."];
  if (runs.violated > 0) {
    const of = countText(runs.simulation.seeds, "run");
    return [`An invariant of Berth broke in ${runs.violated} of ${of}: that is a bug of Berth.`];
  }
  return [
    `No invariant broke in ${countText(runs.simulation.seeds, "run")}: no place was given twice, and no replica ran twice.`,
  ];
}

function evidenceAnswers({ promise, evidence }: Told): readonly string[] {
  const { runs, failures } = evidence;
  const { when } = promise.spec;
  const asked = when === undefined ? [] : [`It was checked ${failureText(when)}.`];
  if (runs === undefined) return [...asked, "The objects of the fleet, as its hash states them."];
  const { seeds, kept, p50Ms, p99Ms } = runs.simulation;
  const times =
    p50Ms === undefined || p99Ms === undefined
      ? ""
      : ` Half took at most ${spanText(p50Ms)}, and 99% at most ${spanText(p99Ms)}.`;
  const ran = failures.all.length === 0 ? "" : ` over ${countText(failures.all.length, "failure")}`;
  return [...asked, `${kept} of ${countText(seeds, "run")}${ran} kept it.${times}`];
}
