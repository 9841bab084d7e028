/**
 * What `berth simulate` says of the recoveries in its runs: how long they took, how many were late,
 * where the time went, what they spent, and for how long others were passed over. Whole numbers
 * over all runs, so that threads and the order in which runs end make no difference.
 */
import { AMOUNT_NAMES, type AmountName } from "../../core/model/amounts.ts";
import { millisText } from "../../core/model/recovery-budget.ts";
import { RECOVERY_STAGES, type RecoveryStage } from "../../core/model/recovery.ts";
import type { RecoveryBudgetUse } from "../../sim/report/recovery-budget-tally.ts";
import type { RunRecoveries, TimedRecovery } from "../../sim/report/recovery-tally.ts";

/** Each is one of the values that were measured: so many of a hundred are no greater. */
export interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

export interface RecoveryFigures {
  readonly count: number;
  /** Those that took longer than their objective says, over or not. */
  readonly missed: number;
  /** Those that were in time so far when their run ended. */
  readonly open: number;
  /** From when the loss was noticed; of those that are over or late. */
  readonly tookMs: Percentiles;
  /** How long machines had been silent by then. */
  readonly silentMs: Percentiles;
  /** Where the time went: of all recoveries together, and of the slowest at each stage. */
  readonly stages: Readonly<
    Record<RecoveryStage, { readonly perThousand: number; readonly maxMs: number }>
  >;
  /** Left out when none was granted. */
  readonly budgets?: RecoveryBudgetFigures;
  readonly fairness: {
    /**
     * The latest moment after a recovery began at which a tenant that had less was passed over for
     * it; 0: none ever was.
     */
    readonly aheadMs: number;
    /**
     * By how much that was after the fairness window, where there is one. The authority counts the
     * window, and a new leadership counts anew what the last one had not written down (RV6):
     * without such a change it is 0, or INV162 is violated.
     */
    readonly beyondWindowMs: number;
  };
}

export interface RecoveryBudgetFigures {
  readonly granted: number;
  /** Of which nothing was ever spent. */
  readonly unspent: number;
  /** Those that were over, with nothing spent of them any more, before their run ended. */
  readonly gone: number;
  /** Where most was spent of what one grants. */
  readonly most: {
    readonly amount: AmountName;
    readonly spent: number;
    readonly granted: number;
    readonly perThousand: number;
  };
}

/** Undefined when no run had any. */
export function recoveryFigures(runs: readonly RunRecoveries[]): RecoveryFigures | undefined {
  const timed = runs.flatMap((run) => run.timed);
  if (timed.length === 0) return undefined;
  const late = timed.filter(({ tookMs, withinMs }) => tookMs > withinMs);
  const open = timed.filter(({ isOver, tookMs, withinMs }) => !isOver && tookMs <= withinMs);
  const told = timed.filter((each) => !open.includes(each));
  const budgets = recoveryBudgetFigures(runs.flatMap((run) => run.budgets));
  return {
    count: timed.length,
    missed: late.length,
    open: open.length,
    tookMs: percentiles(told.map(({ tookMs }) => tookMs)),
    silentMs: percentiles(told.map(({ silentMs }) => silentMs)),
    stages: stagesOf(told),
    ...(budgets && { budgets }),
    fairness: {
      aheadMs: Math.max(0, ...timed.map(({ aheadMs }) => aheadMs)),
      beyondWindowMs: Math.max(
        0,
        ...timed.map(({ aheadMs, windowMs = aheadMs }) => aheadMs - windowMs),
      ),
    },
  };
}

function percentiles(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (hundredths: number): number =>
    sorted[Math.max(0, Math.ceil((sorted.length * hundredths) / 100) - 1)] ?? 0;
  return { p50: at(50), p90: at(90), p99: at(99), max: at(100) };
}

function stagesOf(timed: readonly TimedRecovery[]): RecoveryFigures["stages"] {
  const spent = (stage: RecoveryStage): readonly number[] =>
    timed.map(({ spentMs }) => spentMs[stage] ?? 0);
  const allMs = timed.reduce((sum, { tookMs }) => sum + tookMs, 0);
  const of = (stage: RecoveryStage): RecoveryFigures["stages"][RecoveryStage] => {
    const sumMs = spent(stage).reduce((sum, ms) => sum + ms, 0);
    return {
      perThousand: allMs === 0 ? 0 : Math.round((sumMs * 1_000) / allMs),
      maxMs: Math.max(0, ...spent(stage)),
    };
  };
  const stages = RECOVERY_STAGES.map((stage) => [stage, of(stage)] as const);
  return Object.fromEntries(stages) as RecoveryFigures["stages"];
}

function recoveryBudgetFigures(
  uses: readonly RecoveryBudgetUse[],
): RecoveryBudgetFigures | undefined {
  const parts = uses.flatMap(({ granted, mostSpent }) =>
    AMOUNT_NAMES.filter((amount) => granted[amount] > 0).map((amount) => ({
      amount,
      spent: mostSpent[amount],
      granted: granted[amount],
      perThousand: Math.floor((mostSpent[amount] * 1_000) / granted[amount]),
    })),
  );
  const [most] = parts.toSorted(
    (a, b) =>
      b.perThousand - a.perThousand ||
      AMOUNT_NAMES.indexOf(a.amount) - AMOUNT_NAMES.indexOf(b.amount) ||
      b.granted - a.granted,
  );
  if (most === undefined) return undefined;
  return {
    granted: uses.length,
    unspent: uses.filter(isUnspent).length,
    gone: uses.filter(({ isGone }) => isGone).length,
    most,
  };
}

const isUnspent = ({ mostSpent }: RecoveryBudgetUse): boolean =>
  AMOUNT_NAMES.every((amount) => mostSpent[amount] === 0);

/** A few lines under the sums. */
export function describeRecoveries(figures: RecoveryFigures): string {
  const { count, missed, open, tookMs, silentMs, stages } = figures;
  const notOver = open === 0 ? "" : `, ${open} unfinished at the end of their run`;
  const shares = RECOVERY_STAGES.map(
    (stage) =>
      `${stage} ${tenths(stages[stage].perThousand)}% (max ${seconds(stages[stage].maxMs)})`,
  );
  return [
    `recoveries: ${count}, ${missed} missed${notOver}`,
    `  duration ${described(tookMs)}, from detection of the loss`,
    `  detection ${described(silentMs)}, of silence before it`,
    `  spent in ${shares.join(", ")}`,
    ...(figures.budgets === undefined ? [] : [`  ${describeBudgets(figures.budgets)}`]),
    `  ${describeFairness(figures.fairness)}`,
    "",
  ].join("\n");
}

function describeBudgets({ granted, unspent, gone, most }: RecoveryBudgetFigures): string {
  const { amount, spent, granted: of, perThousand } = most;
  const part = `${amountText[amount](spent)} of ${amountText[amount](of)} (${tenths(perThousand)}%)`;
  return `budgets: ${granted} granted, ${unspent} never used, ${gone} ended; at most ${part} of one used`;
}

const amountText: Readonly<Record<AmountName, (value: number) => string>> = {
  cpuMillis: (millis) => `${millisText(millis)} cpu`,
  memoryMiB: (mebibytes) => `${mebibytes}Mi`,
  deviceMillis: (millis) => `${millisText(millis)} devices`,
};

function describeFairness({ aheadMs, beyondWindowMs }: RecoveryFigures["fairness"]): string {
  if (aheadMs === 0) return "fairness: no tenant with a smaller share was passed over";
  const late =
    beyondWindowMs === 0
      ? "never after a fairness window"
      : `up to ${seconds(beyondWindowMs)} after its window`;
  return `fairness: a tenant with a smaller share was passed over until ${seconds(aheadMs)} after a recovery began, ${late}`;
}

const described = ({ p50, p90, p99, max }: Percentiles): string =>
  `p50 ${seconds(p50)}, p90 ${seconds(p90)}, p99 ${seconds(p99)}, max ${seconds(max)}`;

const tenths = (perThousand: number): string =>
  `${Math.floor(perThousand / 10)}.${perThousand % 10}`;

/** To a tenth, always in seconds: columns of them can be compared at a glance. */
const seconds = (ms: number): string => `${tenths(Math.round(ms / 100))}s`;
