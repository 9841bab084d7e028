/**
 * The unfinished work of a job, for `unfinished.ts`: an incarnation it may begin, an end that is
 * due, or replicas that are left after its end.
 */
import type { Replica, Workload } from "../../../core/model/objects.ts";
import type { Truth } from "../checker.ts";
import { isFinished, jobOver, type JobPicture, jobPicture } from "../models/naive-jobs.ts";
import { replicasOf } from "../models/naive-wanted.ts";
import type { Unfinished } from "./unfinished-work.ts";

/**
 * As in `unfinished.ts`: a failed index restarts after a second, doubling, at most after five
 * minutes.
 */
const FIRST_RESTART_MS = 1_000;
const LAST_RESTART_MS = 300_000;

/**
 * The controller asks a little after the deadline on purpose, since clocks differ by a hundredth.
 */
const late = (ms: number): number => ms + Math.ceil((ms * 6) / 100);

/**
 * Whether nothing is demanded of the index alone: the job as a whole answers for an index at rest.
 */
export function isJobs(workload: Workload, replica: Replica | undefined): boolean {
  if (workload.spec.batch === undefined) return false;
  const stage = replica?.status.stage;
  return isFinished(workload) || stage === undefined || stage === "failed" || stage === "released";
}

export function* jobNotDone(
  workload: Workload,
  truth: Truth,
  stallMs: number,
): Iterable<Unfinished> {
  const picture = jobPicture(truth.objects, workload);
  if (picture === undefined) return;
  if (isFinished(workload)) {
    yield* leftAfter(workload, truth, stallMs);
    return;
  }
  const { key } = workload;
  const over = jobOver(picture);
  if (over !== undefined) {
    const message = `${key} is over (${over}), and no controller has finished it.`;
    yield { rule: "LIV30", key, stuckAs: "over", patienceMs: stallMs, message };
    return;
  }
  const { activeDeadlineMs } = workload.spec.batch ?? {};
  if (activeDeadlineMs !== undefined && workload.status.batch !== undefined) {
    const message = `${key} goes on beyond its deadline of ${activeDeadlineMs} ms.`;
    const patienceMs = late(activeDeadlineMs) + stallMs;
    yield { rule: "LIV30", key, stuckAs: "active", patienceMs, message };
  }
  const idle = couldBegin(workload, picture, stallMs);
  if (idle !== undefined) yield idle;
}

function couldBegin(
  { key, spec }: Workload,
  picture: JobPicture,
  stallMs: number,
): Unfinished | undefined {
  const { live, oldLive, parallelism, unborn, again } = picture;
  // A gang begins as a whole and is checked as a whole.
  if (spec.gang !== undefined || live.length >= parallelism || oldLive.length > 0) return undefined;
  if (unborn + again.length === 0) return undefined;
  const delays = again.map(({ status }) => restartMs(status.failures));
  const incarnations = [...live, ...again].map(
    (each) => `${each.spec.index}.${each.status.incarnation}`,
  );
  const what = `${live.length} of ${key} live, of ${parallelism} that may`;
  return {
    rule: "LIV30",
    key,
    stuckAs: `${picture.succeeded} done, ${unborn} unborn, ${incarnations.join(" ")}`,
    patienceMs: stallMs + (unborn > 0 ? 0 : Math.min(...delays)),
    message: `${what}, and ${unborn + again.length} indexes wait.`,
  };
}

function* leftAfter(workload: Workload, truth: Truth, stallMs: number): Iterable<Unfinished> {
  const { key, spec } = workload;
  for (const { key: name, status } of replicasOf(truth.objects, workload)) {
    const { stage, incarnation, node } = status;
    if (stage === "succeeded" || stage === "failed" || stage === "released") continue;
    if (node !== undefined && !truth.isNodeUp(node)) continue;
    const stuckAs = `${stage} in incarnation ${incarnation}`;
    const message = `${name} is ${stage}, and its job is over.`;
    yield { rule: "LIV4", key: name, stuckAs, patienceMs: stallMs, message };
  }
  const ttlMs = spec.batch?.ttlMs;
  if (ttlMs === undefined) return;
  const message = `${key} is still there, ${ttlMs} ms after it was finished.`;
  yield { rule: "LIV30", key, stuckAs: "kept", patienceMs: late(ttlMs) + stallMs, message };
}

function restartMs(failures: number): number {
  let delayMs = failures === 0 ? 0 : FIRST_RESTART_MS;
  for (let failure = 1; failure < failures && delayMs < LAST_RESTART_MS; failure += 1) delayMs *= 2;
  return Math.min(delayMs, LAST_RESTART_MS);
}
