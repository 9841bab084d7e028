/**
 * Whether the replicas of a workload were back in time. The cause that is told is that of the
 * replica whose return made it enough again, or of one that is still missing: so no part of a
 * recovery is told as longer than the recovery.
 */
import type { TwinAbsence, TwinRecovery, TwinRun, TwinServing } from "../../twin/twin-run.ts";
import { type StatedPromise, workloadOfPromise } from "../promise.ts";
import { spanText } from "../report/span-text.ts";
import { stageSubject } from "../report/stage-subject.ts";
import type { Judged } from "./judged.ts";

interface Wanted {
  readonly replicas: number;
  readonly regions: readonly string[] | undefined;
}

export function judgeRecovery(run: TwinRun, promise: StatedPromise): Judged {
  const { recover } = promise.spec;
  const key = workloadOfPromise(promise);
  const recovery = run.recoveries.find(({ workload }) => workload === key);
  if (recover === undefined) return { is: "unknown" };
  const { withinMs, replicas, in: regions } = recover;
  // No replica was lost; the caller has made sure that enough serve where they are to serve.
  if (recovery === undefined) return { is: "kept", ms: 0 };
  const wanted = { replicas: replicas ?? recovery.before, regions };
  const ms = backMs(recovery, wanted);
  if (ms === "unknown") {
    return { is: "unknown", why: "the forecast does not tell how many serve in which region" };
  }
  if (ms === undefined) return stillMissing(recovery, wanted);
  const last = lastOf(recovery.absences, ms, regions);
  const slowest = last && longestOf(last);
  const took = slowest === undefined ? {} : { slowest: slowest.stage };
  if (ms <= withinMs) return { is: "kept", ms, ...took };
  const back = `it was back after ${spanText(ms)}`;
  const why =
    slowest === undefined
      ? back
      : `${stageSubject(slowest.stage)} took ${spanText(slowest.ms)}, and ${back}`;
  return { is: "broken", ms, ...took, why };
}

/** Since when enough serve, until the end of the watch; undefined: not at its end. */
function backMs(
  { before, recoveredMs, serving }: TwinRecovery,
  { replicas, regions }: Wanted,
): number | undefined | "unknown" {
  if (serving === undefined) {
    // As many as before are at least as many as asked for; where they are is not known.
    if (regions !== undefined) return "unknown";
    if (recoveredMs !== undefined && before >= replicas) return recoveredMs;
    return before === replicas ? undefined : "unknown";
  }
  let since: number | undefined;
  for (const { atMs, in: counts } of serving) {
    if (countIn(counts, regions) < replicas) since = undefined;
    else since ??= atMs;
  }
  return since;
}

function countIn(counts: TwinServing["in"], regions: readonly string[] | undefined): number {
  let count = 0;
  for (const [region, serving] of Object.entries(counts)) {
    if (regions === undefined || regions.includes(region)) count += serving;
  }
  return count;
}

/** The replica that made it enough again; of several at one moment, the longest away. */
function lastOf(
  absences: readonly TwinAbsence[],
  ms: number,
  regions: readonly string[] | undefined,
): TwinAbsence | undefined {
  const [last] = absences
    .filter(({ backMs: at }) => at === ms)
    .filter(({ region }) => isIn(region, regions))
    .toSorted((a, b) => a.lostMs - b.lostMs);
  return last;
}

const isIn = (region: string | undefined, regions: readonly string[] | undefined): boolean =>
  regions === undefined || region === undefined || regions.includes(region);

function stillMissing(recovery: TwinRecovery, { replicas, regions }: Wanted): Judged {
  const [missing] = recovery.absences
    .filter(({ open }) => open !== undefined)
    .toSorted((a, b) => a.lostMs - b.lostMs);
  const slowest = missing && longestOf(missing);
  if (slowest === undefined)
    return { is: "broken", why: whereTheyAre(recovery, replicas, regions) };
  const { stage, ms } = slowest;
  const why =
    stage === missing?.open
      ? `${stageSubject(stage)} was not over after ${spanText(ms)}, when the watch ended`
      : `${stageSubject(stage)} took ${spanText(ms)}, and it was not back when the watch ended`;
  return { is: "broken", slowest: stage, why };
}

/** Every replica that was lost is back, and yet too few serve where they are to serve. */
function whereTheyAre(
  { serving = [] }: TwinRecovery,
  replicas: number,
  regions: readonly string[] | undefined,
): string {
  const count = countIn(serving.at(-1)?.in ?? {}, regions);
  const where = regions === undefined ? "" : ` in ${regions.join(" and ")}`;
  return `only ${count} of ${replicas} replicas served${where} when the watch ended`;
}

function longestOf({
  stages,
}: TwinAbsence): { readonly stage: string; readonly ms: number } | undefined {
  const [first] = Object.entries(stages).toSorted(([, a], [, b]) => b - a);
  return first === undefined ? undefined : { stage: first[0], ms: first[1] };
}
