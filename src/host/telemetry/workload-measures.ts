/**
 * Rollouts, recoveries and how soon desired replicas are admitted, kept up to date with every
 * commit.
 */
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Replica, Workload } from "../../core/model/objects.ts";
import { isRecovering } from "../../core/model/recovery.ts";
import type { RolloutStage } from "../../core/model/rollout.ts";
import { workloadOf } from "../../core/model/workload-of.ts";
import { Distribution, WAITS_MS } from "./distribution.ts";
import type { MeasureSink } from "./measured.ts";

const ROLLOUT_STAGES: readonly RolloutStage[] = ["rolling", "going-back", "held", "rolled-back"];

export class WorkloadMeasures {
  readonly rollouts = new Map<RolloutStage, number>(ROLLOUT_STAGES.map((stage) => [stage, 0]));
  readonly rolloutsEnded = new Map<"finished" | "failed", number>([
    ["finished", 0],
    ["failed", 0],
  ]);
  recovering = 0;
  readonly recoveries = new Map<"in-time" | "missed", number>([
    ["in-time", 0],
    ["missed", 0],
  ]);
  readonly recoveryMs = new Distribution(WAITS_MS);
  /** From the write of a workload to the first replica that was admitted for it. */
  readonly admitMs = new Distribution(WAITS_MS);
  private readonly sink: MeasureSink;
  private readonly desiredMs = new Map<ObjectKey, number>();

  constructor(sink: MeasureSink) {
    this.sink = sink;
  }

  begin(workload: Workload): void {
    this.count(workload, 1);
  }

  fold(before: Workload | undefined, after: Workload | undefined, atMs: number): void {
    if (before !== undefined) this.count(before, -1);
    if (after !== undefined) this.count(after, 1);
    this.noteDesired(before, after, atMs);
    if (before === undefined || after === undefined) return;
    this.rolled(before, after);
    const { last } = after.status.recovery ?? {};
    if (last === undefined || last === before.status.recovery?.last) return;
    // The same recovery is told again when something else of the status changes.
    if (last.beganMs === before.status.recovery?.last?.beganMs) return;
    add(this.recoveries, last.missed === undefined ? "in-time" : "missed");
    this.recoveryMs.add(last.tookMs);
    this.sink.take({ indicator: "recovery", value: last.tookMs, atMs });
  }

  /** A replica was made. */
  admitted(replica: Replica, atMs: number): void {
    if (this.desiredMs.size === 0) return;
    const workload = workloadOf(replica);
    const desiredMs = this.desiredMs.get(workload);
    if (desiredMs === undefined) return;
    this.desiredMs.delete(workload);
    this.admitMs.add(Math.max(0, atMs - desiredMs));
  }

  /** Only a workload that asks for more than it did is waited for. */
  private noteDesired(
    before: Workload | undefined,
    after: Workload | undefined,
    atMs: number,
  ): void {
    const some = after ?? before;
    if (some === undefined) return;
    const wanted = after?.meta.deletingMs === undefined ? (after?.spec.replicas ?? 0) : 0;
    if (wanted > (before?.spec.replicas ?? 0)) this.desiredMs.set(some.key, atMs);
    else if (wanted === 0) this.desiredMs.delete(some.key);
  }

  private rolled(before: Workload, after: Workload): void {
    const was = before.status.rollout;
    const is = after.status.rollout;
    if (was?.stage === "rolling" && is === undefined) add(this.rolloutsEnded, "finished");
    if (
      is !== undefined &&
      is.stage !== "rolling" &&
      (was === undefined || was.stage === "rolling")
    )
      add(this.rolloutsEnded, "failed");
  }

  private count(workload: Workload, by: 1 | -1): void {
    const stage = workload.status.rollout?.stage;
    if (stage !== undefined) this.rollouts.set(stage, (this.rollouts.get(stage) ?? 0) + by);
    if (isRecovering(workload)) this.recovering += by;
  }
}

function add<Name>(counts: Map<Name, number>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
