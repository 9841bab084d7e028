/**
 * Keeps the recovery objective of workloads: holds room for replicas they may lose, and says when
 * some were lost, where those have come to that are waited for, when the time is over and when the
 * workload is back. Observes workloads, replicas, nodes and held room through a view that may be
 * stale; proposes `hold-recovery` and `recover`. Leaves incarnations to `admit`, nodes to `place`,
 * which takes the room that is kept, and every count to the authority. A workload without an
 * objective costs it one look-up for each change.
 */
import type { Change } from "../protocol/commit-record.ts";
import type { Controller } from "../runner/controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import { FAIRNESS_WINDOW_MS } from "../model/recovery-budget.ts";
import type { Epoch, ObjectKey } from "../model/ids.ts";
import type { Workload } from "../model/objects.ts";
import { isRecovering, RECOVERY_NOTED_MS, type Recovering, spentInAll } from "../model/recovery.ts";
import { DRIFT_PARTS_PER_THOUSAND } from "../model/timing.ts";
import { workloadOf } from "../model/workload-of.ts";
import { recoveryRules } from "../rules/recovery/recovery-budgets-now.ts";
import { recoveryNow } from "../observe/recovery-now.ts";
import { isSpare } from "../rules/recovery/spare-rooms.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import type { View } from "../observe/view.ts";
import { avoidedNodes } from "../rules/override/avoided-nodes.ts";
import { holdRecoveryOperation, recoverOperation } from "../protocol/operations.ts";
import { nodeOfRefusal } from "./fleet/node-of-refusal.ts";
import { planSpares, type SparePlan } from "./recovery/plan-spares.ts";

/**
 * A reserve that lacks room looks at all nodes of its regions again after this time. It is not
 * woken by every replica that leaves a node: on a busy plane that would be thousands of walks a
 * second for a room that may wait.
 */
const SHORT_PATIENCE_MS = 5_000;

/** Progress is shown by the watch; this is only for the case that it is not. */
const PATIENCE_MS = 15_000;

export function createKeepRecovery(): Controller {
  const planner = new RecoveryPlanner();
  return {
    role: "keep-recovery",
    interest: {
      kinds: new Set(["Workload", "Replica", "Node", "Reservation", "Policy", "PolicyRevision"]),
      node: undefined,
      roomsOnly: true,
    },
    keysFor,
    allKeys: function* (view) {
      for (const workload of view.objects.all("Workload").values()) {
        if (isKept(workload)) yield workload.key;
      }
    },
    reconcile: (key, view, look) => planner.look(key, view, look),
  };
}

/** Also one that has no objective any more: room may still be held for it. */
const isKept = ({ spec, status }: Workload): boolean =>
  spec.recovery !== undefined || status.recovery !== undefined;

function keysFor({ before, after }: Change, view: View): readonly ObjectKey[] {
  const object = after ?? before;
  switch (object?.kind) {
    case "Replica": {
      const workload = view.objects.workload(workloadOf(object));
      return workload !== undefined && isKept(workload) ? [workload.key] : [];
    }
    case "Workload":
      return isKept(object) || (before?.kind === "Workload" && isKept(before)) ? [object.key] : [];
    case "Node": {
      const { held } = view.objects.useOf(object.meta.name);
      return held.size === 0
        ? []
        : [...held.values()].filter(isSpare).map(({ spec }) => spec.owner);
    }
    case "Reservation":
      return isSpare(object) ? [object.spec.owner] : [];
    // Its fairness window may be another.
    case "Policy":
      return [...view.objects.all("Workload").values()].filter(isRecovering).map(({ key }) => key);
    default:
      return [];
  }
}

/**
 * Since when this controller has seen a recovery at its stage under one leadership, by its own
 * clock.
 */
interface Seen {
  readonly under: Recovering;
  readonly epoch: Epoch;
  readonly sinceMs: number;
}

class RecoveryPlanner {
  private readonly seen = new Map<ObjectKey, Seen>();

  look(key: ObjectKey, view: View, look: Look): Decision {
    const workload = view.objects.workload(key);
    if (workload === undefined || !isKept(workload)) {
      this.seen.delete(key);
      return settled;
    }
    const news = this.news(workload, view, look);
    if (news !== undefined) return news;
    const shunned = new Set(look.feedback.flatMap((refusal) => nodeOfRefusal(refusal) ?? []));
    for (const name of avoidedNodes(view.objects)) shunned.add(name);
    const plan = planSpares(view.objects, workload, shunned);
    if (plan.rooms.length + plan.drop.length > 0) return hold(workload, plan);
    return this.wait(workload, plan, view, look);
  }

  /** What the authority has not said yet of its recovery. */
  private news(workload: Workload, view: View, look: Look): Decision | undefined {
    const { target, bar, serving, stage } = recoveryNow(view.objects, workload);
    const { reached, under } = workload.status.recovery ?? {};
    const counts = `${serving} of ${bar} serve`;
    if (under === undefined) {
      if (stage !== undefined) return recover(workload, `${counts}: some were lost`);
      const isReached = target > 0 && serving >= target && reached !== target;
      return isReached ? recover(workload, `${serving} serve: the objective is met`) : undefined;
    }
    if (stage === undefined) return recover(workload, `${counts}: recovered`);
    if (stage !== under.stage) return recover(workload, `${counts}: waiting for ${stage}`);
    if (bar - serving > under.lost) return recover(workload, `${counts}: more were lost`);
    if (this.dueMs(workload, under, view, look) > look.now) return undefined;
    return recover(workload, `${counts}, past the deadline`);
  }

  private wait(workload: Workload, plan: SparePlan, view: View, look: Look): Decision {
    const { key, status } = workload;
    const { under } = status.recovery ?? {};
    if (under === undefined) this.seen.delete(key);
    const isShort = plan.covered < plan.wanted;
    const dueMs =
      under === undefined
        ? look.now + PATIENCE_MS
        : Math.min(
            this.dueMs(workload, under, view, look),
            under.missed === undefined ? Number.POSITIVE_INFINITY : look.now + PATIENCE_MS,
          );
    if (under === undefined && !isShort) return settled;
    const text = `headroom is reserved for ${plan.covered} of ${plan.wanted}`;
    const at = under === undefined ? "" : `waiting for ${under.stage}; `;
    return wait({
      reason: isShort ? "recovery-short" : "recovering",
      wakes: [],
      deadlineMs: isShort ? Math.min(dueMs, look.now + SHORT_PATIENCE_MS) : dueMs,
      because: { summary: `${key}: ${at}${text}`, ...(isShort ? { rejected: plan.rejected } : {}) },
    });
  }

  /**
   * When its time, or its fairness window, is over or has gone on for a while, by our clock: times
   * of another leadership mean nothing to it, nor to us.
   */
  private dueMs(
    workload: Workload,
    under: Recovering,
    { epoch, objects }: View,
    look: Look,
  ): number {
    const known = this.seen.get(workload.key);
    const isSame =
      known?.epoch === epoch &&
      known.under.stage === under.stage &&
      known.under.since.atMs === under.since.atMs &&
      known.under.since.epoch === under.since.epoch;
    const seen = isSame ? known : { under, epoch, sinceMs: look.now };
    this.seen.set(workload.key, seen);
    const endMs = nextEnd(workload, under, objects);
    if (endMs === undefined) return Number.POSITIVE_INFINITY;
    // At the latest when time is to be written down, so that a later leadership knows of it.
    const leftMs = Math.min(RECOVERY_NOTED_MS, Math.max(0, endMs - spentInAll(under.spentMs)));
    // Our clock may be fast by the bound and the authority's slow by it.
    return seen.sinceMs + leftMs + Math.ceil((2 * leftMs * DRIFT_PARTS_PER_THOUSAND) / 1000);
  }
}

/**
 * After how long there is something new to say of a recovery that stays as it is; undefined: never.
 */
function nextEnd(
  { spec }: Workload,
  { missed, inTurn }: Recovering,
  objects: ObjectIndex,
): number | undefined {
  const rules = inTurn === true ? undefined : recoveryRules(objects);
  const ends = [
    ...(missed === undefined ? [spec.recovery?.withinMs ?? 0] : []),
    ...(rules === undefined ? [] : [rules.fairnessWindowMs ?? FAIRNESS_WINDOW_MS]),
  ];
  return ends.length === 0 ? undefined : Math.min(...ends);
}

function recover(workload: Workload, why: string): Decision {
  const { key } = workload;
  const intent = { kind: "recover", operation: recoverOperation(workload), workload: key } as const;
  return propose([intent], { summary: `${key}: ${why}` });
}

function hold(workload: Workload, { rooms, drop, covered, wanted }: SparePlan): Decision {
  const intent = {
    kind: "hold-recovery",
    operation: holdRecoveryOperation(workload, rooms.length, drop),
    workload: workload.key,
    holds: workload.status.recovery?.holds ?? 0,
    rooms,
    drop,
  } as const;
  const given = drop.length === 0 ? "" : `, ${drop.length} freed`;
  return propose([intent], {
    summary: `${workload.key}: headroom is reserved for ${covered} of ${wanted}${given}`,
    ...(rooms[0] === undefined ? {} : { chosen: rooms[0].node }),
  });
}
