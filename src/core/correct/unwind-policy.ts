/**
 * Takes back what came of a policy revision that was left for an earlier one: bindings are asked to
 * move, as fast as their workloads can spare them, and room that is held is given back. Observes
 * policies, replicas, nodes and held room; proposes evictions and releases. What goes by the plan
 * is the authority's check (PY8); where it goes is the scheduler's, under the revision that is in
 * force now.
 */
import { reservedUnder } from "../model/reservation.ts";
import { countText } from "../model/text/count-text.ts";
import type { Intent } from "../protocol/command.ts";
import type { Change } from "../protocol/commit-record.ts";
import type { Controller } from "../runner/controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { Policy, Replica, Reservation } from "../model/objects.ts";
import { workloadOf } from "../model/workload-of.ts";
import { isAvailable } from "../model/availability.ts";
import { rateLeft, whyBindingStays, whyRoomStays } from "../rules/left-policy.ts";
import { policyNameOf } from "../observe/policy-in-force.ts";
import type { View } from "../observe/view.ts";
import { evictOperation, unwindRoomOperation } from "../protocol/operations.ts";

/**
 * What is in the way passes when some workload can spare more; this is for wake-ups that were lost.
 */
const PATIENCE_MS = 5_000;

/** Each is a commit of its own, and behind it a process stops and another starts. */
const MOVES_PER_LOOK = 32;

export function createUnwindPolicy(): Controller {
  const planner = new UnwindPlanner();
  return {
    role: "unwind-policy",
    interest: {
      kinds: new Set([
        "Policy",
        "PolicyRevision",
        "Replica",
        "Reservation",
        "Workload",
        "Node",
        "PriorityClass",
      ]),
      node: undefined,
      roomsOnly: true,
    },
    follow: (change) => planner.follow(change),
    keysFor: (change) => planner.keysFor(change),
    allKeys: (view) => [...view.objects.all("Policy").keys()],
    reconcile: (key, view, look) => planner.unwind(key, view, look),
  };
}

class UnwindPlanner {
  /** Policies of which something was left behind. */
  private readonly left = new Set<ObjectKey>();
  /** Workloads that could spare no more at the last look, by the policy that was looked at. */
  private readonly waiting = new Map<ObjectKey, ReadonlySet<ObjectKey>>();
  /** Replicas and rooms by the revision that they came of. */
  private readonly cameOf = new Map<string, Set<ObjectKey>>();

  follow({ key, before, after }: Change): void {
    if ((after ?? before)?.kind === "Policy") {
      if (after?.kind === "Policy" && after.status.left !== undefined) this.left.add(key);
      else {
        this.left.delete(key);
        this.waiting.delete(key);
      }
      return;
    }
    const was = revisionOf(before);
    const is = revisionOf(after);
    if (was === is) return;
    if (was !== undefined) this.cameOf.get(was)?.delete(key);
    if (is === undefined) return;
    const all = this.cameOf.get(is) ?? new Set<ObjectKey>();
    this.cameOf.set(is, all.add(key));
  }

  keysFor({ before, after }: Change): readonly ObjectKey[] {
    const some = after ?? before;
    if (some?.kind === "Policy") return [some.key];
    if (this.left.size === 0) return [];
    if (some?.kind === "Workload") return this.waitingFor(some.key);
    // A replica that comes to serve may let its workload spare another.
    const serves = after?.kind === "Replica" && isAvailable(after);
    const served = before?.kind === "Replica" && isAvailable(before);
    return serves && !served ? this.waitingFor(workloadOf(after)) : [];
  }

  private waitingFor(workload: ObjectKey): readonly ObjectKey[] {
    return [...this.left].filter((policy) => this.waiting.get(policy)?.has(workload) === true);
  }

  unwind(key: ObjectKey, view: View, look: Look): Decision {
    const policy = view.objects.all("Policy").get(key);
    const { left } = policy?.status ?? {};
    if (policy === undefined || left === undefined) return settled;
    const { intents, waiting, short } = this.due(policy, view);
    this.waiting.set(key, short);
    if (intents.length > 0) {
      const revisions = left.map(({ revision }) => revision).join(", ");
      return propose(intents.slice(0, MOVES_PER_LOOK), {
        summary: `its rollback plan undoes ${countText(intents.length, "change")} made under ${revisions}`,
      });
    }
    if (waiting === 0) return settled;
    return wait({
      reason: "disruption-budget",
      wakes: [],
      deadlineMs: look.now + PATIENCE_MS,
      because: {
        summary: `${waiting} replicas stay until the disruption budgets of their workloads allow eviction`,
      },
    });
  }

  /** What goes now, how many must wait, and the workloads that they are of. */
  private due(policy: Policy, { objects }: View): Due {
    const pace = new Map<ObjectKey, number>();
    const due = { intents: [] as Intent[], waiting: 0, short: new Set<ObjectKey>() };
    // One may have been left in several places, one after the other; what came of it goes once.
    const revisions = new Set(policy.status.left?.map(({ revision }) => revision));
    for (const revision of revisions) {
      for (const key of [...(this.cameOf.get(revision) ?? [])].toSorted()) {
        const held = objects.reservation(key);
        if (held !== undefined) {
          const isIts = isOf(policy, objects.replica(held.spec.owner));
          const goes = isIts && whyRoomStays(objects, held) === undefined;
          if (goes) due.intents.push(givingBack(held, policy, revision));
          continue;
        }
        const replica = objects.replica(key);
        if (replica === undefined || !isOf(policy, replica) || !isToMove(objects, replica))
          continue;
        const workload = workloadOf(replica);
        const isFree = !isAvailable(replica);
        const spare = isFree ? 1 : (pace.get(workload) ?? rateLeft(objects, replica));
        if (!isFree) pace.set(workload, spare - 1);
        if (spare > 0) due.intents.push(eviction(replica, policy, revision));
        else {
          due.waiting += 1;
          due.short.add(workload);
        }
      }
    }
    return due;
  }
}

interface Due {
  readonly intents: readonly Intent[];
  readonly waiting: number;
  readonly short: ReadonlySet<ObjectKey>;
}

/** It is not being stopped already, and its plan says so. */
const isToMove = (objects: View["objects"], replica: Replica): boolean =>
  replica.status.stopping === undefined && whyBindingStays(objects, replica) === undefined;

const revisionOf = (object: Change["after"]): string | undefined =>
  object?.kind === "Replica"
    ? object.status.policyRevision
    : object?.kind === "Reservation"
      ? reservedUnder(object.spec)
      : undefined;

const isOf = (policy: Policy, replica: Replica | undefined): boolean =>
  replica !== undefined && policyNameOf(replica.spec.template) === policy.meta.name;

const eviction = (replica: Replica, { key }: Policy, revision: string): Intent => ({
  kind: "evict",
  operation: evictOperation(replica, "policy"),
  replica: replica.key,
  incarnation: replica.status.incarnation,
  evidence: { kind: "policy-rollback", policy: key, revision },
});

const givingBack = (held: Reservation, { key }: Policy, revision: string): Intent => ({
  kind: "unreserve",
  operation: unwindRoomOperation(held),
  key: held.key,
  incarnation: held.spec.incarnation,
  evidence: { kind: "policy-rollback", policy: key, revision },
});
