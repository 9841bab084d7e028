/** The rules of a replica's way (ST, BD, QT1, RS, GA, EV1, EV2, EV5), restated from docs/SPEC.md. */
import type { IntentOf } from "../../src/core/commit/command.ts";
import type { Role } from "../../src/core/model/actor.ts";
import { nodeKey, parseKey, replicaKey } from "../../src/core/model/ids.ts";
import type { BrokenRules } from "./broken-rules.ts";
import {
  freeUnits,
  every,
  find,
  isAtRest,
  isOnANode,
  isWanted,
  MEASURES,
  type ModelState,
  type NodeThing,
  type ReplicaThing,
  replicasOn,
  sum,
} from "./model-state.ts";
import { deadlineRules, gangRules } from "./rules-of-gangs.ts";
import { quotaRules, reclaimRules, regionRules, shrinkRules } from "./rules-of-quota.ts";
import { neighbourRules, nodeRules } from "./rules-of-placement.ts";

export type QueueReplica = Extract<IntentOf<"transition">, { to: "queued" }>;

export const admittedKey = (intent: IntentOf<"admit">): ReturnType<typeof replicaKey> => {
  const { namespace: tenant, name: workload } = parseKey(intent.workload);
  return replicaKey({ tenant, workload, generation: intent.generation, slot: intent.slot });
};

export function admitRules(
  state: ModelState,
  intent: IntentOf<"admit">,
  role: Role,
  broken: BrokenRules,
): void {
  broken.owners(["admit"], role);
  slotRules(state, intent, broken);
  const replica = find(state, "Replica", admittedKey(intent));
  const again = replica?.stage === "released" || replica?.stage === "failed";
  broken.add("wrong-stage", replica !== undefined && !again);
  broken.add("wrong-life", intent.life !== (replica === undefined ? 1 : replica.life + 1));
}

/** BD2 and OB1: its workload wants the slot, and nothing of a namesake is in it. */
export function slotRules(state: ModelState, intent: IntentOf<"admit">, broken: BrokenRules): void {
  const workload = find(state, "Workload", intent.workload);
  broken.add("no-such-object", workload === undefined);
  if (workload === undefined) return;
  const replica = find(state, "Replica", admittedKey(intent));
  const wanted =
    workload.deletingMs === undefined &&
    workload.templateGeneration === intent.generation &&
    workload.spec.replicas > intent.slot &&
    Number.isInteger(intent.slot) &&
    intent.slot >= 0;
  broken.add("slot-not-wanted", !wanted);
  const namesake = replica !== undefined && replica.workloadBorn !== workload.born;
  broken.add("already-exists", namesake);
}

/** ST3 and OB1, which every command about a replica meets. */
function lifeOf(
  state: ModelState,
  intent: { readonly replica: ReplicaThing["key"]; readonly life: number },
  broken: BrokenRules,
): ReplicaThing | undefined {
  const replica = find(state, "Replica", intent.replica);
  broken.add("no-such-object", replica === undefined);
  broken.add("wrong-life", replica !== undefined && replica.life !== intent.life);
  return replica;
}

export function reserveRules(
  state: ModelState,
  intent: IntentOf<"reserve">,
  role: Role,
  broken: BrokenRules,
): void {
  broken.owners(["admit"], role);
  const replica = lifeOf(state, intent, broken);
  if (replica === undefined) return;
  broken.add("wrong-stage", replica.stage !== "admitted");
  // A leak of a namesake is in the way, too, until it is reclaimed: there is one name for both.
  const held = every(state, "Reservation").some(
    ({ owner, life }) => owner === replica.key && life === replica.life,
  );
  broken.add("reservation-exists", held);
  quotaRules(state, replica, broken);
}

export function queueRules(
  state: ModelState,
  intent: QueueReplica,
  role: Role,
  broken: BrokenRules,
): void {
  broken.owners(["admit"], role);
  const replica = lifeOf(state, { replica: intent.key, life: intent.life }, broken);
  if (replica === undefined) return;
  broken.add("wrong-stage", replica.stage !== "admitted");
  broken.add("reservation-not-held", !isHeldFor(state, replica, intent.reservation));
}

function isHeldFor(
  state: ModelState,
  replica: ReplicaThing,
  key: ReplicaThing["key"] | undefined,
): boolean {
  return every(state, "Reservation").some(
    (reservation) =>
      reservation.key === key &&
      reservation.owner === replica.key &&
      reservation.ownerBorn === replica.born &&
      reservation.life === replica.life,
  );
}

export function bindRules(
  state: ModelState,
  intent: IntentOf<"bind">,
  role: Role,
  broken: BrokenRules,
): void {
  bindingRules(state, intent, role, broken);
  gangRules(state, [intent.replica], broken);
}

/** What each of many bindings has to meet by itself: all but what is asked of the whole command. */
export function bindingRules(
  state: ModelState,
  intent: IntentOf<"bind">,
  role: Role,
  broken: BrokenRules,
): void {
  broken.owners(["place"], role);
  const replica = lifeOf(state, intent, broken);
  const node = find(state, "Node", nodeKey(intent.node));
  broken.add("no-such-object", node === undefined);
  if (replica === undefined) return;
  broken.add("already-bound", isOnANode(replica));
  broken.add("wrong-stage", replica.stage !== "queued" && !isOnANode(replica));
  broken.add("slot-not-wanted", !isWanted(state, replica));
  if (node === undefined) return;
  fitRules(state, node, replica, intent.deviceIds, broken);
  regionRules(state, node, replica, broken);
}

function fitRules(
  state: ModelState,
  node: NodeThing,
  replica: ReplicaThing,
  chosen: readonly string[],
  broken: BrokenRules,
): void {
  const { spec } = node;
  const { ask } = replica.template;
  nodeRules(node, ask, broken);
  neighbourRules(state, node, replica, broken);
  const taken = replicasOn(state, node.name).map(({ template }) => template.ask.amounts);
  const asked = sum([...taken, ask.amounts]);
  broken.add(
    "node-full",
    MEASURES.some((measure) => asked[measure] > spec.capacity[measure]),
  );
  const free = freeUnits(state, node, ask);
  const count = ask.device?.count ?? 0;
  const twice = chosen.some((id, at) => chosen.indexOf(id) !== at);
  const areFree = chosen.every((id) => free.includes(id));
  broken.add("device-taken", chosen.length !== count || twice || !areFree);
  // A node with too few free units breaks the rule whichever units were named.
  broken.add("device-taken", free.length < count);
}

export function evictRules(
  state: ModelState,
  intent: IntentOf<"evict">,
  role: Role,
  broken: BrokenRules,
): void {
  const replica = lifeOf(state, intent, broken);
  if (replica === undefined) return;
  const { evidence } = intent;
  broken.add("wrong-stage", isAtRest(replica) || replica.stopping !== undefined);
  switch (evidence.kind) {
    case "surplus": {
      broken.owners(["admit"], role);
      const { workload, namespace } = replica;
      const itsOwn = evidence.workload === `Workload/${namespace}/${workload}`;
      broken.add("evidence-wrong", !itsOwn || isWanted(state, replica));
      break;
    }
    case "drain": {
      // Before it was bound a replica is ended by admit alone, and there is no node to drain.
      broken.owners(["drain-node"], role);
      const node = find(state, "Node", nodeKey(evidence.node));
      const there = isOnANode(replica) && replica.node === evidence.node;
      broken.add("evidence-wrong", !there || node?.spec.draining !== true);
      break;
    }
    case "gang-deadline":
      broken.owners(["admit"], role);
      deadlineRules(state, replica, evidence.workload, broken);
      break;
    case "quota-reclaim":
    case "quota-shrunk":
      broken.owners(["reclaim-quota"], role);
      // One that waits without having been queued holds nothing that it could give back.
      broken.add("not-owner", replica.stage === "admitted");
      if (evidence.kind === "quota-shrunk") shrinkRules(state, replica, evidence.quota, broken);
      else reclaimRules(state, replica, evidence.waiting, broken);
      break;
    default:
      broken.add("evidence-missing", true);
  }
}

export function reportRules(
  state: ModelState,
  intent: IntentOf<"report">,
  role: Role,
  broken: BrokenRules,
): void {
  broken.owners(["agent"], role);
  const replica = lifeOf(state, intent, broken);
  if (replica === undefined) return;
  const node = find(state, "Node", nodeKey(intent.node));
  broken.add("not-owner", replica.node !== intent.node);
  const earlier = node !== undefined && intent.session < node.session;
  broken.add("session-ended", replica.session !== intent.session || earlier);
  broken.add("node-fenced", node?.health === "fenced");
  broken.add("wrong-stage", !isOnANode(replica));
  // Whoever was asked to stop does not begin.
  broken.add("wrong-stage", replica.stopping !== undefined && intent.stage === "starting");
}

export function releaseRules(
  state: ModelState,
  intent: IntentOf<"release">,
  role: Role,
  broken: BrokenRules,
): void {
  const reservation = find(state, "Reservation", intent.key);
  if (reservation === undefined) {
    lossRules(state, intent, role, broken);
    return;
  }
  const { evidence } = intent;
  broken.owners(["reclaim-leak"], role);
  broken.add("wrong-life", intent.life !== reservation.life);
  broken.add("evidence-missing", evidence.kind !== "owner-gone");
  const names = evidence.kind !== "owner-gone" || evidence.owner === reservation.owner;
  broken.add("evidence-wrong", !names);
  const useful = every(state, "Replica").some(
    ({ key, born, life, stage }) =>
      key === reservation.owner &&
      born === reservation.ownerBorn &&
      life === reservation.life &&
      (stage === "admitted" || stage === "queued"),
  );
  broken.add("reservation-in-use", useful);
}

function lossRules(
  state: ModelState,
  intent: IntentOf<"release">,
  role: Role,
  broken: BrokenRules,
): void {
  const replica = lifeOf(state, { replica: intent.key, life: intent.life }, broken);
  if (replica === undefined) return;
  const { evidence } = intent;
  // Before it was bound a replica holds nothing on a node, and its end belongs to admit.
  const unbound = replica.stage === "admitted" || replica.stage === "queued";
  broken.owners([unbound ? "admit" : "release-lost"], role);
  broken.add("wrong-stage", !isOnANode(replica));
  if (evidence.kind !== "node-fenced" && evidence.kind !== "session-ended") {
    broken.add("evidence-missing", true);
    return;
  }
  const node = find(state, "Node", nodeKey(evidence.node));
  const names = evidence.node === replica.node && evidence.session === replica.session;
  const isSo =
    evidence.kind === "node-fenced"
      ? node?.health === "fenced"
      : node !== undefined && node.session > evidence.session;
  broken.add("evidence-wrong", !names || !isSo);
  const forSilence = evidence.kind === "node-fenced" && node?.because !== "person";
  broken.add("keeps-running", forSilence && replica.template.onDisconnect === "keep");
}
