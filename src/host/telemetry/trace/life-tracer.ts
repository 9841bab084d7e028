/**
 * Makes one trace of each life of a replica, from its admission until it serves: a span for each
 * stage, with the command that began it. It reads what is published, on every plane, so that one
 * that takes over knows how the life began; only the plane that leads passes spans on. Times are
 * those of commits.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
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
  readonly rootId: string;
  readonly beganMs: number;
  readonly about: SpanAttributes;
  stage: Stage;
  sinceMs: number;
  /** Of the command that began the stage; the same for all that it moved. */
  by: SpanAttributes;
  /** Where it is, and how it ended. */
  at: SpanAttributes;
}

const NOTHING_MORE: SpanAttributes = {};

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
  private lastBy: { readonly commit: Commit; readonly by: SpanAttributes } | undefined;

  constructor(of: LifeTracerOf) {
    this.of = of;
    this.beginAgain();
    this.leave = of.plane.onPublish((commits) => this.read(commits));
  }

  close(): void {
    this.leave();
  }

  /** From what is there now: the plane has just begun, or its history is unknown. */
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
    this.lastBy = undefined;
    if (spans.length > 0 && this.of.plane.isLeading) this.of.take(spans);
  }

  /**
   * Nearly all lives are not traced: whether one is comes first, and nothing is made for the
   * others.
   */
  private fold(
    before: Replica | undefined,
    after: Replica | undefined,
    commit: Commit,
    spans: Span[],
  ): void {
    if (before !== undefined && before.status.life === after?.status.life) {
      if (before.status.stage === after.status.stage || !this.isTraced(after)) return;
      this.move(after, commit, spans);
      return;
    }
    if (before !== undefined && this.isTraced(before)) {
      this.end(before, after === undefined ? "deleted" : "replaced", commit, spans);
    }
    if (after !== undefined && this.isTraced(after)) this.begin(after, commit, spans);
  }

  private isTraced({ meta, status }: Replica): boolean {
    return isSampled(meta.uid, status.life, this.of.rate);
  }

  /** What was under way when this plane came: of what lies before nothing is told. */
  private resume(replica: Replica): void {
    const { life, stage, stageSinceMs } = replica.status;
    if (isOver(stage) || !this.isTraced(replica)) return;
    const beganMs = life === 1 ? replica.meta.createdMs : stageSinceMs;
    this.put(replica, beganMs, { stage, sinceMs: stageSinceMs, by: NOTHING_MORE });
  }

  private begin(replica: Replica, commit: Commit, spans: Span[]): void {
    const { stage } = replica.status;
    const { atMs } = commit;
    const by = this.byCommit(commit);
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
    const { plane } = this.of;
    if (this.open.size >= OPEN_LIVES) {
      plane.meter.spans.dropped += 1;
      return undefined;
    }
    const joined = correlationOf(plane.objects, aboutReplica(replica));
    const { tenant, workload, generation, policy, policyRevision, quota } = joined;
    const named = joined.policyRevisionName;
    const about = {
      "berth.tenant": tenant,
      "berth.workload": workload,
      "berth.generation": generation,
      "berth.replica": name,
      "berth.life": life,
      "berth.priority_class": replica.spec.template.priorityClass,
      "berth.policy": policy,
      "berth.policy_revision": policyRevision,
      ...(named === undefined ? {} : { "berth.policy_revision_name": named }),
      "berth.quota": quota,
    };
    const traceId = traceIdOf(uid, life);
    const opened = { traceId, rootId: rootIdOf(traceId), beganMs, about, ...at, at: NOTHING_MORE };
    this.open.set(replica.key, opened);
    return opened;
  }

  private move(replica: Replica, commit: Commit, spans: Span[]): void {
    const life = this.open.get(replica.key);
    if (life === undefined) return;
    const { stage, node, lastEnd } = replica.status;
    const { atMs } = commit;
    spans.push(stageSpan(life, atMs, stage));
    life.stage = stage;
    life.sinceMs = atMs;
    life.by = this.byCommit(commit);
    life.at = {
      ...(node === undefined ? {} : { "berth.node": node }),
      ...(isResting(stage) && lastEnd !== undefined ? { "berth.end": lastEnd } : {}),
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

  /** One command moves many: its text is made once. */
  private byCommit(commit: Commit): SpanAttributes {
    if (this.lastBy?.commit !== commit) this.lastBy = { commit, by: byCommit(commit) };
    return this.lastBy.by;
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
  parentSpanId: life.rootId,
  name: life.stage,
  startMs: life.sinceMs,
  endMs: Math.max(endMs, life.sinceMs),
  attributes: [life.about, life.by, life.at, { "berth.outcome": outcome }],
  isError: outcome === "failed",
});

const rootSpan = (life: OpenLife, endMs: number, outcome: string): Span => ({
  traceId: life.traceId,
  spanId: life.rootId,
  name: "replica",
  startMs: life.beganMs,
  endMs: Math.max(endMs, life.beganMs),
  attributes: [life.about, life.by, life.at, { "berth.outcome": outcome }],
  isError: outcome === "failed",
});
