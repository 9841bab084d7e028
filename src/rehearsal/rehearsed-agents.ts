/**
 * Agents that do what they are told: a process that is bound serves after a while, and one that is
 * asked to stop takes all of its grace. Both are assumptions of the rehearsal. Processes that run
 * go on, and none fails; the agent of a node that is not ready says nothing.
 */
import { STOP_GRACE_MS } from "../core/kinds/fields/run-fields.ts";
import { type ObjectKey, nodeKey } from "../core/model/ids.ts";
import type { Replica } from "../core/model/objects.ts";
import { holdsNode } from "../core/model/stage.ts";
import type { ObjectIndex } from "../core/observe/object-index.ts";
import type { IntentOf } from "../core/protocol/command.ts";
import type { Commit } from "../core/protocol/commit-record.ts";
import { reportOperation } from "../core/protocol/operations.ts";

export interface Pace {
  /** From its bind until a process serves. */
  readonly startMs: number;
}

interface Due {
  readonly atMs: number;
  readonly replica: ObjectKey;
  readonly incarnation: number;
  readonly does: "begin" | "serve" | "end";
}

/** From its bind until its agent claims the start. */
const BEGIN_MS = 100;

export class RehearsedAgents {
  private readonly pace: Pace;
  private readonly due: Due[] = [];

  constructor(objects: ObjectIndex, pace: Pace, nowMs: number) {
    this.pace = pace;
    for (const replica of objects.all("Replica").values()) {
      if (!holdsNode(replica.status.stage)) continue;
      if (replica.status.stopping !== undefined) this.ends(replica, nowMs);
      else if (isUnderWay(replica)) this.begins(replica, nowMs);
    }
  }

  get nextMs(): number | undefined {
    return this.due[0]?.atMs;
  }

  committed({ changes, atMs }: Commit): void {
    for (const { before, after } of changes) {
      if (after?.kind !== "Replica" || !holdsNode(after.status.stage)) continue;
      const was = before?.kind === "Replica" ? before.status : undefined;
      const isNew = was === undefined || !holdsNode(was.stage);
      if (isNew) this.begins(after, atMs);
      if (after.status.stopping !== undefined && (isNew || was.stopping === undefined)) {
        this.ends(after, atMs);
      }
    }
  }

  /** The first that is due, as a command; undefined: there is nothing to report of it any more. */
  take(objects: ObjectIndex): IntentOf<"report"> | undefined {
    const due = this.due.shift();
    const replica = due && objects.replica(due.replica);
    if (replica === undefined || replica.status.incarnation !== due?.incarnation) return undefined;
    const { status, spec, key, meta } = replica;
    const { node = "", session, incarnation } = status;
    if (!holdsNode(status.stage) || objects.node(nodeKey(node))?.status.health !== "ready") {
      return undefined;
    }
    if (due.does !== "end" && status.stopping !== undefined) return undefined;
    const stage = STAGE[due.does][spec.type];
    const operation = reportOperation(replica, stage);
    const of = { replica: key, uid: meta.uid, incarnation, node, session, stage };
    return { kind: "report", operation, ...of };
  }

  private begins({ key, status }: Replica, nowMs: number): void {
    const of = { replica: key, incarnation: status.incarnation };
    this.put({ ...of, atMs: nowMs + BEGIN_MS, does: "begin" });
    this.put({ ...of, atMs: nowMs + Math.max(BEGIN_MS, this.pace.startMs), does: "serve" });
  }

  private ends({ key, status, spec }: Replica, nowMs: number): void {
    const { incarnation } = status;
    const { stopGraceMs = STOP_GRACE_MS } = spec.template.run ?? {};
    this.put({ replica: key, incarnation, atMs: nowMs + stopGraceMs, does: "end" });
  }

  /** Kept in order of time; among equals the first to come is first. */
  private put(due: Due): void {
    const at = this.due.findLastIndex(({ atMs }) => atMs <= due.atMs) + 1;
    this.due.splice(at, 0, due);
  }
}

/** Bound a moment ago; one that fails or whose probes fail goes on as it is. */
const isUnderWay = ({ status }: Replica): boolean =>
  (status.stage === "bound" || status.stage === "starting") &&
  status.failures === 0 &&
  status.unready === undefined &&
  status.failingProbe === undefined;

const STAGE = {
  begin: { service: "starting", batch: "starting" },
  serve: { service: "serving", batch: "running" },
  end: { service: "released", batch: "released" },
} as const;
