/**
 * Makes one trace of each incarnation of a replica, from its admission until it serves: a span for
 * each stage, with the command that began it. It reads what is published, on every plane, so that
 * one that takes over knows how the incarnation began; only the plane that leads passes spans on.
 * Times are those of commits.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { ObjectKey } from "../../../core/model/ids.ts";
import type { Replica } from "../../../core/model/objects.ts";
import { isResting, type Stage } from "../../../core/model/stage.ts";
import type { PlanePort } from "../../plane-port.ts";
import { withoutTokens } from "../../../text/without-tokens.ts";
import { aboutReplica, correlationOf } from "../correlation.ts";
import {
  isSampled,
  rootIdOf,
  type Span,
  type SpanAttributes,
  stageIdOf,
  traceIdOf,
} from "./span.ts";

/** At about half a kilobyte each; incarnations beyond it are not traced. */
const OPEN_LIVES = 50_000;

interface OpenIncarnation {
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

export interface IncarnationTracerOf {
  readonly plane: PlanePort;
  /** The part of all incarnations that are traced, 0 to 1. */
  readonly rate: number;
  readonly take: (spans: readonly Span[]) => void;
}

export class IncarnationTracer {
  private readonly of: IncarnationTracerOf;
  private readonly open = new Map<ObjectKey, OpenIncarnation>();
  private readonly leave: () => void;
  private lastBy: { readonly commit: Commit; readonly by: SpanAttributes } | undefined;

  constructor(of: IncarnationTracerOf) {
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
   * Nearly all incarnations are not traced: whether one is comes first, and nothing is made for the
   * others.
   */
  private fold(
    before: Replica | undefined,
    after: Replica | undefined,
    commit: Commit,
    spans: Span[],
  ): void {
    if (before !== undefined && before.status.incarnation === after?.status.incarnation) {
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
    return isSampled(meta.uid, status.incarnation, this.of.rate);
  }

  /** What was under way when this plane came: of what lies before nothing is told. */
  private resume(replica: Replica): void {
    const { incarnation, stage, stageSinceMs } = replica.status;
    if (isOver(stage) || !this.isTraced(replica)) return;
    const beganMs = incarnation === 1 ? replica.meta.createdMs : stageSinceMs;
    this.put(replica, beganMs, { stage, sinceMs: stageSinceMs, by: NOTHING_MORE });
  }

  private begin(replica: Replica, commit: Commit, spans: Span[]): void {
    const { stage } = replica.status;
    const { atMs } = commit;
    const by = this.byCommit(commit);
    const incarnation = this.put(replica, atMs, { stage: "admitted", sinceMs: atMs, by });
    // One command may give an incarnation and queue it at once.
    if (incarnation !== undefined && stage !== "admitted") this.move(replica, commit, spans);
  }

  private put(
    replica: Replica,
    beganMs: number,
    at: Pick<OpenIncarnation, "stage" | "sinceMs" | "by">,
  ): OpenIncarnation | undefined {
    const { uid, name } = replica.meta;
    const { incarnation } = replica.status;
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
      "berth.incarnation": incarnation,
      "berth.priority_class": replica.spec.template.priorityClass,
      "berth.policy": policy,
      "berth.policy_revision": policyRevision,
      ...(named === undefined ? {} : { "berth.policy_revision_name": named }),
      "berth.quota": quota,
    };
    const traceId = traceIdOf(uid, incarnation);
    const opened = { traceId, rootId: rootIdOf(traceId), beganMs, about, ...at, at: NOTHING_MORE };
    this.open.set(replica.key, opened);
    return opened;
  }

  private move(replica: Replica, commit: Commit, spans: Span[]): void {
    const incarnation = this.open.get(replica.key);
    if (incarnation === undefined) return;
    const { stage, node, lastEnd } = replica.status;
    const { atMs } = commit;
    spans.push(stageSpan(incarnation, atMs, stage));
    incarnation.stage = stage;
    incarnation.sinceMs = atMs;
    incarnation.by = this.byCommit(commit);
    incarnation.at = {
      ...(node === undefined ? {} : { "berth.node": node }),
      ...(isResting(stage) && lastEnd !== undefined ? { "berth.end": withoutTokens(lastEnd) } : {}),
    };
    if (!isOver(stage)) return;
    this.open.delete(replica.key);
    spans.push(stageSpan(incarnation, atMs, stage), rootSpan(incarnation, atMs, stage));
  }

  private end({ key }: Replica, outcome: string, { atMs }: Commit, spans: Span[]): void {
    const incarnation = this.open.get(key);
    if (incarnation === undefined) return;
    this.open.delete(key);
    spans.push(stageSpan(incarnation, atMs, outcome), rootSpan(incarnation, atMs, outcome));
  }

  /** One command moves many: its text is made once. */
  private byCommit(commit: Commit): SpanAttributes {
    if (this.lastBy?.commit !== commit) this.lastBy = { commit, by: byCommit(commit) };
    return this.lastBy.by;
  }
}

/** It serves, or it never will in this incarnation. */
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

const stageSpan = (incarnation: OpenIncarnation, endMs: number, outcome: string): Span => ({
  traceId: incarnation.traceId,
  spanId: stageIdOf(incarnation.traceId, incarnation.stage, incarnation.sinceMs),
  parentSpanId: incarnation.rootId,
  name: incarnation.stage,
  startMs: incarnation.sinceMs,
  endMs: Math.max(endMs, incarnation.sinceMs),
  attributes: [incarnation.about, incarnation.by, incarnation.at, { "berth.outcome": outcome }],
  isError: outcome === "failed",
});

const rootSpan = (incarnation: OpenIncarnation, endMs: number, outcome: string): Span => ({
  traceId: incarnation.traceId,
  spanId: incarnation.rootId,
  name: "replica",
  startMs: incarnation.beganMs,
  endMs: Math.max(endMs, incarnation.beganMs),
  attributes: [incarnation.about, incarnation.by, incarnation.at, { "berth.outcome": outcome }],
  isError: outcome === "failed",
});
