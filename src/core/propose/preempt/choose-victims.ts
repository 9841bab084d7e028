/**
 * Who on one node would have to leave so that a replica fits, disturbing as little as can be: first
 * every preemptible replica is removed, then as many as possible are put back, those first whom it
 * would be worst to lose. The rest is needed: with any one of them still there it would not fit.
 */
import { chooseDevices } from "../../rules/feasibility/devices.ts";
import { ROOM_RULES } from "../../rules/feasibility/feasibility.ts";
import type { ObjectKey } from "../../model/ids.ts";
import type { Ask, Node, PriorityClassSpec, Replica } from "../../model/objects.ts";
import { classOf, isCompany, mayPreempt, VICTIMS_PER_PREEMPTION } from "../../model/preemption.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { disruptionsLeft, isDisruptive } from "../../rules/disruption.ts";
import { comeBack, leave, leaving, useAfter } from "../../observe/held-room.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { rulesInForce } from "../../observe/policy-in-force.ts";
import type { NodeUse } from "../../observe/usage.ts";
import { isPinned } from "../../rules/override/held-by-override.ts";
import { overridesInForce } from "../../rules/override/overrides-in-force.ts";

export interface Choice {
  readonly victims: readonly Replica[];
  readonly deviceIds: readonly string[];
  /** The highest value among them; lower than any there can be without victims. */
  readonly highest: number;
  /** How many of them are of workloads that bound what may be taken from them. */
  readonly budgeted: number;
  readonly sum: number;
  /** When they came to their stages, added up: the later, the less is lost. */
  readonly sinceMs: number;
}

/** "budget": it would fit if workloads let more of their replicas go than they do. */
export type Outlook = Choice | "budget" | "nothing";

interface Candidate {
  readonly replica: Replica;
  readonly value: number;
  readonly isBudgeted: boolean;
  /** How much of what is asked for its going would bring. */
  readonly size: number;
}

/** Below the value of work without a class. */
export const NOBODY = -0x8000_0000;

export function chooseVictims(search: {
  readonly objects: ObjectIndex;
  readonly node: Node;
  readonly replica: Replica;
  readonly by: PriorityClassSpec;
}): Outlook {
  const { objects, node, replica } = search;
  const { ask } = replica.spec.template;
  const now = objects.useOf(node.meta.name);
  const use = useAfter(now, leaving(objects, node.meta.name), replica);
  const fits = (): boolean => hasRoom(node, use, ask);
  if (fits()) {
    const isTheirs = hasRoom(node, now, ask) || !isLeavingForIt(search);
    return isTheirs ? "nothing" : choice([], chooseDevices({ node, use }, ask));
  }
  const { candidates, spared } = candidatesOn(search);
  for (const each of candidates) leave(use, each.replica);
  if (!fits()) {
    for (const each of spared) leave(use, each);
    return fits() ? "budget" : "nothing";
  }
  const victims: Candidate[] = [];
  for (const each of candidates.toSorted(worstToLose)) {
    comeBack(use, each.replica);
    if (fits()) continue;
    leave(use, each.replica);
    victims.push(each);
  }
  if (victims.length > VICTIMS_PER_PREEMPTION) return "nothing";
  return choice(victims, chooseDevices({ node, use }, ask));
}

function hasRoom(node: Node, use: NodeUse, ask: Ask): boolean {
  for (const rule of ROOM_RULES) if (rule.check({ node, use }, ask) !== undefined) return false;
  return true;
}

interface Seeker {
  readonly objects: ObjectIndex;
  readonly node: Node;
  readonly replica: Replica;
  readonly by: PriorityClassSpec;
}

const valueOf = (objects: ObjectIndex, { spec }: Replica): PriorityClassSpec =>
  classOf(objects.all("PriorityClass"), spec.template.priorityClass);

/** Room that is becoming free may be held by those who could have asked for some of it. */
function isLeavingForIt({ objects, node, replica, by }: Seeker): boolean {
  const rules = rulesInForce(objects, replica.spec.template, node.spec.region);
  for (const each of leaving(objects, node.meta.name)) {
    if (mayPreempt(by, valueOf(objects, each), rules) && !isCompany(replica, each)) return true;
  }
  return false;
}

/** Those who may be taken, and those who might if their workloads could spare them. */
function candidatesOn({ objects, node, replica, by }: Seeker): {
  readonly candidates: readonly Candidate[];
  readonly spared: readonly Replica[];
} {
  const candidates: Candidate[] = [];
  const spared: Replica[] = [];
  const left = new Map<ObjectKey, number>();
  const rules = rulesInForce(objects, replica.spec.template, node.spec.region);
  const overrides = overridesInForce(objects);
  for (const each of inOrderOfLoss(objects, node.meta.name)) {
    const itsClass = valueOf(objects, each);
    if (each.status.stopping !== undefined || !mayPreempt(by, itsClass, rules)) continue;
    if (isCompany(replica, each) || isPinned(each, overrides)) continue;
    const workload = workloadOf(each);
    const isBudgeted = isDisruptive(each, objects.workload(workload), "owed");
    if (isBudgeted) {
      const spare = left.get(workload) ?? disruptionsLeft(objects, workload);
      left.set(workload, Math.max(0, spare - 1));
      if (spare <= 0) {
        spared.push(each);
        continue;
      }
    }
    const size = sizeOf(each, replica.spec.template.ask);
    candidates.push({ replica: each, value: itsClass.value, isBudgeted, size });
  }
  return { candidates, spared };
}

/**
 * The newest first: where only some of a workload may go, they are the ones. Else the order is of
 * no matter.
 */
function inOrderOfLoss(objects: ObjectIndex, node: string): Iterable<Replica> {
  const replicas = [...objects.replicasOn(node).values()];
  const isBounded = replicas.some(
    (replica) => objects.workload(workloadOf(replica))?.spec.disruption !== undefined,
  );
  if (!isBounded) return replicas;
  return replicas.toSorted(
    (a, b) => b.status.stageSinceMs - a.status.stageSinceMs || (a.key < b.key ? -1 : 1),
  );
}

const part = (has: number, wanted: number): number =>
  wanted === 0 ? 0 : Math.min(1000, Math.floor((has * 1000) / wanted));

/** Per mille of each amount asked for, added up; what is more than all of it does not count. */
function sizeOf({ spec }: Replica, { amounts }: Ask): number {
  const its = spec.template.ask.amounts;
  return (
    part(its.cpuMillis, amounts.cpuMillis) +
    part(its.memoryMiB, amounts.memoryMiB) +
    part(its.deviceMillis, amounts.deviceMillis)
  );
}

/**
 * Who is put back first: the most important, then those of whom only some may go, then the small
 * ones, so that few large ones leave rather than many, then who has run longest.
 */
function worstToLose(a: Candidate, b: Candidate): number {
  return (
    b.value - a.value ||
    Number(b.isBudgeted) - Number(a.isBudgeted) ||
    a.size - b.size ||
    a.replica.status.stageSinceMs - b.replica.status.stageSinceMs ||
    (a.replica.key < b.replica.key ? -1 : 1)
  );
}

function choice(victims: readonly Candidate[], deviceIds: readonly string[]): Choice {
  let highest = NOBODY;
  let budgeted = 0;
  let sum = 0;
  let sinceMs = 0;
  for (const { replica, value, isBudgeted } of victims) {
    if (value > highest) highest = value;
    if (isBudgeted) budgeted += 1;
    sum += value;
    sinceMs += replica.status.stageSinceMs;
  }
  const replicas = victims
    .map(({ replica }) => replica)
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return { victims: replicas, deviceIds, highest, budgeted, sum, sinceMs };
}
