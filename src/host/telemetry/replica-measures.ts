/**
 * How far replicas have come and how long it took them, kept up to date with every commit: a scrape
 * reads a few numbers, however many replicas there are. Times are those of commits, on the clock of
 * the leader. Everything is read off the two versions of a replica that a commit has; next to
 * nothing is remembered of one.
 */
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import { type Stage, STAGES, type StopReason } from "../../core/model/stage.ts";
import { ClassLabels } from "./class-labels.ts";
import { ClassMeasures } from "./class-measures.ts";
import { Distribution, WAITS_MS } from "./distribution.ts";
import type { MeasureSink } from "./measured.ts";

/** The stages between a bind and serving. */
const STARTING_UP: readonly Stage[] = ["bound", "starting", "ready"];

export class ReplicaMeasures {
  readonly stages = new Map<Stage, number>(STAGES.map((stage) => [stage, 0]));
  readonly classes = new Map<string, ClassMeasures>();
  /** How long replicas were at each stage on their way from a bind to serving. */
  readonly stageMs = new Map<Stage, Distribution>(
    STARTING_UP.map((stage) => [stage, new Distribution(WAITS_MS)]),
  );
  readonly stops = new Map<StopReason, number>();
  private readonly labels = new ClassLabels();
  private readonly sink: MeasureSink;
  /** When an incarnation began that had to wait for quota before it came into the queue. */
  private readonly admittedMs = new Map<ObjectKey, number>();
  private lastClass: { readonly name: string; readonly measures: ClassMeasures } | undefined;

  constructor(sink: MeasureSink) {
    this.sink = sink;
  }

  /** The state at the start; how long it took to get there is unknown. */
  begin(replica: Replica): void {
    this.enter(replica);
  }

  fold(before: Replica | undefined, after: Replica | undefined, atMs: number): void {
    const was = before?.status;
    const is = after?.status;
    if (
      was !== undefined &&
      is !== undefined &&
      was.stage === is.stage &&
      was.incarnation === is.incarnation
    ) {
      if (was.stopping === undefined && is.stopping !== undefined) this.stopped(is.stopping.reason);
      return;
    }
    if (before !== undefined) this.leave(before, after, atMs);
    if (after !== undefined) this.enter(after);
  }

  private enter({ key, spec, status }: Replica): void {
    const { stage, stageSinceMs } = status;
    this.count(stage, 1);
    if (stage === "queued") this.classOf(spec.template.priorityClass).enter(stageSinceMs);
    else if (stage === "admitted") this.admittedMs.set(key, stageSinceMs);
  }

  private leave(before: Replica, after: Replica | undefined, atMs: number): void {
    const { key, status } = before;
    const next = after?.status.stage;
    this.count(status.stage, -1);
    if (status.stage === "queued") this.leaveQueue(before, next === "bound", atMs);
    else if (status.stage !== "admitted")
      this.stageMs.get(status.stage)?.add(atMs - status.stageSinceMs);
    if (this.admittedMs.size > 0 && next !== "queued") this.admittedMs.delete(key);
  }

  private leaveQueue({ key, spec, status }: Replica, isBound: boolean, atMs: number): void {
    const { priorityClass } = spec.template;
    const { stageSinceMs: sinceMs } = status;
    const measures = this.classOf(priorityClass);
    measures.leave(sinceMs);
    if (!isBound) return;
    const beganMs = this.admittedMs.size === 0 ? sinceMs : (this.admittedMs.get(key) ?? sinceMs);
    // Clocks of two leaders may differ: a time below nothing is none.
    const queueMs = Math.max(0, atMs - sinceMs);
    const bindMs = Math.max(0, atMs - beganMs);
    measures.queueMs.add(queueMs);
    measures.bindMs.add(bindMs);
    if (!this.sink.isWanted) return;
    this.sink.take({ indicator: "queue-wait", value: queueMs, atMs, priorityClass });
    this.sink.take({ indicator: "bind-latency", value: bindMs, atMs, priorityClass });
  }

  private stopped(reason: StopReason): void {
    this.stops.set(reason, (this.stops.get(reason) ?? 0) + 1);
  }

  private count(stage: Stage, by: 1 | -1): void {
    this.stages.set(stage, (this.stages.get(stage) ?? 0) + by);
  }

  /** Whole workloads are queued and bound at once: it is mostly the same one again. */
  private classOf(name: string): ClassMeasures {
    if (this.lastClass?.name === name) return this.lastClass.measures;
    const label = this.labels.of(name);
    let measures = this.classes.get(label);
    if (measures === undefined) {
      measures = new ClassMeasures();
      this.classes.set(label, measures);
    }
    this.lastClass = { name, measures };
    return measures;
  }
}
