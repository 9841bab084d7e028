/** Runs the twin over seeds and failures, and says what the runs show. */
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { Fleet } from "../../fleet/fleet.ts";
import type { RunTwin, TwinRun, TwinScenario } from "../../twin/twin-run.ts";
import { kindOf, promisedMsOf, type StatedPromise, workloadOfPromise } from "../promise.ts";
import type { Simulation } from "../review.ts";
import type { Failure } from "./failures.ts";
import { judgeRun } from "./judge-run.ts";
import { type Reach, reachOf, type UsedIn } from "./margin.ts";
import type { Judged } from "./judged.ts";
import { scenarioOf } from "./scenario-of.ts";

export interface SeedTerms {
  readonly fleet: Fleet;
  readonly objects: ObjectIndex;
  readonly runTwin: RunTwin;
  /** Runs at least; more if there are more failures. Each is run once before any is run again. */
  readonly seeds: number;
  /** Only this seed. */
  readonly onlySeed?: number | undefined;
  /** Events that it can play; left out: all. */
  readonly knows?: ReadonlySet<string> | undefined;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
  readonly replay?: ((seed: number) => string) | undefined;
}

export interface SeedRuns {
  readonly simulation: Simulation;
  readonly worst: WorstRun | undefined;
  /** Failures that were run; the others were not. */
  readonly failuresRun: number;
  /** How far more runs may reach; left out: what the promise allows has no measure. */
  readonly reach: Reach | undefined;
  readonly unknown: string | undefined;
  readonly lacks: readonly string[];
  /** Runs in which an invariant of Berth broke. */
  readonly violated: number;
}

export interface WorstRun extends Judged {
  readonly seed: number;
  readonly failure: Failure | undefined;
  readonly scenario: TwinScenario;
  /** Of the run: a replay compares it. */
  readonly hash: string;
}

export function runSeeds(
  promise: StatedPromise,
  failures: readonly Failure[],
  terms: SeedTerms,
): SeedRuns {
  const { fleet, objects, runTwin, seeds, onlySeed, onProgress, replay } = terms;
  const numbers =
    onlySeed === undefined
      ? Array.from({ length: runsOf(seeds, failures.length) }, (_, at) => at + 1)
      : [onlySeed];
  const lacks = new Set<string>();
  const runs: WorstRun[] = [];
  for (const [at, seed] of numbers.entries()) {
    onProgress?.(at, numbers.length);
    const failure = failures[(seed - 1) % Math.max(1, failures.length)];
    const { scenario, lacks: missing } = scenarioOf(objects, promise, failure);
    for (const each of missing) lacks.add(each);
    const strange = terms.knows && strangeIn(scenario, terms.knows);
    if (strange !== undefined) {
      lacks.add(strange);
      break;
    }
    const run = runTwin(fleet, scenario, seed);
    const judged = judgeRun(run, promise, objects);
    const empty =
      judged.is === "kept"
        ? (missedOf(run, scenario) ?? emptyOf(run, promise, failure))
        : undefined;
    runs.push({ ...(empty ?? judged), seed, failure, scenario, hash: run.hash });
  }
  const worst = worstOf(runs);
  const reach = reachOf(runs.flatMap((run) => usedIn(promise, run)));
  return {
    simulation: { ...simulationOf(promise, runs, worst, replay), ...tightest(runs, reach) },
    worst,
    failuresRun: Math.min(failures.length, runs.length),
    reach,
    unknown: runs.find((run) => run.is === "unknown")?.why,
    lacks: [...lacks],
    violated: runs.filter(({ isViolated }) => isViolated === true).length,
  };
}

/** A failure that is not run at all leaves the promise not shown, so more runs are worth it. */
const RUNS_PER_SEED = 10;

const runsOf = (seeds: number, failures: number): number =>
  Math.max(seeds, Math.min(failures, seeds * RUNS_PER_SEED));

/** A fault of the control plane that is meant and did not happen. */
function missedOf({ met = [] }: TwinRun, { meant = [] }: TwinScenario): Judged | undefined {
  const missed = meant.find((each) => !met.includes(each));
  return missed && unknown(`the watch ended before "${missed}" happened`);
}

/** A run that puts nothing of the promise to the test shows nothing. */
function emptyOf(
  run: TwinRun,
  promise: StatedPromise,
  failure: Failure | undefined,
): Judged | undefined {
  if (failure === undefined) return undefined;
  const kind = kindOf(promise);

  if (failure.does === "drain") {
    return run.drains.length < failure.nodes.length
      ? unknown("not every drain was over when the watch ended")
      : undefined;
  }
  if ((kind === "wait" || kind === "fairness") && run.waits.length === 0) {
    return unknown(`no replica waited for a place while ${failure.text} was watched`);
  }
  const workload = workloadOfPromise(promise);
  const isHit = run.recoveries.some((each) => each.workload === workload);
  return kind === "recover" && !isHit
    ? unknown(`${failure.text} stopped no serving replica of it`)
    : undefined;
}

function usedIn(promise: StatedPromise, { is, ms, use, failure }: WorstRun): readonly UsedIn[] {
  const most = promisedMsOf(promise);
  const own =
    use ?? (ms === undefined || most === undefined ? undefined : { is: ms, most, unit: "ms" });
  return is !== "kept" || own === undefined ? [] : [{ failure: failure?.text ?? "", use: own }];
}

const unknown = (why: string): Judged => ({ is: "unknown", why });

/** What the twin would refuse to play. */
function strangeIn(
  { events, hasFaults }: TwinScenario,
  knows: ReadonlySet<string>,
): string | undefined {
  const strange = events.find((event) => !knows.has(event.do));
  if (strange === undefined && !hasFaults) return undefined;
  const what = strange?.do ?? "faults of the control plane";
  return `the forecast of Kubernetes does not model "${what}"; use --profile berth`;
}

function simulationOf(
  promise: StatedPromise,
  runs: readonly WorstRun[],
  worst: WorstRun | undefined,
  replay: SeedTerms["replay"],
): Simulation {
  const promisedMs = promisedMsOf(promise);
  const times = runs.flatMap(({ ms }) => ms ?? []).toSorted((a, b) => a - b);
  // A run that did not end has no time: percentiles of the others alone would flatter.
  const isTimed = runs.length > 0 && times.length === runs.length;
  return {
    seeds: runs.length,
    kept: runs.filter(({ is }) => is === "kept").length,
    ...(promisedMs === undefined ? {} : { promisedMs }),
    ...(isTimed ? { p50Ms: percentile(times, 50), p99Ms: percentile(times, 99) } : {}),
    ...(worst === undefined
      ? {}
      : {
          worst: {
            seed: worst.seed,
            ...(worst.ms === undefined ? {} : { ms: worst.ms }),
            ...(worst.slowest === undefined ? {} : { slowest: worst.slowest }),
          },
          ...(replay === undefined ? {} : { replay: replay(worst.seed) }),
        }),
  };
}

/** Of runs that all kept it; a broken one has shown that it is not kept always. */
function tightest(
  runs: readonly WorstRun[],
  reach: Reach | undefined,
): Pick<Simulation, "tightestMs"> {
  const isKept = runs.every(({ is }) => is === "kept");
  if (!isKept || reach === undefined || reach.worst.unit !== "ms") return {};
  return { tightestMs: Math.ceil(reach.reach) };
}

const percentile = (sorted: readonly number[], percent: number): number =>
  sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0;

const RANK = { kept: 0, unknown: 1, broken: 2 } as const;

function worstOf(runs: readonly WorstRun[]): WorstRun | undefined {
  const [first] = runs.toSorted(
    (a, b) => RANK[b.is] - RANK[a.is] || badness(b) - badness(a) || a.seed - b.seed,
  );
  return first;
}

/** Broken without a time is worse than any time; kept without one took none. */
const badness = ({ is, ms }: Judged): number => ms ?? (is === "broken" ? Infinity : 0);
