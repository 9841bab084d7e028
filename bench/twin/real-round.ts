/** One loss of a real fleet beside the runs of its twin, and what they come to. */
import { RECOVERY_STAGES, type RecoveryStage } from "../../src/core/model/recovery.ts";

export interface Recovered {
  /** Replicas that did not serve at the worst moment. */
  readonly lost: number;
  readonly tookMs: number;
  /** Of the slowest replica. */
  readonly stages: Readonly<Partial<Record<RecoveryStage, number>>>;
}

export type RoundCase = "node" | "zone" | "agent";

export interface Round {
  readonly case: RoundCase;
  readonly run: number;
  /** The median start of a process in the real fleet before the loss; the twin is told of it. */
  readonly startUpMs: number;
  readonly real: Recovered;
  /** One for each seed. */
  readonly simulated: readonly Recovered[];
  readonly violations: readonly string[];
}

export interface CaseFigures {
  readonly case: RoundCase;
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

export const isTrue = ({ ratio }: CaseFigures): boolean =>
  ratio >= LEAST_RATIO && ratio <= GREATEST_RATIO;

export function figuresOf(rounds: readonly Round[]): readonly CaseFigures[] {
  const names = new Set(rounds.map((round) => round.case));
  return [...names].map((name) =>
    caseFigures(
      name,
      rounds.filter((round) => round.case === name),
    ),
  );
}

function caseFigures(name: RoundCase, rounds: readonly Round[]): CaseFigures {
  const real = rounds.map((round) => round.real);
  const simulated = rounds.flatMap((round) => round.simulated);
  const ofStage = (stage: RecoveryStage, all: readonly Recovered[]): number =>
    medianOf(all.map(({ stages }) => stages[stage] ?? 0));
  return {
    case: name,
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
