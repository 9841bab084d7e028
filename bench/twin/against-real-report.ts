/** What `berth bench twin --against-real` prints. */
import { RECOVERY_STAGES } from "../../src/core/model/recovery.ts";
import type { BenchReport } from "../commands/benchmark.ts";
import { barChart } from "../svg/bar-chart.ts";
import {
  type LossFigures,
  figuresOf,
  GREATEST_RATIO,
  isTrue,
  LEAST_RATIO,
  type Round,
} from "./real-round.ts";

export function againstRealReport(
  rounds: readonly Round[],
  task: Readonly<Record<string, unknown>>,
): BenchReport {
  const losses = figuresOf(rounds);
  const violations = rounds.flatMap((round) => round.violations);
  return {
    store: "sqlite",
    figures: { losses, rounds, options: task },
    table: [
      ["LOST", "RUNS", "REAL S", "SIMULATED S", "RATIO", ...RECOVERY_STAGES.map(headingOf)],
      ...losses.map(rowOf),
    ],
    notes: [
      "Each kind of loss: a node, a zone of two nodes, or an agent whose processes go on until their leash ends.",
      "Medians, of real losses and of simulations, in seconds. A stage is that of the slowest replica: real/simulated.",
      ...losses.flatMap(complaintOf),
      ...violations.map((violation) => `A simulation violates an invariant: ${violation}.`),
    ],
    plot: () => plotOf(losses),
    isComplete: violations.length === 0 && losses.every(isTrue),
  };
}

const headingOf = (stage: string): string => stage.toUpperCase();

const rowOf = (of: LossFigures): readonly string[] => [
  of.loss,
  String(of.runs),
  seconds(of.realMs),
  seconds(of.simulatedMs),
  of.ratio.toFixed(2),
  ...of.stages.map(({ realMs, simulatedMs }) => `${seconds(realMs)}/${seconds(simulatedMs)}`),
];

const complaintOf = (of: LossFigures): readonly string[] =>
  isTrue(of)
    ? []
    : [`${of.loss}: the ratio ${of.ratio} is not between ${LEAST_RATIO} and ${GREATEST_RATIO}.`];

const seconds = (ms: number): string => (ms / 1_000).toFixed(2);

const plotOf = (losses: readonly LossFigures[]): string =>
  barChart({
    title: "Recovery after a loss",
    value: { label: "time", unit: "s", scale: "linear" },
    series: ["real", "simulated"],
    rows: losses.map((of) => ({
      name: of.loss,
      values: [of.realMs / 1_000, of.simulatedMs / 1_000],
    })),
  });
