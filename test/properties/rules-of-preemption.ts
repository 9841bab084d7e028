/**
 * The rules of preemption and of held room (PE1, PE3, PE4, PE6, PE7), restated from docs/SPEC.md. What will be there
 * once everybody who leaves has left is not reckoned but made: a copy of the state in which it is so.
 */
import type { IntentOf } from "../../src/core/protocol/command.ts";
import type { Role } from "../../src/core/model/actor.ts";
import { nodeKey } from "../../src/core/model/ids.ts";
import type { PriorityClassSpec } from "../../src/core/model/objects.ts";
import { BrokenRules } from "./broken-rules.ts";
import {
  every,
  find,
  isItsOwn,
  isOnANode,
  isWanted,
  type ModelState,
  type NodeThing,
  type ReplicaThing,
  replicasOn,
  type ReservationThing,
  wantedWorkload,
} from "./model-state.ts";
import { neighbourRules, nodeRules, roomRules, unitRules } from "./rules-of-placement.ts";
import { regionRules } from "./rules-of-quota.ts";

/** Written out, not imported: they are the specification's numbers. */
const SLACK_MS = 60_000;
const HIGHEST_VALUE = 1_000_000_000;

export const roomsOn = (state: ModelState, node: string): ReservationThing[] =>
  every(state, "Reservation").filter(({ room }) => room?.node === node);

const isLeaving = ({ stopping }: ReplicaThing): boolean => stopping !== undefined;

/**
 * The state once these, and all on the node who were asked to stop, have left, and everybody has come for whom room
 * is held there, except for this one.
 */
export function laterOn(
  state: ModelState,
  node: string,
  of: { readonly gone: readonly ReplicaThing[]; readonly but: ReplicaThing },
): ModelState {
  const leave = [...of.gone, ...replicasOn(state, node).filter(isLeaving)].map(({ key }) => key);
  const rooms = roomsOn(state, node).filter((held) => !isItsOwn(held, of.but));
  const things = state.things
    .filter(({ key }) => !leave.includes(key))
    .map((thing) => {
      const held = rooms.find(({ owner }) => owner === thing.key);
      if (thing.kind !== "Replica" || held?.room === undefined) return thing;
      return { ...thing, stage: "bound" as const, node, deviceIds: [...held.room.deviceIds] };
    });
  return { ...state, things };
}

/** PE6, which everybody who is bound meets: it fits beside what is held for others, too. */
export function heldRoomRules(
  state: ModelState,
  node: NodeThing,
  of: { readonly replica: ReplicaThing; readonly chosen: readonly string[] },
  broken: BrokenRules,
): void {
  const later = laterOn(state, node.name, { gone: [], but: of.replica });
  const { ask } = of.replica.template;
  roomRules(later, node, ask, broken);
  unitRules(later, node, { ask, chosen: of.chosen }, broken);
}

function mayTakeThePlaceOf(state: ModelState, by: ReplicaThing, of: ReplicaThing): boolean {
  const mine = classOf(state, by);
  const its = classOf(state, of);
  // Work without a class takes nobody's place.
  if (mine === undefined || mine.preempts === "never") return false;
  if (its === undefined) return true;
  const sameBand = (mine.band ?? "") !== "" && mine.band === its.band;
  return mine.value > its.value && !sameBand && its.preemptible !== false;
}

/** A class that is not there any more is none. */
const classOf = (state: ModelState, { template }: ReplicaThing): PriorityClassSpec | undefined =>
  every(state, "PriorityClass").find(({ name }) => name === template.priorityClass)?.spec;

export function preemptRules(
  state: ModelState,
  intent: IntentOf<"preempt">,
  role: Role,
  broken: BrokenRules,
): void {
  broken.owners(["preempt"], role);
  const replica = find(state, "Replica", intent.replica);
  const node = find(state, "Node", nodeKey(intent.node));
  broken.add("no-such-object", replica === undefined || node === undefined);
  const victims = victimRules(state, intent, broken);
  if (replica === undefined) return;
  broken.add("wrong-incarnation", replica.incarnation !== intent.incarnation);
  broken.add("already-bound", isOnANode(replica));
  broken.add("wrong-stage", replica.stage !== "queued" && !isOnANode(replica));
  broken.add("index-not-wanted", !isWanted(state, replica));
  const holds = every(state, "Reservation").some(
    (held) => held.room !== undefined && isItsOwn(held, replica),
  );
  broken.add("reservation-exists", holds);
  if (node === undefined) return;
  const leaving = replicasOn(state, node.name).filter(isLeaving);
  const may = (other: ReplicaThing): boolean => mayTakeThePlaceOf(state, replica, other);
  const isAllowed = intent.victims.length > 0 ? victims.every(may) : leaving.some(may);
  broken.add("preemption-not-allowed", !isAllowed);
  neededRules(state, node, { replica, victims, intent }, broken);
  regionRules(state, node, replica, broken);
  budgetRules(state, victims, broken);
}

/** Each is there in that incarnation, on that node, and not on its way out already; and how long room may be held for it. */
function victimRules(
  state: ModelState,
  { victims, node, holdMs }: IntentOf<"preempt">,
  broken: BrokenRules,
): readonly ReplicaThing[] {
  const names = victims.map(({ replica }) => replica);
  broken.add("bad-object", new Set(names).size !== names.length);
  const found = victims.flatMap(({ replica: key, incarnation }) => {
    const victim = find(state, "Replica", key);
    broken.add("no-such-object", victim === undefined);
    if (victim === undefined) return [];
    broken.add("wrong-incarnation", victim.incarnation !== incarnation);
    const isThere = isOnANode(victim) && victim.node === node;
    broken.add("wrong-stage", !isThere || isLeaving(victim));
    return [victim];
  });
  const graces = found.map(({ template }) => template.run?.stopGraceMs ?? 0);
  const mostMs = Math.max(0, ...graces) + SLACK_MS;
  broken.add("bad-object", !Number.isInteger(holdMs) || holdMs < 1 || holdMs > mostMs);
  return found;
}

/** PE3: with all of them gone it fits, with any one of them still there it does not. */
function neededRules(
  state: ModelState,
  node: NodeThing,
  of: {
    readonly replica: ReplicaThing;
    readonly victims: readonly ReplicaThing[];
    readonly intent: IntentOf<"preempt">;
  },
  broken: BrokenRules,
): void {
  const { replica, victims, intent } = of;
  const { ask } = replica.template;
  nodeRules(node, ask, broken);
  // Preemption makes room; it lifts no rule about neighbours, so those who leave still count as such.
  neighbourRules(state, node, replica, broken);
  const later = laterOn(state, node.name, { gone: victims, but: replica });
  roomRules(later, node, ask, broken);
  unitRules(later, node, { ask, chosen: intent.deviceIds }, broken);
  const hasRoom = (then: ModelState): boolean => {
    const missing = new BrokenRules();
    roomRules(then, node, ask, missing);
    return missing.codes.size === 0;
  };
  if (victims.length === 0) broken.add("preemption-not-needed", hasRoom(state));
  for (const spared of victims) {
    const gone = victims.filter((victim) => victim !== spared);
    const without = laterOn(state, node.name, { gone, but: replica });
    broken.add("preemption-not-needed", hasRoom(without));
  }
}

const serves = ({ stage, stopping }: ReplicaThing): boolean =>
  stopping === undefined && ["serving", "running", "succeeded"].includes(stage);

/** PE4: afterwards no more of the wanted ones are out of serving than may be. Who does not serve is not protected. */
export function budgetRules(
  state: ModelState,
  taken: readonly ReplicaThing[],
  broken: BrokenRules,
): void {
  for (const { key, spec } of every(state, "Workload")) {
    const its = every(state, "Replica").filter(
      (replica) => wantedWorkload(state, replica)?.key === key && isWanted(state, replica),
    );
    const serving = its.filter(serves);
    const left = serving.filter((replica) => !taken.includes(replica));
    if (spec.disruption === undefined || left.length === serving.length) continue;
    broken.add("disruption-budget", spec.replicas - left.length > spec.disruption.maxUnavailable);
  }
}

/** MT6: of a service without a budget, a drain takes one while every other that ever had a node serves. */
export function oneByOneRules(state: ModelState, replica: ReplicaThing, broken: BrokenRules): void {
  const workload = wantedWorkload(state, replica);
  if (workload === undefined || !serves(replica) || !isWanted(state, replica)) return;
  if (workload.spec.type !== "service" || workload.spec.disruption !== undefined) return;
  const others = every(state, "Replica").filter(
    (other) => wantedWorkload(state, other)?.key === workload.key && isWanted(state, other),
  );
  broken.add(
    "disruption-budget",
    others.some((other) => (other.node ?? other.lastNode) !== undefined && !serves(other)),
  );
}

/** PE7: how long it was held is counted on one clock. */
export function holdOverRules(
  state: ModelState,
  held: ReservationThing,
  broken: BrokenRules,
): void {
  // What is no room is not held for a time.
  broken.add("evidence-missing", held.room === undefined);
  if (held.room === undefined) return;
  const sinceMs = held.room.epoch === state.epoch ? held.createdMs : state.leadSinceMs;
  broken.add("hold-not-over", state.nowMs - sinceMs < held.holdMs);
}

/** OB5. */
export function isMalformedClass({
  value,
  band,
  preempts,
  preemptible,
}: PriorityClassSpec): boolean {
  const isValue = Number.isInteger(value) && Math.abs(value) <= HIGHEST_VALUE;
  const isWay = preempts === undefined || preempts === "lower" || preempts === "never";
  const isBand = band === undefined || typeof band === "string";
  return !isValue || !isWay || !isBand || !["undefined", "boolean"].includes(typeof preemptible);
}
