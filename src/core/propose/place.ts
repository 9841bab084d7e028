/**
 * Places the queued replicas of one workload on nodes, stage by stage; each stage is a file of
 * `place/`. Observes nodes, their use and all replicas through a view that may be stale; proposes
 * binds, many at a time. Leaves capacity, quota and fencing to the authority, and retries to the
 * runner.
 */
import type { Change } from "../protocol/commit-record.ts";
import type { Controller } from "../runner/controller.ts";
import { type Decision, type Look, settled } from "../protocol/decision.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { Replica } from "../model/objects.ts";
import type { View } from "../observe/view.ts";
import { missingSecret } from "../rules/secrets/missing-secret.ts";
import { secretWait } from "../rules/secrets/wait-for-secret.ts";
import { frozenWait } from "../rules/override/wait-for-override.ts";
import { NodeFinder } from "./fleet/node-finder.ts";
import { beginLook, catchUp } from "./place/begin-look.ts";
import { bindFound } from "./place/bind-found.ts";
import { findGang } from "./place/find-gang.ts";
import { findSingle } from "./place/find-single.ts";
import { keepNode, unkeepNodes } from "./place/keep-node.ts";
import { keysForChange } from "./place/keys-for-change.ts";
import { orderDue } from "./place/order-due.ts";
import { BINDS_PER_LOOK, type SchedulerState } from "./place/placement-look.ts";
import { waitForPlace } from "./place/wait-for-place.ts";
import { WaitingLine } from "./queue/waiting-line.ts";
import { QueuedReplicas } from "./queued-replicas.ts";

export function createPlace(): Controller {
  const scheduler = new Scheduler();
  return {
    role: "place",
    interest: {
      kinds: new Set([
        "Node",
        "Replica",
        "Quota",
        "Reservation",
        "Workload",
        "PriorityClass",
        "Policy",
        "PolicyRevision",
        "Override",
        "RecoveryBudget",
        "Secret",
      ]),
      node: undefined,
      roomsOnly: true,
    },
    follow: (change, view) => scheduler.follow(change, view),
    keysFor: (change, view) => keysForChange(change, view, scheduler.queued),
    allKeys: () => scheduler.queued.workloads(),
    order: (due, view) => orderDue(due, view, scheduler.on(view)),
    reconcile: (key, view, look) => scheduler.place(key, view, look),
  };
}

class Scheduler {
  readonly queued = new QueuedReplicas();
  private readonly line = new WaitingLine(this.queued);
  private finder: NodeFinder | undefined;
  /** What the last look at a workload asked for; answered by the time it is looked at again. */
  private readonly asked = new Map<ObjectKey, readonly Replica[]>();

  on(view: View): SchedulerState {
    return { queued: this.queued, line: this.line, finder: this.finderOn(view) };
  }

  follow(change: Change, view: View): void {
    this.queued.follow(change);
    this.line.follow(change);
    this.finderOn(view).follow(change);
  }

  place(workload: ObjectKey, view: View, look: Look): Decision {
    const state = this.on(view);
    const { finder } = state;
    catchUp(state, this.asked.get(workload) ?? [], look);
    this.asked.delete(workload);
    const newest = this.queued.first(workload, BINDS_PER_LOOK, view);
    const replicas = withSecrets(workload, newest, this.queued, view);
    const first = replicas[0] ?? newest[0];
    if (first === undefined) {
      unkeepNodes(workload, finder);
      return settled;
    }
    const frozen = frozenWait(workload, view, look);
    const held = frozen ?? secretWait(first, view, look);
    if (held !== undefined) return look.isAhead === true ? state.line.takeTurn(workload) : held;

    const at = beginLook(first, replicas, { ...state, view, look });
    const { desired } = at;
    const outcome = desired?.spec.gang === undefined ? findSingle(at) : findGang(desired, at);
    if (outcome.kind !== "found") {
      keepNode(at, outcome);
      return waitForPlace(at, outcome);
    }
    unkeepNodes(workload, finder);
    this.line.foundSome(workload, look.now);
    this.asked.set(
      workload,
      outcome.places.map(({ replica }) => replica),
    );
    return bindFound(outcome, finder);
  }

  private finderOn(view: View): NodeFinder {
    this.finder ??= new NodeFinder(view);
    return this.finder;
  }
}

/**
 * The newest generation whose secrets are there: one that lacks them must not keep an older one
 * from its place (RO9). Empty: none of them has its secrets.
 */
function withSecrets(
  workload: ObjectKey,
  newest: readonly Replica[],
  queued: QueuedReplicas,
  view: View,
): readonly Replica[] {
  let tried = newest;
  for (let [first] = tried; first !== undefined; [first] = tried) {
    if (missingSecret(view.objects, first) === undefined) return tried;
    tried = queued.first(workload, BINDS_PER_LOOK, view, first.spec.generation);
  }
  return [];
}
