/**
 * Makes room for queued replicas that no node can take: asks the least important others on one node
 * to leave, and holds what they leave for them. Observes nodes, replicas, classes, workloads and
 * held room through a view that may be stale; proposes one preemption per replica. Leaves placing
 * to `place`, which finds the held room, and every rule to the authority.
 */
import { roomOf } from "../model/reservation.ts";
import { type Intent, INDEXES_PER_COMMAND } from "../protocol/command.ts";
import type { Change } from "../protocol/commit-record.ts";
import { longestGraceMs } from "../rules/longest-grace.ts";
import type { Controller } from "../runner/controller.ts";
import {
  type Decision,
  type Look,
  propose,
  settled,
  wait,
  type WaitReason,
} from "../protocol/decision.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { PriorityClassSpec, Replica } from "../model/objects.ts";
import { classOf, HOLD_SLACK_MS } from "../model/preemption.ts";
import { workloadOf } from "../model/workload-of.ts";
import { NODES_FACT, objectFact } from "../observe/facts.ts";
import { gangMembers } from "../observe/gang-members.ts";
import type { View } from "../observe/view.ts";
import { secretWait } from "../rules/secrets/wait-for-secret.ts";
import { frozenWait } from "../rules/override/wait-for-override.ts";
import { preemptOperation } from "../protocol/operations.ts";
import { heldSummary } from "./held-summary.ts";
import type { Choice } from "./preempt/choose-victims.ts";
import { PreemptPlanner } from "./preempt/preempt-planner.ts";

/** Wake-ups should come from facts; this is for the ones that were lost on the way. */
const PATIENCE_MS = 15_000;

/** A scheduler that sees the same room takes it within this time, or somebody else has. */
const ROOM_FREE_PATIENCE_MS = 1_000;

/** The bound counts a minute by whole seconds: a few of them make a difference. */
const RATE_PATIENCE_MS = 5_000;

/** Each is a commit of its own; more of one workload are asked for at its next look. */
const PREEMPTIONS_PER_LOOK = 32;

export function createPreempt(): Controller {
  let made: PreemptPlanner | undefined;
  const driverOn = (view: View): PreemptPlanner => (made ??= new PreemptPlanner(view));
  return {
    role: "preempt",
    interest: {
      kinds: new Set([
        "Node",
        "Replica",
        "Reservation",
        "PriorityClass",
        "Workload",
        "Quota",
        "Policy",
        "Override",
        "PolicyRevision",
        // Room that is kept and paid for is a place: it needs no eviction.
        "RecoveryBudget",
        "Secret",
      ]),
      node: undefined,
      roomsOnly: true,
    },
    follow: (change, view) => driverOn(view).follow(change),
    keysFor: (change, view) => keysFor(change, view, driverOn(view)),
    allKeys: (view) => driverOn(view).queued.workloads(),
    reconcile: (key, view, look) => preempt(key, driverOn(view), look),
  };
}

const isQueued = (object: Change["after"]): boolean =>
  object?.kind === "Replica" && object.status.stage === "queued";

function keysFor(
  { before, after }: Change,
  view: View,
  planner: PreemptPlanner,
): readonly ObjectKey[] {
  const some = after ?? before;
  switch (some?.kind) {
    case "Replica": {
      const own = isQueued(after) || isQueued(before) ? [workloadOf(some)] : [];
      return planner.canSpareMore() ? [...own, ...planner.waitingForBudget] : own;
    }
    case "Reservation": {
      const owner = view.objects.replica(some.spec.owner);
      return owner === undefined ? [] : [workloadOf(owner)];
    }
    // Who may take whose place has changed, or how much of a workload may go.
    case "PriorityClass":
    case "Policy":
      return [...planner.queued.workloads()];
    case "Workload":
    case "Override":
      return [...planner.waitingForBudget];
    default:
      return [];
  }
}

/** What one look has found. */
interface Findings {
  readonly intents: Intent[];
  readonly held: string[];
  /** Those for whom there is room without anybody leaving. */
  readonly placeable: Replica[];
  first: { readonly node: string; readonly choice: Choice; readonly replica: Replica } | undefined;
  reason: WaitReason | undefined;
}

function preempt(workload: ObjectKey, planner: PreemptPlanner, look: Look): Decision {
  planner.answered(
    workload,
    look.now,
    Math.max(0, ...look.feedback.map(({ revision }) => revision)),
  );
  const desired = planner.view.objects.workload(workload);
  const isGang = desired?.spec.gang !== undefined;
  const most = isGang ? INDEXES_PER_COMMAND : PREEMPTIONS_PER_LOOK;
  const replicas = planner.queued.first(workload, most, planner.view);
  const first = replicas[0];
  if (first === undefined) return settled;
  const { priorityClass } = first.spec.template;
  const by = classOf(planner.view.objects.all("PriorityClass"), priorityClass);
  if (by.preempts === "never") return settled;
  const { view } = planner;
  const held = frozenWait(workload, view, look) ?? secretWait(first, view, look);
  if (held !== undefined) return held;
  // Room for some of a gang is of use to none of it (GA4).
  if (isGang && gangMembers(desired, planner.view.objects).missing.length > 0) {
    return waitFor("gang-incomplete", [], look);
  }
  if (look.feedback.some(({ code }) => code === "preemption-rate")) {
    return waitFor("preemption-rate", [], look);
  }
  const found = considerAll(replicas, by, { planner, look, workload });
  return conclude(found, planner, look, workload);
}

function considerAll(
  replicas: readonly Replica[],
  by: PriorityClassSpec,
  planning: { readonly planner: PreemptPlanner; readonly look: Look; readonly workload: ObjectKey },
): Findings {
  const { planner, workload, look } = planning;
  const found: Findings = {
    intents: [],
    held: [],
    placeable: [],
    first: undefined,
    reason: undefined,
  };
  const generation = replicas[0]?.spec.generation;
  for (const replica of replicas) {
    if (replica.spec.generation !== generation) break;
    if (!consider(replica, by, { planner, found, look })) break;
  }
  for (const { key } of found.placeable) planner.finder.forget(key);
  // A gang comes whole or not at all: no replica is evicted for a part of one.
  const isGang = planner.view.objects.workload(workload)?.spec.gang !== undefined;
  if (isGang && found.reason !== undefined) {
    planner.answered(workload, look.now, 0);
    return { ...found, intents: [], first: undefined };
  }
  return found;
}

/** False when there is nothing for this one, and so nothing for those that ask for the same. */
function consider(
  replica: Replica,
  by: PriorityClassSpec,
  planning: {
    readonly planner: PreemptPlanner;
    readonly found: Findings;
    readonly look: Look;
  },
): boolean {
  const { planner, found, look } = planning;
  const held = planner.finder.roomHeld(replica);
  const room = held && roomOf(held.spec);
  if (room !== undefined) {
    found.held.push(room.node);
    return true;
  }
  const free = planner.finder.find(replica);
  if (free !== undefined) {
    // Left to the scheduler, and not offered to the next one of them.
    planner.finder.assume(replica, free, look.now);
    found.placeable.push(replica);
    return true;
  }
  const outlook = planner.bestNode(replica, by);
  if (typeof outlook === "string") {
    found.reason = outlook;
    return false;
  }
  const { node, choice } = outlook;
  planner.claim(replica, { node, deviceIds: choice.deviceIds }, look.now);
  found.first ??= { node, choice, replica };
  const revision = planner.finder.revisionFor(replica, node);
  found.intents.push(intentOf(replica, { node, revision }, choice));
  return true;
}

function intentOf(
  replica: Replica,
  { node, revision }: { readonly node: string; readonly revision: string | undefined },
  { victims, deviceIds }: Choice,
): Intent {
  return {
    kind: "preempt",
    operation: preemptOperation(replica),
    replica: replica.key,
    incarnation: replica.status.incarnation,
    node,
    deviceIds,
    victims: victims.map(({ key, status }) => ({ replica: key, incarnation: status.incarnation })),
    holdMs: longestGraceMs(victims) + HOLD_SLACK_MS,
    ...(revision === undefined ? {} : { policyRevision: revision }),
  };
}

function conclude(
  { intents, held, placeable, first, reason }: Findings,
  planner: PreemptPlanner,
  look: Look,
  workload: ObjectKey,
): Decision {
  if (first !== undefined) {
    const { node, choice, replica } = first;
    const count = choice.victims.length;
    const revision = planner.finder.revisionFor(replica, node);
    const others = intents.length === 1 ? "" : `; ${intents.length} replicas get room in total`;
    const who = `${count} ${count === 1 ? "replica" : "replicas"}`;
    return propose(intents, {
      summary: `${who} on ${node} preempted for ${replica.meta.namespace}/${replica.meta.name}${others}`,
      chosen: node,
      ...(revision === undefined ? {} : { policyRevision: revision }),
    });
  }
  if (reason === undefined && placeable.length > 0) return waitFor("room-free", [NODES_FACT], look);
  if (reason === undefined) {
    const nodes = [...new Set(held)];
    return wait({
      reason: "room-held",
      wakes: [],
      deadlineMs: look.now + PATIENCE_MS,
      because: { summary: heldSummary(nodes, planner.view) },
    });
  }
  if (reason === "preemption-budget") planner.waitingForBudget.add(workload);
  return waitFor(reason, [NODES_FACT, objectFact(workload)], look);
}

const SUMMARIES: Partial<Record<WaitReason, string>> = {
  "room-free": "a node has room: the scheduler places it",
  "gang-incomplete": "not all members of the gang are queued yet",
  "nothing-to-preempt": "no node has enough work that it may preempt",
  "room-promised": "preemption is in progress on every candidate node",
  "preemption-budget": "the disruption budgets of all candidates allow no eviction now",
  "preemption-rate": "the preemption budget of the last minute is used up",
};

function waitFor(reason: WaitReason, wakes: readonly string[], look: Look): Decision {
  const patienceMs =
    reason === "room-free" || reason === "room-promised"
      ? ROOM_FREE_PATIENCE_MS
      : reason === "preemption-rate"
        ? RATE_PATIENCE_MS
        : PATIENCE_MS;
  return wait({
    reason,
    wakes,
    deadlineMs: look.now + patienceMs,
    because: { summary: SUMMARIES[reason] ?? reason },
  });
}
