/**
 * One line for every decision of this plane's controllers, joined with what it was made under and
 * with what became of it. A wait is told at once; a proposal once the authority has answered it.
 */
import type { Intent } from "../../core/protocol/command.ts";
import type { Reply } from "../../core/protocol/outcome.ts";
import type { DecisionRecord } from "../../core/protocol/decision.ts";
import type { Request } from "../../core/kernel/component.ts";
import { type ObjectKey, type OperationId, parseKey } from "../../core/model/ids.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { PlanePort } from "../plane-port.ts";
import {
  type AboutReplicas,
  aboutReplica,
  type Correlation,
  correlationOf,
} from "./correlation.ts";

/** More than a plane ever has under way; the rest is told as unanswered. */
const PENDING_MOST = 10_000;

export interface DecisionLine extends Partial<Correlation> {
  /** On the clock of the plane that decided. */
  readonly atMs: number;
  readonly controller: string;
  readonly key: ObjectKey;
  /** The revision of the view it was decided on. */
  readonly basisRevision: number;
  readonly epoch: number;
  readonly command?: Intent["kind"];
  readonly operation?: OperationId;
  /** `wait`, `unanswered`, or the kind of the authority's answer. */
  readonly outcome: string;
  /** Of a wait, or of a refusal with its rule. */
  readonly reason?: string;
  readonly rule?: string;
  /** Of a commit. */
  readonly revision?: number;
  readonly because: string;
  readonly chosen?: string;
}

export interface DecisionLinesOf {
  readonly plane: PlanePort;
  readonly write: (line: DecisionLine) => void;
}

export class DecisionLines {
  private readonly of: DecisionLinesOf;
  private readonly pending = new Map<OperationId, Omit<DecisionLine, "outcome">>();
  private readonly leave: readonly (() => void)[];

  constructor(of: DecisionLinesOf) {
    this.of = of;
    this.leave = [
      of.plane.decisions.onAdd((record) => this.decided(record)),
      of.plane.meter.onAnswer((request, reply) => this.answered(request, reply)),
    ];
  }

  close(): void {
    for (const leave of this.leave) leave();
    for (const operation of this.pending.keys()) this.giveUp(operation);
  }

  private decided({ controller, key, atMs, viewRevision, decision }: DecisionRecord): void {
    const { plane, write } = this.of;
    const { summary, chosen } = decision.because;
    const line = {
      atMs,
      controller,
      key,
      ...joined(plane.objects, key),
      basisRevision: viewRevision,
      epoch: plane.epoch,
      because: summary,
      ...(chosen === undefined ? {} : { chosen }),
    };
    if (decision.kind === "wait") {
      write({ ...line, outcome: "wait", reason: decision.reason });
      return;
    }
    for (const { kind: command, operation } of decision.intents) {
      this.pending.delete(operation);
      this.pending.set(operation, { ...line, command, operation });
    }
    for (const operation of this.pending.keys()) {
      if (this.pending.size <= PENDING_MOST) break;
      this.giveUp(operation);
    }
  }

  private answered(request: Request, reply: Reply): void {
    const operation =
      request.kind === "command" ? request.command.intent.operation : request.operation;
    const line = this.pending.get(operation);
    if (line === undefined) return;
    this.pending.delete(operation);
    this.of.write({ ...line, ...answerOf(reply) });
  }

  private giveUp(operation: OperationId): void {
    const line = this.pending.get(operation);
    this.pending.delete(operation);
    if (line !== undefined) this.of.write({ ...line, outcome: "unanswered" });
  }
}

function answerOf(reply: Reply): Pick<DecisionLine, "outcome" | "reason" | "rule" | "revision"> {
  if (reply.kind === "found") return { outcome: "committed", revision: reply.first.revision };
  if (reply.kind !== "outcome") return { outcome: reply.kind };
  const { outcome } = reply;
  switch (outcome.kind) {
    case "committed":
      return { outcome: outcome.kind, revision: outcome.revision };
    case "duplicate":
      return { outcome: outcome.kind, revision: outcome.first.revision };
    case "conflict":
    case "refused":
      return { outcome: outcome.kind, reason: outcome.code, rule: outcome.rule };
  }
}

function joined(objects: ObjectIndex, key: ObjectKey): Partial<Correlation> {
  const about = aboutKey(objects, key);
  if (about !== undefined) return correlationOf(objects, about);
  const { namespace } = parseKey(key);
  return namespace === "" ? {} : { tenant: namespace };
}

function aboutKey(objects: ObjectIndex, key: ObjectKey): AboutReplicas | undefined {
  const replica = objects.replica(key);
  if (replica !== undefined) return aboutReplica(replica);
  const workload = objects.workload(key);
  if (workload === undefined) return undefined;
  const { meta, spec, status } = workload;
  return {
    tenant: meta.namespace,
    workload: meta.name,
    generation: status.templateGeneration,
    template: spec.template,
  };
}
