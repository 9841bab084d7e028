/** The figures of a finding as sentences, the same in every report for people. */
import { countText } from "../../core/model/text/count-text.ts";
import type { CapacityArgument, Finding, Fix, Simulation, WorstFailure } from "../review.ts";
import { namesText, shown } from "./shown-text.ts";
import { spanText } from "./span-text.ts";
import { stageSubject } from "./stage-subject.ts";
import { CLASS_TEXT, NO_MECHANISM, VERDICT_TEXT } from "./verdict-text.ts";

export function mechanismSentences({ mechanisms }: Finding): readonly string[] {
  if (mechanisms.length === 0) return [NO_MECHANISM];
  return mechanisms.map(({ object, role }) => `${object}: ${role}`);
}

export function capacitySentences(argument: CapacityArgument): readonly string[] {
  const { counted, searched, isProved, failures, broken, worst, binding, headroom } = argument;
  return [
    broken === 0
      ? `Every replica finds a place after each of ${countText(failures, "failure")} of this kind.`
      : `${broken} of ${countText(failures, "failure")} of this kind ${broken === 1 ? "leaves" : "leave"} replicas without a place.`,
    `Searched: ${searched}. ${isProved ? "This is a proof for this fleet." : "This is a search and no proof: a worse failure may exist."}`,
    `Capacity counted is ${CLASS_TEXT[counted]}.`,
    ...(worst === undefined ? [] : [worstSentence(worst)]),
    ...(binding === undefined ? [] : [`Binding constraint: ${binding}.`]),
    ...(headroom === undefined ? [] : [`Headroom: ${headroom}.`]),
  ];
}

export const homelessIn = ({ homeless }: WorstFailure): number =>
  homeless.reduce((sum, { count }) => sum + count, 0);

export function worstSentence(worst: WorstFailure): string {
  const { lost, replicas, placed, homeless } = worst;
  const of = namesText(lost);
  const head = `Worst failure: ${of === "" ? "no place" : of} lost with ${countText(replicas, "replica")}; ${placed} placed, ${homelessIn(worst)} without a place`;
  const names = homeless.map(({ workload, count }) => `${workload} (${count})`);
  return names.length === 0 ? `${head}.` : `${head}: ${namesText(names)}.`;
}

/** The measured times by name, where they are known; the last one may be "not within the watch". */
export interface Measured {
  readonly name: "p50" | "p99" | "worst";
  /** Left out: it did not come back while it was watched. */
  readonly ms?: number;
}

export function measuredTimes({ p50Ms, p99Ms, worst }: Simulation): readonly Measured[] {
  return [
    ...(p50Ms === undefined ? [] : [{ name: "p50" as const, ms: p50Ms }]),
    ...(p99Ms === undefined ? [] : [{ name: "p99" as const, ms: p99Ms }]),
    ...(worst === undefined
      ? []
      : [{ name: "worst" as const, ...(worst.ms !== undefined && { ms: worst.ms }) }]),
  ];
}

export const measuredText = ({ ms }: Measured): string =>
  ms === undefined ? "not while it was watched" : spanText(ms);

export function simulationSentences(simulation: Simulation): readonly string[] {
  const { seeds, kept, promisedMs, worst, tightestMs } = simulation;
  const times = measuredTimes(simulation).map((each) => `${each.name} ${measuredText(each)}`);
  const promised = promisedMs === undefined ? "" : `; promised: ${spanText(promisedMs)}`;
  return [
    `Kept in ${kept} of ${countText(seeds, "seed")}.`,
    ...(times.length === 0 ? [] : [`Time after the failure: ${times.join(", ")}${promised}.`]),
    ...(tightestMs === undefined
      ? []
      : [`The shortest time that so many runs show is ${spanText(tightestMs)}.`]),
    ...(worst === undefined
      ? []
      : [
          `The worst run has seed ${worst.seed}${worst.slowest === undefined ? "" : `; what took longest in it is ${stageSubject(worst.slowest)}`}.`,
        ]),
  ];
}

/** What a reader can open or run, to see the worst run again. */
export function worstRunParts({
  replay,
  worst,
}: Simulation): readonly (readonly [string, string])[] {
  return [
    ...(replay === undefined ? [] : [["Replay", replay] as const]),
    ...(worst?.scenario === undefined ? [] : [["Scenario file", worst.scenario] as const]),
    ...(worst?.incident === undefined ? [] : [["Incident page", worst.incident] as const]),
  ];
}

export const fixSentence = ({ change, verdict, reason }: Fix): string =>
  `${ended(upperFirst(shown(change)))} Applied to the twin and checked again: ${VERDICT_TEXT[verdict]}. ${ended(shown(reason))}`;

/** With its full stop, unless it has an end. */
export const ended = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
