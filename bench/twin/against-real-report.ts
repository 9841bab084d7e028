/** What `berth bench twin --against-real` prints. */
import { RECOVERY_STAGES } from "../../src/core/model/recovery.ts";
import type { BenchReport } from "../commands/benchmark.ts";
import { barChart } from "../svg/bar-chart.ts";
import {
  type CaseFigures,
  figuresOf,
  GREATEST_RATIO,
  isTrue,
  LEAST_RATIO,
  type Round,
} from "./real-round.ts";

export function againstRealReport(
  rounds: readonly Round[],
  task: { readonly runs: number; readonly seeds: number },
): BenchReport {
  const cases = figuresOf(rounds);
  const violations = rounds.flatMap((round) => round.violations);
  return {
    store: "sqlite",
    figures: { cases, rounds, options: task },
    table: [
      ["LOST", "RUNS", "REAL S", "SIMULATED S", "RATIO", ...RECOVERY_STAGES.map(headingOf)],
      ...cases.map(rowOf),
    ],
    notes: [
      "Each kind of loss: a node, a zone of two nodes, or an agent whose processes go on until their leash ends.",
      "Medians, of real losses and of simulations, in seconds. A stage is that of the slowest replica: real/simulated.",
      ...cases.flatMap(complaintOf),
      ...violations.map((violation) => `A simulation violates an invariant: ${violation}.`),
    ],
    plot: () => plotOf(cases),
    isComplete: violations.length === 0 && cases.every(isTrue),
  };
}

const headingOf = (stage: string): string => stage.toUpperCase();

const rowOf = (of: CaseFigures): readonly string[] => [
  of.case,
  String(of.runs),
  seconds(of.realMs),
  seconds(of.simulatedMs),
  of.ratio.toFixed(2),
  ...of.stages.map(({ realMs, simulatedMs }) => `${seconds(realMs)}/${seconds(simulatedMs)}`),
];

const complaintOf = (of: CaseFigures): readonly string[] =>
  isTrue(of)
    ? []
    : [`${of.case}: the ratio ${of.ratio} is not between ${LEAST_RATIO} and ${GREATEST_RATIO}.`];

const seconds = (ms: number): string => (ms / 1_000).toFixed(2);

const plotOf = (cases: readonly CaseFigures[]): string =>
  barChart({
    title: "Recovery after a loss",
    value: { label: "time", unit: "s", scale: "linear" },
    series: ["real", "simulated"],
    rows: cases.map((of) => ({
      name: of.case,
      values: [of.realMs / 1_000, of.simulatedMs / 1_000],
    })),
  });
