/** The rules of a replica's way (ST, BD, QT1, RS, GA, EV1, EV2), restated from docs/SPEC.md. */
import type { IntentOf } from "../../src/core/protocol/command.ts";
import type { Role } from "../../src/core/model/actor.ts";
import { nodeKey, parseKey, replicaKey } from "../../src/core/model/ids.ts";
import type { BrokenRules } from "./broken-rules.ts";
import {
  every,
  find,
  isAtRest,
  isItsOwn,
  isOnANode,
  isWanted,
  type ModelState,
  type NodeThing,
  quotaReservations,
  type ReplicaThing,
} from "./model-state.ts";
import { deadlineRules, gangRules } from "./rules-of-gangs.ts";
import { quotaRules, reclaimRules, regionRules, shrinkRules } from "./rules-of-quota.ts";
import { drainedRules } from "./rules-of-drains.ts";
import { neighbourRules, nodeRules, roomRules, unitRules } from "./rules-of-placement.ts";
import { budgetRules, heldRoomRules } from "./rules-of-preemption.ts";

export type QueueReplica = Extract<IntentOf<"transition">, { to: "queued" }>;

export const admittedKey = (intent: IntentOf<"admit">): ReturnType<typeof replicaKey> => {
  const { namespace: tenant, name: workload } = parseKey(intent.workload);
  return replicaKey({ tenant, workload, generation: intent.generation, index: intent.index });
};

export function admitRules(
  state: ModelState,
  intent: IntentOf<"admit">,
  role: Role,
  broken: BrokenRules,
): void {
  broken.owners(["admit"], role);
  indexRules(state, intent, broken);
  surgeRules(state, intent, broken);
  const replica = find(state, "Replica", admittedKey(intent));
  const again = replica?.stage === "released" || replica?.stage === "failed";
  broken.add("wrong-stage", replica !== undefined && !again);
  broken.add(
    "wrong-incarnation",
    intent.incarnation !== (replica === undefined ? 1 : replica.incarnation + 1),
  );
}

/** RO2, for services that say nothing of their rollouts: on the way to a template one more than wanted may live. */
function surgeRules(state: ModelState, intent: IntentOf<"admit">, broken: BrokenRules): void {
  const workload = find(state, "Workload", intent.workload);
  if (workload === undefined || workload.runs === workload.templateGeneration) return;
  const living = every(state, "Replica").filter(
    ({ workloadBorn, stage, stopping }) =>
      workloadBorn === workload.born &&
      !isAtRest({ stage }) &&
      (stage !== "unknown" || stopping === undefined),
  );
  broken.add("rollout-surge", living.length > workload.spec.replicas);
}

/** BD2 and OB1: its workload wants the index, and nothing of a namesake is in it. */
export function indexRules(
  state: ModelState,
  intent: IntentOf<"admit">,
  broken: BrokenRules,
): void {
  const workload = find(state, "Workload", intent.workload);
  broken.add("no-such-object", workload === undefined);
  if (workload === undefined) return;
  const replica = find(state, "Replica", admittedKey(intent));
  const wanted =
    workload.deletingMs === undefined &&
    workload.runs === intent.generation &&
    workload.spec.replicas > intent.index &&
    Number.isInteger(intent.index) &&
    intent.index >= 0;
  broken.add("index-not-wanted", !wanted);
  const namesake = replica !== undefined && replica.workloadBorn !== workload.born;
  broken.add("already-exists", namesake);
}

/** ST3 and OB1, which every command about a replica meets. */
function incarnationOf(
  state: ModelState,
  intent: { readonly replica: ReplicaThing["key"]; readonly incarnation: number },
  broken: BrokenRules,
): ReplicaThing | undefined {
  const replica = find(state, "Replica", intent.replica);
  broken.add("no-such-object", replica === undefined);
  broken.add(
    "wrong-incarnation",
    replica !== undefined && replica.incarnation !== intent.incarnation,
  );
  return replica;
}

export function reserveRules(
  state: ModelState,
  intent: IntentOf<"reserve">,
  role: Role,
  broken: BrokenRules,
): void {
  broken.owners(["admit"], role);
  const replica = incarnationOf(state, intent, broken);
  if (replica === undefined) return;
  broken.add("wrong-stage", replica.stage !== "admitted");
  // A leak of a namesake is in the way, too, until it is reclaimed: there is one name for both.
  const held = quotaReservations(state).some(
    ({ owner, incarnation }) => owner === replica.key && incarnation === replica.incarnation,
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
  const replica = incarnationOf(
    state,
    { replica: intent.key, incarnation: intent.incarnation },
    broken,
  );
  if (replica === undefined) return;
  broken.add("wrong-stage", replica.stage !== "admitted");
  broken.add("reservation-not-held", !isHeldFor(state, replica, intent.reservation));
}

function isHeldFor(
  state: ModelState,
  replica: ReplicaThing,
  key: ReplicaThing["key"] | undefined,
): boolean {
  return quotaReservations(state).some((held) => held.key === key && isItsOwn(held, replica));
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
  const replica = incarnationOf(state, intent, broken);
  const node = find(state, "Node", nodeKey(intent.node));
  broken.add("no-such-object", node === undefined);
  if (replica === undefined) return;
  broken.add("already-bound", isOnANode(replica));
  broken.add("wrong-stage", replica.stage !== "queued" && !isOnANode(replica));
  broken.add("index-not-wanted", !isWanted(state, replica));
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
  const { ask } = replica.template;
  nodeRules(node, ask, broken);
  neighbourRules(state, node, replica, broken);
  roomRules(state, node, ask, broken);
  unitRules(state, node, { ask, chosen }, broken);
  heldRoomRules(state, node, { replica, chosen }, broken);
}

export function evictRules(
  state: ModelState,
  intent: IntentOf<"evict">,
  role: Role,
  broken: BrokenRules,
): void {
  const replica = incarnationOf(state, intent, broken);
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
    case "drain":
    case "drain-forced":
      // Before it was bound a replica is ended by admit alone, and there is no node to drain.
      broken.owners(["drain-node"], role);
      drainedRules(state, replica, evidence, broken);
      break;
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
      budgetRules(state, [replica], broken);
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
  const replica = incarnationOf(state, intent, broken);
  if (replica === undefined) return;
  const node = find(state, "Node", nodeKey(intent.node));
  broken.add("not-owner", replica.node !== intent.node);
  const earlier = node !== undefined && intent.session < node.session;
  broken.add("session-ended", replica.session !== intent.session || earlier);
  broken.add("node-fenced", node?.health === "fenced");
  broken.add("wrong-stage", !isOnANode(replica));
  // Whoever was asked to stop does not begin.
  broken.add("wrong-stage", replica.stopping !== undefined && intent.stage === "starting");
  // What was ready starts again only on the word of a probe.
  const wasReady = ["ready", "serving", "running"].includes(replica.stage);
  const isBare = intent.stage === "starting" && intent.reason === undefined;
  broken.add("wrong-stage", wasReady && isBare);
}
