/**
 * Makes room for a replica that matters more: asks others on one node to stop, and holds their room
 * for it in the same commit, so that no other replica can take it while they stop. Everything is
 * asked of the truth: a victim that is not needed, or may not be taken, spoils the whole command.
 */
import { longestGraceMs } from "../../rules/longest-grace.ts";
import { checkChosenDevices } from "../../rules/feasibility/devices.ts";
import { firstMisfit, neighbourMisfit } from "../../rules/feasibility/feasibility.ts";
import { fieldOf, type Misfit } from "../../rules/feasibility/misfit.ts";
import { Neighbourhood } from "../../rules/feasibility/neighbourhood.ts";
import { nodeKey } from "../../model/ids.ts";
import type { Node, Replica, Reservation } from "../../model/objects.ts";
import {
  classOf,
  HOLD_SLACK_MS,
  isCompany,
  mayPreempt,
  PREEMPTED_PER_MINUTE,
  VICTIMS_PER_PREEMPTION,
} from "../../model/preemption.ts";
import { holdsNode } from "../../model/stage.ts";
import { overBudget } from "../../rules/disruption.ts";
import { comeBack, leave, leaving, roomFor, useAfter } from "../../observe/held-room.ts";
import { rulesInForce } from "../../observe/policy-in-force.ts";
import type { NodeUse } from "../../observe/usage.ts";
import type { IntentOf, Victim } from "../../protocol/command.ts";
import type { Change } from "../../protocol/commit-record.ts";
import { type CommitContext, missing, type Verdict, withStatus } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { policyMoved, replicaUnfit } from "./bind.ts";
import { RegionQuota } from "../checks/region-quota.ts";
import { newReservation } from "./reserve.ts";

type Preempt = IntentOf<"preempt">;

export function checkPreempt(context: CommitContext, intent: Preempt): Verdict {
  const { objects } = context.ledger;
  const replica = objects.replica(intent.replica);
  if (replica === undefined) return missing(intent.replica);
  if (context.role !== "preempt") return reject("not-owner", replica.key, "preempt", context.role);
  if (intent.budget !== undefined) {
    return reject(
      "budget-not-for",
      replica.key,
      "no budget: a recovery preempts nothing",
      intent.budget,
    );
  }
  const unfit = replicaUnfit(context, replica, intent);
  if (unfit !== undefined) return unfit;
  const held = roomFor(objects, replica);
  if (held !== undefined) {
    return reject("reservation-exists", replica.key, "no room held", held.key);
  }
  const node = objects.node(nodeKey(intent.node));
  if (node === undefined) return missing(nodeKey(intent.node));
  const named = namedVictims(context, intent);
  if ("code" in named) return named;
  const wrong =
    policyMoved(objects, replica, { node, intent }) ??
    notTheirs(context, replica, named, node) ??
    wrongRoom(context, replica, node, { intent, victims: named }) ??
    new RegionQuota(objects).exceededBy(replica, intent.node) ??
    tooMuch(context, named) ??
    wrongTime(intent, named);
  return wrong ?? makeRoom(context, replica, intent, named);
}

/**
 * The victims as they are: each there, in that incarnation, on that node, and not on its way out
 * already.
 */
function namedVictims(context: CommitContext, intent: Preempt): readonly Replica[] | Rejection {
  const { victims } = intent;
  const names = new Set(victims.map(({ replica }) => replica));
  if (victims.length > VICTIMS_PER_PREEMPTION || names.size !== victims.length) {
    return reject(
      "bad-object",
      "victims",
      `up to ${VICTIMS_PER_PREEMPTION}, each once`,
      victims.length,
    );
  }
  const found: Replica[] = [];
  for (const victim of victims) {
    const replica = context.ledger.objects.replica(victim.replica);
    if (replica === undefined) return missing(victim.replica);
    const wrong = notThere(replica, victim, intent.node);
    if (wrong !== undefined) return wrong;
    found.push(replica);
  }
  return found;
}

function notThere({ key, status }: Replica, victim: Victim, node: string): Rejection | undefined {
  if (status.incarnation !== victim.incarnation)
    return reject("wrong-incarnation", key, status.incarnation, victim.incarnation);
  if (!holdsNode(status.stage) || status.node !== node) {
    return reject("wrong-stage", key, `on ${node}`, status.node ?? status.stage);
  }
  return status.stopping === undefined
    ? undefined
    : reject("wrong-stage", key, "not stopping", "stopping");
}

/**
 * Room that is becoming free anyway is held only for those who could have asked for some of it
 * (PE1).
 */
function notTheirs(
  context: CommitContext,
  replica: Replica,
  victims: readonly Replica[],
  node: Node,
): Rejection | undefined {
  const { objects } = context.ledger;
  const classes = objects.all("PriorityClass");
  const by = classOf(classes, replica.spec.template.priorityClass);
  const rules = rulesInForce(objects, replica.spec.template, node.spec.region);
  const may = (other: Replica): boolean =>
    mayPreempt(by, classOf(classes, other.spec.template.priorityClass), rules) &&
    !isCompany(replica, other);
  const refused = (victim: Replica | undefined): Rejection =>
    reject(
      "preemption-not-allowed",
      victim?.key ?? replica.key,
      `a class that ${replica.spec.template.priorityClass || "no class"} may preempt, and no company`,
      victim?.spec.template.priorityClass || "no class",
    );
  if (victims.length === 0) {
    return [...leaving(objects, node.meta.name)].some(may) ? undefined : refused(undefined);
  }
  const spared = victims.find((victim) => !may(victim));
  return spared === undefined ? undefined : refused(spared);
}

/** With the victims gone it fits, and with any one of them still there it does not (PE3). */
function wrongRoom(
  context: CommitContext,
  replica: Replica,
  node: Node,
  asked: { readonly intent: Preempt; readonly victims: readonly Replica[] },
): Rejection | undefined {
  const { objects } = context.ledger;
  const { victims, intent } = asked;
  const now = objects.useOf(node.meta.name);
  const gone = [...leaving(objects, node.meta.name), ...victims];
  const later = useAfter(now, gone, replica);
  const { ask } = replica.spec.template;
  const fit = (use: NodeUse): Misfit | undefined => firstMisfit({ node, use }, ask)?.misfit;
  const misfit =
    fit(later) ??
    neighbourMisfit(node, replica, new Neighbourhood(objects.neighbours)) ??
    checkChosenDevices({ node, use: later }, ask, intent.deviceIds);
  if (misfit !== undefined) {
    return reject(misfit.code, fieldOf(misfit), misfit.expected, misfit.actual);
  }
  if (victims.length === 0 && fit(now) === undefined) {
    return reject("preemption-not-needed", node.key, "no room yet", "room for it");
  }
  for (const victim of victims) {
    comeBack(later, victim);
    const isNeeded = fit(later) !== undefined;
    leave(later, victim);
    if (!isNeeded) return reject("preemption-not-needed", victim.key, "needed", "it fits without");
  }
  return undefined;
}

function tooMuch(context: CommitContext, victims: readonly Replica[]): Rejection | undefined {
  const over = overBudget(context.ledger.objects, victims, {
    cause: "owed",
    nowMs: context.nowMs,
  });
  if (over !== undefined) {
    return reject("disruption-budget", over.workload, `at most ${over.left} more`, over.count);
  }
  const lately = context.ledger.preempted.within(context.nowMs);
  return lately + victims.length > PREEMPTED_PER_MINUTE
    ? reject(
        "preemption-rate",
        "victims",
        `${PREEMPTED_PER_MINUTE} a minute`,
        lately + victims.length,
      )
    : undefined;
}

/** Held for longer than it can take, the room would be wasted. */
function wrongTime({ holdMs }: Preempt, victims: readonly Replica[]): Rejection | undefined {
  const most = longestGraceMs(victims) + HOLD_SLACK_MS;
  return Number.isSafeInteger(holdMs) && holdMs > 0 && holdMs <= most
    ? undefined
    : reject("bad-object", "holdMs", `1 to ${most}`, holdMs);
}

function makeRoom(
  context: CommitContext,
  replica: Replica,
  intent: Preempt,
  victims: readonly Replica[],
): Verdict {
  const room = roomReservation(context, replica, intent);
  const preemptions = (replica.status.preemptions ?? 0) + 1;
  const stopping = { reason: "preempted", sinceMs: context.nowMs, by: replica.key } as const;
  return [
    { key: room.key, before: undefined, after: room } satisfies Change,
    withStatus(context, replica, { preemptions }),
    ...victims.map((victim) => withStatus(context, victim, { stopping })),
  ];
}

function roomReservation(context: CommitContext, replica: Replica, intent: Preempt): Reservation {
  const { node, deviceIds, holdMs, policyRevision } = intent;
  const room = { node, deviceIds, epoch: context.ledger.epoch };
  const under = policyRevision === undefined ? {} : { policyRevision };
  const deadlineMs = context.nowMs + holdMs;
  const spec = { for: "preemptor", deadlineMs, room, ...under } as const;
  return newReservation(context, replica, { suffix: ".room", spec });
}
