/**
 * What a rehearsal did, told from its commits and the words of its controllers: which incarnation
 * was bound where and when, which one was asked to stop, and what waits at the end.
 */
import type { ObjectKey } from "../core/model/ids.ts";
import type { AnyObject, Replica, Workload } from "../core/model/objects.ts";
import type { RolloutStage } from "../core/model/rollout.ts";
import { holdsNode, isReadyStage, type StopReason } from "../core/model/stage.ts";
import { workloadOf } from "../core/model/workload-of.ts";
import type { ObjectIndex } from "../core/observe/object-index.ts";
import type { Change, Commit } from "../core/protocol/commit-record.ts";
import type { Because, DecisionRecord, WaitReason } from "../core/protocol/decision.ts";
import type { Owed } from "../core/runner/runner.ts";

/** `replica#incarnation`: the same in every rehearsal of one fleet. */
export type IncarnationName = string;

export interface Bound {
  readonly replica: ObjectKey;
  readonly workload: ObjectKey;
  readonly node: string;
  /** Times count from the beginning of the rehearsal. */
  readonly waitedMs: number;
  readonly boundMs: number;
  /** Left out: not while it was watched. */
  servesMs?: number;
}

export interface Stopped {
  readonly replica: ObjectKey;
  readonly workload: ObjectKey;
  readonly priorityClass: string;
  readonly node: string;
  readonly atMs: number;
  readonly reason: StopReason;
  /** The preemptor, when it was preempted. */
  readonly by?: ObjectKey;
}

export interface Waiting {
  readonly replica: ObjectKey;
  readonly workload: ObjectKey;
  readonly sinceMs: number;
  /** Left out: no controller owes it a look. */
  readonly reason?: WaitReason;
  readonly because?: Because;
}

export interface Requested {
  readonly pool: string;
  readonly node: string;
}

export interface Rolled {
  readonly workload: ObjectKey;
  /** "finished": all that is wanted is of the new template and serves. */
  readonly state: "finished" | RolloutStage;
  readonly atMs: number;
}

type OwedBy = Owed & { readonly controller: string };

export class RehearsalAccount {
  readonly bound = new Map<IncarnationName, Bound>();
  readonly stopped = new Map<IncarnationName, Stopped>();
  readonly waiting = new Map<IncarnationName, Waiting>();
  /** Nodes that node pools were asked for. */
  readonly requested: Requested[] = [];
  /** By workload, the last rollout that moved. */
  readonly rolled = new Map<ObjectKey, Rolled>();
  private readonly beganMs: number;
  private readonly admittedMs = new Map<IncarnationName, number>();
  private readonly said = new Map<string, Because>();

  constructor(beganMs: number) {
    this.beganMs = beganMs;
  }

  decided({ controller, key, decision }: DecisionRecord): void {
    const { because } = decision;
    if (decision.kind === "wait") this.said.set(saidName(controller, key), because);
  }

  committed({ command, changes, atMs }: Commit): void {
    const ms = atMs - this.beganMs;
    for (const change of changes) {
      this.replicaMoved(change, ms);
      const { before, after } = change;
      if (command === "provision" && after?.kind === "Node" && before === undefined) {
        this.requested.push({ pool: after.spec.pool ?? "", node: after.meta.name });
      }
      if (before?.kind === "Workload" && after?.kind === "Workload") {
        this.workloadMoved(before, after, ms);
      }
    }
  }

  end(objects: ObjectIndex, owed: readonly OwedBy[]): void {
    const byKey = new Map<ObjectKey, OwedBy[]>();
    for (const each of owed) {
      const others = byKey.get(each.key);
      if (others === undefined) byKey.set(each.key, [each]);
      else others.push(each);
    }
    for (const replica of objects.all("Replica").values()) {
      const { stage, stageSinceMs } = replica.status;
      if (stage !== "admitted" && stage !== "queued") continue;
      const workload = workloadOf(replica);
      const waits = byKey.get(workload) ?? [];
      const own = waits.find(({ controller }) => MOVES_ON[stage](controller));
      this.waiting.set(nameOf(replica), {
        replica: replica.key,
        workload,
        sinceMs: Math.max(0, stageSinceMs - this.beganMs),
        ...(own && this.reasonOf(own)),
      });
    }
  }

  private reasonOf({ controller, key, reason }: OwedBy): Pick<Waiting, "reason" | "because"> {
    const because = this.said.get(saidName(controller, key));
    return { reason, ...(because && { because }) };
  }

  private workloadMoved(before: Workload, { key, status }: Workload, atMs: number): void {
    const was = before.status.rollout;
    if (was === undefined && status.rollout === undefined) return;
    const state = status.rollout?.stage ?? "finished";
    this.rolled.set(key, { workload: key, state, atMs });
  }

  private replicaMoved({ before, after }: Change, ms: number): void {
    if (after?.kind !== "Replica") return;
    const was = statusOf(before);
    const name = nameOf(after);
    const { stage, node = "", stopping, incarnation } = after.status;
    if (was?.incarnation !== incarnation) this.admittedMs.set(name, ms);
    if (holdsNode(stage) && (was === undefined || !holdsNode(was.stage))) {
      const waitedMs = ms - (this.admittedMs.get(name) ?? 0);
      const of = { replica: after.key, workload: workloadOf(after), node, waitedMs, boundMs: ms };
      this.bound.set(name, of);
    }
    const bound = this.bound.get(name);
    if (bound !== undefined && isReadyStage(stage)) bound.servesMs ??= ms;
    if (stopping === undefined || was?.stopping !== undefined) return;
    this.stopped.set(name, {
      replica: after.key,
      workload: workloadOf(after),
      priorityClass: after.spec.template.priorityClass,
      node,
      atMs: ms,
      reason: stopping.reason,
      ...(stopping.by === undefined ? {} : { by: stopping.by }),
    });
  }
}

const MOVES_ON = {
  admitted: (controller: string) => controller === "admit",
  queued: (controller: string) => controller.startsWith("place"),
} as const;

const saidName = (controller: string, key: ObjectKey): string => `${controller} ${key}`;

const nameOf = ({ key, status }: Replica): IncarnationName => `${key}#${status.incarnation}`;

const statusOf = (object: AnyObject | undefined): Replica["status"] | undefined =>
  object?.kind === "Replica" ? object.status : undefined;
