/**
 * Whether kept runs leave room for what a longer review would see. The slowest of a few runs is not
 * the slowest of many: what lies beyond the median is taken to fall off exponentially, as waits
 * for leases and pauses of controllers do. Then ten times as many runs reach as much farther.
 */
import { countText } from "../../core/model/text/count-text.ts";
import { spanText } from "../report/span-text.ts";

/** How much of what a promise allows one run took. */
export interface Use {
  readonly is: number;
  readonly most: number;
  readonly unit: UseUnit;
}

type UseUnit = "ms" | "commands" | "replicas";

export interface UsedIn {
  /** Runs of one failure differ only by chance. */
  readonly failure: string;
  readonly use: Use;
}

/** What the runs show, and how far ten times as many would reach. */
export interface Reach {
  readonly runs: number;
  readonly worst: Use;
  readonly reach: number;
}

/** A longer review, of which one is to say the same. */
const LONGER = 10;

/** Of fewer runs the median and the slowest say nothing about a tail. */
const RUNS_LEAST = 4;

/** Fewer runs of each failure do not show how much chance does; then all are taken together. */
const RUNS_OF_FAILURE = 4;

/** A tail that few runs did not meet at all may still be there. */
const FEW_RUNS = 100;
const FLOOR: Readonly<Record<UseUnit, number>> = { ms: 0.9, commands: 0.9, replicas: 1 };

export function reachOf(used: readonly UsedIn[]): Reach | undefined {
  const [worst] = used.map(({ use }) => use).toSorted((a, b) => b.is - a.is);
  if (worst === undefined) return undefined;
  const runs = used.length;
  const factor = Math.log(LONGER) / Math.log(Math.max(RUNS_LEAST, runs) / 2);
  const bySpread = worst.is + spreadOf(used) * factor;
  const byFloor = runs < FEW_RUNS ? worst.is / FLOOR[worst.unit] : worst.is;
  return { runs, worst, reach: Math.max(bySpread, byFloor) };
}

/** Why the promise is not shown although all runs kept it; undefined: they leave enough room. */
export function tooClose({ runs, worst, reach }: Reach): string | undefined {
  if (reach <= worst.most) return undefined;
  const of = countText(runs, "run");
  const seeds = Math.max(FEW_RUNS, runs * LONGER);
  const { took, may } = TEXTS[worst.unit](worst, reach);
  return `the worst of ${of} ${took}, and the worst of ${seeds} may ${may}; use --seeds ${seeds}`;
}

type Texts = (worst: Use, reach: number) => { readonly took: string; readonly may: string };

const TEXTS: Readonly<Record<UseUnit, Texts>> = {
  ms: ({ is, most }, reach) => ({
    took: `took ${spanText(is)} of ${spanText(most)}`,
    may: `take ${spanText(reach)}`,
  }),
  commands: ({ is, most }, reach) => ({
    took: `had ${is} of ${most} commands about one object`,
    may: `have ${Math.ceil(reach)}`,
  }),
  replicas: ({ is, most }, reach) => ({
    took: `lacked ${is} of the ${countText(most, "replica")} that may be out of service`,
    may: `lack ${Math.ceil(reach)}`,
  }),
};

/** From the median to the worst; of each failure by itself, if each was run often enough. */
function spreadOf(used: readonly UsedIn[]): number {
  const byFailure = new Map<string, number[]>();
  for (const { failure, use } of used) {
    const held = byFailure.get(failure);
    if (held === undefined) byFailure.set(failure, [use.is]);
    else held.push(use.is);
  }
  const groups = [...byFailure.values()];
  const isOften = groups.every(({ length }) => length >= RUNS_OF_FAILURE);
  const compared = isOften ? groups : [groups.flat()];
  return Math.max(...compared.map(fromMedian));
}

function fromMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  return (sorted.at(-1) ?? 0) - median;
}
