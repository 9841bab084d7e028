/**
 * Who serves at each moment, by the processes that there are: a replica on a machine without power
 * does not serve, whatever the log still says. From it come the recoveries of a run: what each
 * workload had, the least that it had, when it had as much again, and where the time went.
 */
import type { Commit } from "../core/protocol/commit-record.ts";
import type { ObjectKey } from "../core/model/ids.ts";
import type { Replica } from "../core/model/objects.ts";
import type { RecoveryStage } from "../core/model/recovery.ts";
import type { Stage } from "../core/model/stage.ts";
import { workloadOf } from "../core/model/workload-of.ts";
import type { Checker, LiveProcess, Truth } from "../sim/check/checker.ts";
import { isRenewal } from "../sim/check/fast-path.ts";
import type { TwinAbsence, TwinRecovery } from "./twin-run.ts";

/** Of the truth: what both a simulated run and the log of a plane tell. */
type ServingTruth = Pick<Truth, "nowMs" | "objects" | "processesOn">;

type EndedProcess = Pick<LiveProcess, "replica" | "incarnation">;

/** One replica that served at the failure and did not for a while. */
interface Loss {
  readonly lostMs: number;
  stage: RecoveryStage;
  sinceMs: number;
  readonly spentMs: Partial<Record<RecoveryStage, number>>;
}

interface Place {
  readonly workload: ObjectKey;
  readonly region: string;
}

interface Tally {
  serving: number;
  /** By region, none of zero. */
  readonly in: Map<string, number>;
  /** Set at the first event. */
  before: number;
  least: number;
  /** Fewer served than before and than are wanted, at some moment. */
  hasFallen: boolean;
  /** When as many served again, since the last moment at which they did not. */
  backMs: number | undefined;
  /** Absences that are over; in true time. */
  readonly absences: TwinAbsence[];
  readonly lost: Map<ObjectKey, Loss>;
  /** Since the first event. */
  readonly steps: { atMs: number; in: Readonly<Record<string, number>> }[];
}

export class ServingRecord implements Checker {
  readonly name = "serving-record";
  private readonly tallies = new Map<ObjectKey, Tally>();
  /** Where each replica that serves does so. */
  private readonly serving = new Map<ObjectKey, Place>();
  /** True time of the first event; nothing is a loss before it. */
  private fromMs = Infinity;

  /** The first event happens now. */
  begin(nowMs: number): void {
    this.fromMs = nowMs;
    for (const tally of this.tallies.values()) {
      tally.before = tally.serving;
      tally.least = tally.serving;
    }
  }

  afterCommit(commit: Commit, truth: ServingTruth): void {
    if (isRenewal(commit)) return;
    for (const { key, before, after } of commit.changes) {
      if (after?.kind === "Replica") this.changed(after, truth);
      else if (before?.kind === "Replica" && after === undefined) this.gone(key, truth);
      else if (after?.kind === "Workload") this.look(after.key, truth);
    }
  }

  processStarted(process: LiveProcess, truth: ServingTruth): void {
    const replica = truth.objects.replica(process.replica);
    if (replica !== undefined) this.changed(replica, truth);
  }

  processEnded({ replica, incarnation }: EndedProcess, truth: ServingTruth): void {
    const held = truth.objects.replica(replica);
    if (held?.status.incarnation === incarnation) this.serves(held, false, truth);
  }

  recoveries(): readonly TwinRecovery[] {
    return [...this.tallies]
      .filter(([, { hasFallen }]) => hasFallen)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([workload, tally]) => ({
        workload,
        before: tally.before,
        least: tally.least,
        ...(tally.backMs === undefined ? {} : { recoveredMs: tally.backMs - this.fromMs }),
        stages: slowestOf(tally.absences),
        serving: tally.steps.map((step) => ({ ...step, atMs: step.atMs - this.fromMs })),
        absences: tally.absences.map((absence) => since(this.fromMs, absence)),
      }));
  }

  /** Closes the books: a replica that is still missing is counted until now. */
  end(nowMs: number): void {
    for (const tally of this.tallies.values()) {
      for (const loss of tally.lost.values()) {
        spend(loss, nowMs);
        const { lostMs, spentMs, stage } = loss;
        tally.absences.push({ lostMs, stages: spentMs, open: stage });
      }
    }
  }

  private changed(replica: Replica, truth: ServingTruth): void {
    this.serves(replica, isServing(replica, truth), truth);
    const tally = this.tallies.get(workloadOf(replica));
    const loss = tally?.lost.get(replica.key);
    if (tally === undefined || loss === undefined) return;
    const stage = RECOVERY_STAGE[replica.status.stage] ?? "lost";
    if (stage === loss.stage) return;
    spend(loss, truth.nowMs);
    loss.stage = stage;
  }

  private serves(replica: Replica, isNow: boolean, truth: ServingTruth): void {
    const { key } = replica;
    if (this.serving.has(key) === isNow) return;
    const workload = workloadOf(replica);
    const tally = this.tallyOf(workload);
    if (isNow) {
      const region = truth.objects.nodeNamed(replica.status.node ?? "")?.spec.region ?? "";
      this.serving.set(key, { workload, region });
      count(tally, region, 1);
      this.isBack(tally, replica, truth);
    } else {
      count(tally, this.serving.get(key)?.region ?? "", -1);
      this.serving.delete(key);
      if (truth.nowMs >= this.fromMs) tally.lost.set(key, lossAt(truth.nowMs));
    }
    this.look(workload, truth);
  }

  private isBack(tally: Tally, { key, status }: Replica, { nowMs, objects }: ServingTruth): void {
    const loss = tally.lost.get(key);
    if (loss === undefined) return;
    tally.lost.delete(key);
    spend(loss, nowMs);
    const { lostMs, spentMs } = loss;
    const region = objects.nodeNamed(status.node ?? "")?.spec.region;
    const where = region === undefined ? {} : { region };
    tally.absences.push({ lostMs, backMs: nowMs, ...where, stages: spentMs });
  }

  /** The object is gone for good, such as that of an earlier template or of a smaller workload. */
  private gone(key: ObjectKey, truth: ServingTruth): void {
    const place = this.serving.get(key);
    if (place !== undefined) {
      this.serving.delete(key);
      count(this.tallyOf(place.workload), place.region, -1);
      this.look(place.workload, truth);
    }
    for (const tally of this.tallies.values()) if (tally.lost.delete(key)) return;
  }

  /** Whether as many serve as before, or as many as are wanted by now. */
  private look(workload: ObjectKey, truth: ServingTruth): void {
    if (truth.nowMs < this.fromMs) return;
    const tally = this.tallyOf(workload);
    tally.least = Math.min(tally.least, tally.serving);
    const wanted = truth.objects.workload(workload)?.spec.replicas ?? 0;
    const isShort = tally.serving < Math.min(tally.before, wanted);
    if (!isShort) tally.backMs ??= truth.nowMs;
    else tally.backMs = undefined;
    tally.hasFallen ||= isShort;
    const step = { atMs: truth.nowMs, in: Object.fromEntries(tally.in) };
    // Several replicas of one machine end at once: only what is true afterwards counts.
    if (tally.steps.at(-1)?.atMs === truth.nowMs) tally.steps.pop();
    tally.steps.push(step);
  }

  private tallyOf(workload: ObjectKey): Tally {
    let tally = this.tallies.get(workload);
    if (tally === undefined) {
      tally = newTally();
      this.tallies.set(workload, tally);
    }
    return tally;
  }
}

const newTally = (): Tally => ({
  serving: 0,
  in: new Map(),
  before: 0,
  least: 0,
  hasFallen: false,
  backMs: undefined,
  absences: [],
  lost: new Map(),
  steps: [],
});

function count(tally: Tally, region: string, by: 1 | -1): void {
  tally.serving += by;
  const now = (tally.in.get(region) ?? 0) + by;
  if (now === 0) tally.in.delete(region);
  else tally.in.set(region, now);
}

const RECOVERY_STAGE: Readonly<Partial<Record<Stage, RecoveryStage>>> = {
  queued: "queued",
  bound: "bound",
  starting: "starting",
  ready: "ready",
};

function isServing({ key, status }: Replica, truth: ServingTruth): boolean {
  const { stage, node, incarnation } = status;
  if ((stage !== "serving" && stage !== "running") || node === undefined) return false;
  for (const process of truth.processesOn(node)) {
    if (process.replica === key && process.incarnation === incarnation) return true;
  }
  return false;
}

const lossAt = (nowMs: number): Loss => ({
  lostMs: nowMs,
  stage: "lost",
  sinceMs: nowMs,
  spentMs: {},
});

function spend(loss: Loss, nowMs: number): void {
  loss.spentMs[loss.stage] = (loss.spentMs[loss.stage] ?? 0) + nowMs - loss.sinceMs;
  loss.sinceMs = nowMs;
}

function since(fromMs: number, absence: TwinAbsence): TwinAbsence {
  const { lostMs, backMs } = absence;
  const back = backMs === undefined ? {} : { backMs: backMs - fromMs };
  return { ...absence, lostMs: lostMs - fromMs, ...back };
}

function slowestOf(absences: readonly TwinAbsence[]): TwinAbsence["stages"] {
  const [slowest] = absences.toSorted((a, b) => lengthOf(b) - lengthOf(a));
  return { ...slowest?.stages };
}

const lengthOf = ({ stages }: TwinAbsence): number =>
  Object.values(stages).reduce((sum, ms) => sum + ms, 0);
