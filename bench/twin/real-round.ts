/** One loss of a real fleet beside the runs of its twin, and what they come to. */
import { RECOVERY_STAGES, type RecoveryStage } from "../../src/core/model/recovery.ts";

export interface Recovered {
  /** Replicas that did not serve at the worst moment. */
  readonly lost: number;
  readonly tookMs: number;
  /** Of the slowest replica. */
  readonly stages: Readonly<Partial<Record<RecoveryStage, number>>>;
}

/** A node, a zone of several, or only the agent of a node. */
export const LOSSES = ["node", "zone", "agent"] as const;
export type Loss = (typeof LOSSES)[number];

export interface Round {
  readonly loss: Loss;
  readonly run: number;
  /** The start of a process, by the log of the real fleet before the loss; the twin is told it. */
  readonly startUpMs: number;
  readonly real: Recovered;
  /** One for each seed. */
  readonly simulated: readonly Recovered[];
  readonly violations: readonly string[];
}

export interface LossFigures {
  readonly loss: Loss;
  readonly runs: number;
  readonly realMs: number;
  readonly simulatedMs: number;
  /** The median over the runs of simulated to real time. */
  readonly ratio: number;
  /** Medians, of each stage for itself. */
  readonly stages: readonly {
    readonly stage: RecoveryStage;
    readonly realMs: number;
    readonly simulatedMs: number;
  }[];
}

/** Twenty percent either way: a simulated time is at most a fifth below or a quarter above. */
export const LEAST_RATIO = 0.8;
export const GREATEST_RATIO = 1.25;

export const isTrue = ({ ratio }: LossFigures): boolean =>
  ratio >= LEAST_RATIO && ratio <= GREATEST_RATIO;

export function figuresOf(rounds: readonly Round[]): readonly LossFigures[] {
  const names = new Set(rounds.map((round) => round.loss));
  return [...names].map((name) =>
    lossFigures(
      name,
      rounds.filter((round) => round.loss === name),
    ),
  );
}

function lossFigures(name: Loss, rounds: readonly Round[]): LossFigures {
  const real = rounds.map((round) => round.real);
  const simulated = rounds.flatMap((round) => round.simulated);
  const ofStage = (stage: RecoveryStage, all: readonly Recovered[]): number =>
    medianOf(all.map(({ stages }) => stages[stage] ?? 0));
  return {
    loss: name,
    runs: rounds.length,
    realMs: medianOf(real.map(({ tookMs }) => tookMs)),
    simulatedMs: medianOf(simulated.map(({ tookMs }) => tookMs)),
    ratio: hundredths(medianOf(rounds.map(ratioOf))),
    stages: RECOVERY_STAGES.map((stage) => ({
      stage,
      realMs: ofStage(stage, real),
      simulatedMs: ofStage(stage, simulated),
    })),
  };
}

const ratioOf = ({ real, simulated }: Round): number =>
  medianOf(simulated.map(({ tookMs }) => tookMs)) / real.tookMs;

/** The mean of the two in the middle of an even number; 0 of none. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const lower = sorted[Math.ceil(half) - 1] ?? 0;
  return (lower + (sorted[Math.floor(half)] ?? lower)) / 2;
}

const hundredths = (value: number): number => Math.round(value * 100) / 100;
