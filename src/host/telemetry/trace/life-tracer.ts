/**
 * Makes one trace of each life of a replica, from its admission until it serves: a span for each stage, with the
 * command that began it. It reads what is published, on every plane, so that one that takes over knows how the life
 * began; only the plane that leads passes spans on. Times are those of commits.
 */
import type { Commit } from "../../../core/commit/commit-record.ts";
import type { ObjectKey } from "../../../core/model/ids.ts";
import type { Replica } from "../../../core/model/objects.ts";
import { isResting, type Stage } from "../../../core/model/stage.ts";
import type { PlanePort } from "../../plane-port.ts";
import { aboutReplica, correlationOf } from "../correlation.ts";
import {
  isSampled,
  rootIdOf,
  type Span,
  type SpanAttributes,
  stageIdOf,
  traceIdOf,
} from "./span.ts";

/** At about half a kilobyte each; lives beyond it are not traced. */
const OPEN_LIVES = 50_000;

interface OpenLife {
  readonly traceId: string;
  readonly beganMs: number;
  readonly about: SpanAttributes;
  stage: Stage;
  sinceMs: number;
  /** Of the command that began the stage. */
  by: SpanAttributes;
}

export interface LifeTracerOf {
  readonly plane: PlanePort;
  /** The part of all lives that are traced, 0 to 1. */
  readonly rate: number;
  readonly take: (spans: readonly Span[]) => void;
}

export class LifeTracer {
  private readonly of: LifeTracerOf;
  private readonly open = new Map<ObjectKey, OpenLife>();
  private readonly leave: () => void;

  constructor(of: LifeTracerOf) {
    this.of = of;
    this.beginAgain();
    this.leave = of.plane.onPublish((commits) => this.read(commits));
  }

  close(): void {
    this.leave();
  }

  /** From what is there now: the plane has just begun, or nobody was told how it came about. */
  beginAgain(): void {
    this.open.clear();
    for (const replica of this.of.plane.objects.all("Replica").values()) this.resume(replica);
  }

  private read(commits: readonly Commit[]): void {
    const spans: Span[] = [];
    for (const commit of commits) {
      for (const { before, after } of commit.changes) {
        if ((after ?? before)?.kind !== "Replica") continue;
        this.fold(before as Replica | undefined, after as Replica | undefined, commit, spans);
      }
    }
    if (spans.length > 0 && this.of.plane.isLeading) this.of.take(spans);
  }

  private fold(
    before: Replica | undefined,
    after: Replica | undefined,
    commit: Commit,
    spans: Span[],
  ): void {
    if (after === undefined) {
      if (before !== undefined) this.end(before, "deleted", commit, spans);
      return;
    }
    const isSameLife = before?.status.life === after.status.life;
    if (!isSameLife) {
      if (before !== undefined) this.end(before, "replaced", commit, spans);
      this.begin(after, commit, spans);
      return;
    }
    if (before.status.stage !== after.status.stage) this.move(after, commit, spans);
  }

  /** What was under way when this plane came: of what lies before nothing is told. */
  private resume(replica: Replica): void {
    const { life, stage, stageSinceMs } = replica.status;
    if (isOver(stage)) return;
    const beganMs = life === 1 ? replica.meta.createdMs : stageSinceMs;
    this.put(replica, beganMs, { stage, sinceMs: stageSinceMs, by: {} });
  }

  private begin(replica: Replica, commit: Commit, spans: Span[]): void {
    const { stage } = replica.status;
    const { atMs } = commit;
    const by = byCommit(commit);
    const life = this.put(replica, atMs, { stage: "admitted", sinceMs: atMs, by });
    // One command may give a life and queue it at once.
    if (life !== undefined && stage !== "admitted") this.move(replica, commit, spans);
  }

  private put(
    replica: Replica,
    beganMs: number,
    at: Pick<OpenLife, "stage" | "sinceMs" | "by">,
  ): OpenLife | undefined {
    const { uid, name } = replica.meta;
    const { life } = replica.status;
    const { plane, rate } = this.of;
    if (!isSampled(uid, life, rate)) return undefined;
    if (this.open.size >= OPEN_LIVES) {
      plane.meter.spans.dropped += 1;
      return undefined;
    }
    const { tenant, workload, generation, policy, policyRevision, quota } = correlationOf(
      plane.objects,
      aboutReplica(replica),
    );
    const about = {
      "berth.tenant": tenant,
      "berth.workload": workload,
      "berth.generation": generation,
      "berth.replica": name,
      "berth.life": life,
      "berth.priority_class": replica.spec.template.priorityClass,
      "berth.policy": policy,
      "berth.policy_revision": policyRevision,
      "berth.quota": quota,
    };
    const opened = { traceId: traceIdOf(uid, life), beganMs, about, ...at };
    this.open.set(replica.key, opened);
    return opened;
  }

  private move(replica: Replica, commit: Commit, spans: Span[]): void {
    const life = this.open.get(replica.key);
    if (life === undefined) return;
    const { stage, node, lastEnd } = replica.status;
    const { atMs } = commit;
    spans.push(stageSpan(life, atMs, stage));
    const ended = isResting(stage) && lastEnd !== undefined ? { "berth.end": lastEnd } : {};
    life.stage = stage;
    life.sinceMs = atMs;
    life.by = {
      ...byCommit(commit),
      ...(node === undefined ? {} : { "berth.node": node }),
      ...ended,
    };
    if (!isOver(stage)) return;
    this.open.delete(replica.key);
    spans.push(stageSpan(life, atMs, stage), rootSpan(life, atMs, stage));
  }

  private end({ key }: Replica, outcome: string, { atMs }: Commit, spans: Span[]): void {
    const life = this.open.get(key);
    if (life === undefined) return;
    this.open.delete(key);
    spans.push(stageSpan(life, atMs, outcome), rootSpan(life, atMs, outcome));
  }
}

/** It serves, or it never will in this life. */
const isOver = (stage: Stage): boolean =>
  stage === "serving" || stage === "running" || isResting(stage);

const byCommit = ({
  operation,
  epoch,
  basis,
  revision,
  actor,
  command,
}: Commit): SpanAttributes => ({
  "berth.operation": operation,
  "berth.command": command,
  "berth.actor": actor.name,
  "berth.epoch": epoch,
  "berth.basis_revision": basis,
  "berth.revision": revision,
});

const stageSpan = (life: OpenLife, endMs: number, outcome: string): Span => ({
  traceId: life.traceId,
  spanId: stageIdOf(life.traceId, life.stage, life.sinceMs),
  parentSpanId: rootIdOf(life.traceId),
  name: life.stage,
  startMs: life.sinceMs,
  endMs: Math.max(endMs, life.sinceMs),
  attributes: [life.about, life.by, { "berth.outcome": outcome }],
  isError: outcome === "failed",
});

const rootSpan = (life: OpenLife, endMs: number, outcome: string): Span => ({
  traceId: life.traceId,
  spanId: rootIdOf(life.traceId),
  name: "replica",
  startMs: life.beganMs,
  endMs: Math.max(endMs, life.beganMs),
  attributes: [life.about, life.by, { "berth.outcome": outcome }],
  isError: outcome === "failed",
});
