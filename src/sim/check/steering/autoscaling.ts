/**
 * [INV150] An autoscaled workload stays within the bounds of its autoscaler and of the policy in
 * force, moves by at most one step at a time, and the log takes at most one observation of it every
 * few seconds. [INV151] No workload is scaled up while a replica of it has no node: for want of
 * quota, of a place, or because no scheduler has seen the free place yet. [INV152] An autoscaler
 * asks for no more replicas than the load of the world needs or needed a moment ago, leaves no
 * fewer, and does not scale below the desired number of its window. [INV153] A number that a person
 * wrote stays for as long as the autoscaler says, and nothing is scaled that an override holds.
 *
 * They would break if replicas on their way were counted as missing, if missing samples were taken
 * for idle replicas, or if a controller overwrote a number that a person has changed since it was
 * read.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import { type ObjectKey, type Uid, workloadKey } from "../../../core/model/ids.ts";
import type { Autoscaler, Workload } from "../../../core/model/objects.ts";
import { demandWithin } from "../../world/demand-at.ts";
import type { Checker, Report, Truth } from "../checker.ts";
import { holdingAt, isAbout } from "../models/naive-overrides.ts";
import {
  boundsOf,
  idleOf,
  needed,
  type ScaleBounds,
  withoutNode,
  worldOf,
} from "../models/naive-scale.ts";
import { surely } from "../surely.ts";

/**
 * Measurements may be this old when the autoscaler acts on them, and the gauge's clock may be off.
 */
const SEEN_WITHIN_MS = 45_000;

/** Written out from the specification. */
const OBSERVED_APART_MS = 5_000;

interface Seen {
  readonly atMs: number;
  /** On the clock of the leadership that checked it. */
  readonly checkedMs: number;
  readonly epoch: number;
  /** Undefined: some serving replica was not measured. */
  readonly recommendation: number | undefined;
  readonly low: number;
}

/** The history of one workload. All times are true time. */
interface Shadow {
  seen: Seen[];
  /** The replica count of the last observation or scaling. */
  known: number | undefined;
  /**
   * When a person last wrote another number, and when an observation last found one: a person who
   * undoes the change leaves no trace.
   */
  wroteMs: number | undefined;
  byHandMs: number | undefined;
  upMs: number;
  downMs: number;
}

class AutoscalingChecker implements Checker {
  readonly name = "autoscaling";
  private readonly shadows = new Map<Uid, Shadow>();

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    if (commit.command === "observe") this.observed(commit, truth, report);
    if (commit.command === "scale") this.scaled(commit, truth, report);
    if (commit.command === "put" && truth.objects.all("Autoscaler").size > 0) {
      this.written(commit, truth);
    }
  }

  private shadowOf({ meta }: Autoscaler): Shadow {
    const held = this.shadows.get(meta.uid);
    if (held !== undefined) return held;
    const shadow: Shadow = {
      seen: [],
      known: undefined,
      wroteMs: undefined,
      byHandMs: undefined,
      upMs: Number.NEGATIVE_INFINITY,
      downMs: Number.NEGATIVE_INFINITY,
    };
    this.shadows.set(meta.uid, shadow);
    return shadow;
  }

  private observed(commit: Commit, truth: Truth, report: Report): void {
    for (const { after } of commit.changes) {
      if (after?.kind !== "Autoscaler" || after.status.observed === undefined) continue;
      const shadow = this.shadowOf(after);
      const last = shadow.seen.at(-1);
      // By the authority's clock: the commits of one batch become durable together, whenever they
      // were checked.
      const apartMs = commit.atMs - (last?.checkedMs ?? Number.NEGATIVE_INFINITY);
      if (last?.epoch === commit.epoch && apartMs < OBSERVED_APART_MS) {
        report("INV150", `${after.key} was observed twice within ${apartMs} ms.`, after.key);
      }
      const { sumMillis, covered, of } = after.status.observed;
      const recommendation = needed(sumMillis, after.spec.target.value * 1_000);
      const isWhole = covered > 0 && covered === of;
      const { epoch, atMs: checkedMs } = commit;
      const seen = { atMs: truth.nowMs, checkedMs, epoch, low: recommendation };
      shadow.seen.push({ ...seen, recommendation: isWhole ? recommendation : undefined });
      const replicas = truth.objects.workload(workloadOf(after))?.spec.replicas;
      if (shadow.known !== undefined && shadow.known !== replicas) {
        shadow.byHandMs = shadow.wroteMs;
      }
      shadow.known = replicas;
    }
  }

  private written(commit: Commit, truth: Truth): void {
    for (const { before, after } of commit.changes) {
      if (after?.kind !== "Workload" || before?.kind !== "Workload") continue;
      if (before.spec.replicas === after.spec.replicas) continue;
      for (const autoscaler of truth.objects.all("Autoscaler").values()) {
        if (workloadOf(autoscaler) !== after.key) continue;
        this.shadowOf(autoscaler).wroteMs = truth.nowMs;
      }
    }
  }

  private scaled(commit: Commit, truth: Truth, report: Report): void {
    const was = commit.changes.find(({ before }) => before?.kind === "Workload")?.before;
    const is = commit.changes.find(({ after }) => after?.kind === "Workload")?.after;
    const by = commit.changes.find(({ after }) => after?.kind === "Autoscaler")?.after;
    if (was?.kind !== "Workload" || is?.kind !== "Workload" || by?.kind !== "Autoscaler") {
      report("INV150", `${commit.operation} scaled nothing.`);
      return;
    }
    const shadow = this.shadowOf(by);
    const step: Step = { was, by, to: is.spec.replicas, atMs: commit.atMs, shadow, truth, report };
    const bounds = boundsOf(truth.objects, by, was);
    checkBounds(step, bounds);
    checkLoad(step, bounds);
    checkHands(step, bounds);
    const isUp = step.to > was.spec.replicas;
    const pending = isUp ? withoutNode(truth.objects, was) : undefined;
    if (pending !== undefined) {
      report("INV151", `${was.key} was given ${step.to} replicas, and ${pending}.`, was.key);
    }
    if (isUp) shadow.upMs = truth.nowMs;
    else shadow.downMs = truth.nowMs;
    shadow.known = step.to;
  }
}

const workloadOf = ({ meta, spec }: Autoscaler): ObjectKey =>
  workloadKey(meta.namespace, spec.workload);

interface Step {
  readonly was: Workload;
  readonly by: Autoscaler;
  readonly to: number;
  readonly atMs: number;
  readonly shadow: Shadow;
  readonly truth: Truth;
  readonly report: Report;
}

function checkBounds({ was, to, shadow, truth, report }: Step, bounds: ScaleBounds): void {
  const { key } = was;
  const from = was.spec.replicas;
  const { min, max } = bounds;
  if (to < min || to > max) {
    report("INV150", `${key} was given ${to} replicas, and may have ${min} to ${max}.`, key);
  }
  // A number outside of the bounds returns at once.
  if (from < min || from > max) return;
  const most = to > from ? bounds.upFrom(from) : bounds.downFrom(from);
  if (Math.abs(to - from) > most) {
    report("INV150", `${key} went from ${from} to ${to}, and a step is ${most}.`, key);
  }
  const sinceMs = truth.nowMs - (to > from ? shadow.upMs : shadow.downMs);
  const everyMs = to > from ? bounds.upEveryMs : bounds.downEveryMs;
  if (sinceMs < surely(everyMs)) {
    report("INV150", `${key} took two steps within ${sinceMs} of ${everyMs} ms.`, key);
  }
}

function checkLoad(step: Step, bounds: ScaleBounds): void {
  const { was, by, to, shadow, truth, report } = step;
  const { key } = was;
  const from = was.spec.replicas;
  const of = worldOf(truth, by);
  if (of === undefined || from < bounds.min || from > bounds.max) return;
  const perReplica = by.spec.target.value;
  const fromMs = truth.nowMs - SEEN_WITHIN_MS - of.lateMs;
  const { least, most } = demandWithin(of.demand, fromMs, truth.nowMs + 5_000);
  const { readiness } = by.spec;
  const serve = readiness === undefined ? 0 : readiness + idleOf(truth.objects, was);
  const enough = Math.max(bounds.min, needed(most, perReplica), serve);
  if (to > from && to > enough) {
    report("INV152", `${key} was given ${to} replicas, and ${enough} carry its load.`, key);
  }
  const few = Math.min(bounds.max, needed(least, perReplica));
  if (to < from && to < few) {
    report("INV152", `${key} was left ${to} replicas, and its load needs ${few}.`, key);
  }
  const windowMs = surely(to > from ? bounds.upWindowMs : bounds.downWindowMs);
  const within = shadow.seen.filter(({ atMs }, at, all) => {
    return at === all.length - 1 || truth.nowMs - atMs < windowMs;
  });
  const watchedMs = truth.nowMs - (shadow.seen[0]?.atMs ?? truth.nowMs);
  if (watchedMs < windowMs && (to < from || to > serve)) {
    const way = to > from ? "up" : "down";
    report("INV152", `${key} went ${way} to ${to} after ${watchedMs} ms of its window.`, key);
  }
  const isWhole = within.every(
    ({ recommendation }) => recommendation !== undefined && recommendation <= to,
  );
  if (to < from && !isWhole) {
    report("INV152", `${key} went down to ${to} against what was just observed of it.`, key);
  }
  if (to > from && to > serve && within.some(({ low }) => low < to)) {
    report("INV152", `${key} went up to ${to}, which was not needed all the time.`, key);
  }
}

function checkHands({ was, by, to, atMs, shadow, truth, report }: Step, bounds: ScaleBounds): void {
  const { key, meta } = was;
  const from = was.spec.replicas;
  const sinceMs = truth.nowMs - (shadow.byHandMs ?? Number.NEGATIVE_INFINITY);
  if (sinceMs < surely(bounds.handsOffMs) || (shadow.known ?? from) !== from) {
    report("INV153", `${key} was scaled ${sinceMs} ms after a person did so.`, key);
  }
  for (const override of holdingAt(truth.objects, atMs)) {
    if (!isAbout(override, meta.namespace, by.spec.workload)) continue;
    const { action } = override.spec;
    if (action === "freeze-tenant" || (action === "pause-expansion" && to > from)) {
      report("INV153", `${key} went from ${from} to ${to} against ${override.key}.`, key);
    }
  }
}

export const createAutoscalingChecker = (): Checker => new AutoscalingChecker();
