/**
 * Takes what was measured into the log: one number for all samples of a while (AS2). The desired
 * numbers within the windows are kept with it, in parts, so that a restart forgets nothing and a
 * window of an hour costs no more than one of a minute. Times of an earlier leadership are counted
 * from the beginning of this one: too long, never too short (AS3).
 */
import type { JobMoment } from "../../model/batch.ts";
import {
  type AutoscalerStatus,
  type LoadReading,
  MISSING_MOST_CHARACTERS,
  OBSERVATION_OLD_MS,
  OBSERVE_EVERY_MS,
  scaledWorkload,
  SUM_MOST_MILLIS,
  targetMillis,
  WINDOW_PARTS,
  type Recommendation,
} from "../../model/autoscaler.ts";
import type { Autoscaler, Workload } from "../../model/objects.ts";
import { isCovered, replicasNeeded } from "../../rules/scale/desired-replicas.ts";
import { scaleTerms } from "../../rules/scale/scale-now.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { type CommitContext, changed, missing, touched, type Verdict } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { autoscalerOf } from "../checks/autoscaler.ts";
import { isCount } from "../../kinds/well-formed/malformed-amounts.ts";

export function checkObserve(context: CommitContext, intent: IntentOf<"observe">): Verdict {
  const { key, autoscaler } = autoscalerOf(context, intent.autoscaler);
  if (autoscaler === undefined) return missing(key);
  if (context.role !== "gauge") return reject("not-owner", key, "gauge", context.role);
  const workload = context.ledger.objects.workload(scaledWorkload(autoscaler));
  if (workload === undefined) return missing(scaledWorkload(autoscaler));
  const wrong = malformedReading(intent) ?? tooSoon(context, autoscaler);
  if (wrong !== undefined) return wrong;
  const after: Autoscaler = {
    ...autoscaler,
    meta: touched(autoscaler.meta, context.next),
    status: observedStatus(context, { autoscaler, workload, reading: intent.reading }),
  };
  return [changed<Autoscaler>(autoscaler, after)];
}

function malformedReading({ autoscaler, reading }: IntentOf<"observe">): Rejection | undefined {
  const { sumMillis, covered, of, windowMs, missing: why = "" } = reading;
  if (!isCount(sumMillis) || sumMillis > SUM_MOST_MILLIS) {
    return reject("bad-reading", `${autoscaler} sum`, `up to ${SUM_MOST_MILLIS}`, sumMillis);
  }
  if (!isCount(of) || !isCount(covered) || covered > of) {
    return reject("bad-reading", `${autoscaler} covered`, `at most ${of}`, covered);
  }
  if (typeof why !== "string" || why.length > MISSING_MOST_CHARACTERS) {
    const most = `a text of at most ${MISSING_MOST_CHARACTERS} characters`;
    return reject("bad-reading", `${autoscaler} missing`, most, typeof why);
  }
  return isCount(windowMs)
    ? undefined
    : reject("bad-reading", `${autoscaler} window`, "a whole number", windowMs);
}

function tooSoon(
  { ledger, nowMs }: CommitContext,
  { key, status }: Autoscaler,
): Rejection | undefined {
  const { observed } = status;
  if (observed === undefined || observed.epoch !== ledger.epoch) return undefined;
  const ageMs = nowMs - observed.atMs;
  return ageMs >= OBSERVE_EVERY_MS
    ? undefined
    : reject("observed-lately", key, `${OBSERVE_EVERY_MS} ms apart`, `${ageMs} ms`);
}

function observedStatus(
  context: CommitContext,
  given: {
    readonly autoscaler: Autoscaler;
    readonly workload: Workload;
    readonly reading: LoadReading;
  },
): AutoscalerStatus {
  const { autoscaler, workload, reading } = given;
  const { spec, status: was } = autoscaler;
  const moment: JobMoment = { atMs: context.nowMs, epoch: context.ledger.epoch };
  const { up, down } = scaleTerms(context.ledger.objects, autoscaler, workload);
  const recommendation = replicasNeeded(reading.sumMillis, targetMillis(spec.target));
  const { replicas } = workload.spec;
  const isAnothers = was.replicas !== undefined && was.replicas !== replicas;
  const manual = isAnothers ? moment : rebased(context, was.manual);
  const most: Recommendation = isCovered(reading)
    ? { ...moment, replicas: recommendation }
    : moment;
  return {
    ...was,
    ...moved("manual", manual),
    ...moved("lastUp", rebased(context, was.lastUp)),
    ...moved("lastDown", rebased(context, was.lastDown)),
    observed: { ...reading, ...moment, seq: (was.observed?.seq ?? 0) + 1 },
    least: remembered(context, was.least, {
      recommendation: { ...moment, replicas: recommendation },
      windowMs: up.windowMs,
      join: (a, b) => Math.min(a ?? 0, b ?? 0),
    }),
    most: remembered(context, was.most, {
      recommendation: most,
      windowMs: down.windowMs,
      join: larger,
    }),
    leastSince: knownSince(context, was, { since: was.leastSince, windowMs: up.windowMs }),
    mostSince: knownSince(context, was, { since: was.mostSince, windowMs: down.windowMs }),
    replicas,
  };
}

const moved = <K extends string, T>(name: K, value: T | undefined): Partial<Record<K, T>> =>
  value === undefined ? {} : ({ [name]: value } as Record<K, T>);

/** Of an earlier leadership it is only known that it is older than this one. */
function rebased<T extends JobMoment>(
  { ledger }: CommitContext,
  moment: T | undefined,
): T | undefined {
  if (moment === undefined || moment.epoch === ledger.epoch) return moment;
  return { ...moment, atMs: ledger.leadSinceMs, epoch: ledger.epoch };
}

/**
 * Values older than the window are about to be forgotten; who makes it longer later finds that out.
 * After a gap too long for decisions, the desired number meanwhile is unknown.
 */
function knownSince(
  context: CommitContext,
  { observed }: AutoscalerStatus,
  { since, windowMs }: { readonly since: JobMoment | undefined; readonly windowMs: number },
): JobMoment {
  const { nowMs, ledger } = context;
  const { epoch } = ledger;
  const isGap = observed?.epoch === epoch && nowMs - observed.atMs > OBSERVATION_OLD_MS;
  const sinceMs = isGap ? nowMs : (rebased(context, since)?.atMs ?? nowMs);
  return { atMs: Math.max(sinceMs, nowMs - windowMs), epoch };
}

type Count = number | undefined;

const larger = (a: Count, b: Count): Count =>
  a === undefined || b === undefined ? undefined : Math.max(a, b);

/**
 * The recommendations of the window, this one included. Those of one part of it are kept as one, at
 * the time of the first.
 */
function remembered(
  context: CommitContext,
  recommendations: readonly Recommendation[] = [],
  given: {
    readonly recommendation: Recommendation;
    readonly windowMs: number;
    readonly join: (a: Count, b: Count) => Count;
  },
): readonly Recommendation[] {
  const { recommendation, windowMs, join } = given;
  const partMs = Math.ceil(windowMs / WINDOW_PARTS);
  const recent = recommendations
    .map((each) => rebased(context, each) ?? each)
    // A part counts until the last moment that may be in it has left the window.
    .filter(({ atMs }) => recommendation.atMs - atMs < windowMs + partMs);
  const last = recent.at(-1);
  if (last === undefined || recommendation.atMs - last.atMs >= partMs)
    return [...recent, recommendation];
  const replicas = join(last.replicas, recommendation.replicas);
  const joined: Recommendation = {
    atMs: last.atMs,
    epoch: last.epoch,
    ...moved("replicas", replicas),
  };
  return [...recent.slice(0, -1), joined];
}
