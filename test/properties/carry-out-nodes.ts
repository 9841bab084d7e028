/** What is changed by what nodes say, and by what is said of them. The model is changed in place. */
import type { IntentOf } from "../../src/core/protocol/command.ts";
import { leaseKey, nodeKey, type Uid } from "../../src/core/model/ids.ts";
import { alter, endRoomsOn, named, toStage } from "./model-changes.ts";
import {
  find,
  type LeaseThing,
  type ModelState,
  type NodeThing,
  replicasOn,
  type ToldSilence,
} from "./model-state.ts";
import { type MoveNode, silenceBefore, silentMs } from "./rules-of-nodes.ts";

export function carryOutMove(state: ModelState, intent: MoveNode): void {
  const node = find(state, "Node", intent.key)!;
  node.health = intent.to;
  node.because = intent.evidence.kind;
  node.told = toldBy(state, node, intent);
  node.revision = state.revision;
  if (intent.to === "suspect") return;
  if (intent.to === "fenced") endRoomsOn(state, node.name);
  for (const replica of replicasOn(state, node.name)) {
    if (replica.stage === "unknown") continue;
    alter(state, replica.key, (held) => toStage(state, held, "unknown"));
  }
}

/** EV11: what this leadership measures, and apart from it what others had committed of the same silence. */
function toldBy(
  state: ModelState,
  node: NodeThing,
  { evidence }: MoveNode,
): ToldSilence | undefined {
  const lease = find(state, "Lease", leaseKey(node.name));
  if (evidence.kind !== "lease-expired" || lease === undefined) return undefined;
  const { session, seq } = lease;
  const beforeMs = silenceBefore(state, node, lease);
  return { session, seq, epoch: state.epoch, ownMs: silentMs(state, lease), beforeMs };
}

/** After more than three returns in ten minutes it is held from new work (FL1). */
function comeBack(state: ModelState, node: NodeThing): void {
  const earlier = node.returnsOf === state.epoch ? node.returns : [];
  const recent = earlier.filter((atMs) => state.nowMs - atMs < 600_000);
  node.returns = [...recent, state.nowMs].slice(-8);
  node.returnsOf = state.epoch;
  const times = node.returns.length;
  if (times <= 3) return;
  node.heldSinceMs = state.nowMs;
  node.heldOf = state.epoch;
  // A minute, twice as long with every further return, and ten minutes at most.
  node.heldForMs = Math.min(60_000 * 2 ** (times - 4), 600_000);
}

export function carryOutLease(state: ModelState, intent: IntentOf<"lease">): void {
  const node = find(state, "Node", nodeKey(intent.node))!;
  const key = leaseKey(intent.node);
  const said = { session: intent.session, seq: intent.seq };
  const lease = find(state, "Lease", key);
  const isSameClock = lease?.epoch === state.epoch;
  const wasSilent = isSameClock && state.nowMs - lease.renewedMs > 8_000;
  const backMs = wasSilent ? state.nowMs : isSameClock ? lease.backMs : undefined;
  const forgotten = forgottenAfter(state, lease, intent);
  const when = { renewedMs: state.nowMs, epoch: state.epoch, backMs, forgotten };
  if (lease !== undefined) Object.assign(lease, said, when, { revision: state.revision });
  else
    state.things.push({ ...named(state, key), kind: "Lease", node: node.name, ...said, ...when });
  const begins = intent.session > node.session;
  if (node.health === "ready" && !begins) return;
  node.revision = state.revision;
  if (node.health !== "ready" && lease !== undefined) comeBack(state, node);
  node.health = "ready";
  node.because = undefined;
  node.told = undefined;
  node.session = intent.session;
  if (!begins) return;
  for (const replica of replicasOn(state, node.name)) {
    const kept = replica.template.onDisconnect === "keep" && intent.kept.includes(replica.key);
    if (kept) alter(state, replica.key, (held) => (held.session = intent.session));
  }
}

/** FG1: whoever of the session is older than the agent's view and missing from its list, and how often in a row. */
function forgottenAfter(
  state: ModelState,
  lease: LeaseThing | undefined,
  { node, session, inventory }: IntentOf<"lease">,
): LeaseThing["forgotten"] {
  const before = lease?.session === session ? lease.forgotten : undefined;
  if (inventory === undefined) return before;
  const missing = replicasOn(state, node).filter(
    (replica) =>
      replica.session === session &&
      replica.revision <= inventory.asOf &&
      !inventory.replicas.includes(replica.key),
  );
  if (missing.length === 0) return undefined;
  const replicas = missing.map(({ key: replica, born, incarnation }) => {
    // A namesake is another, whatever incarnation it is in.
    const uid = `${replica}@${born}` as Uid;
    const known = before?.replicas.find(
      (each) => each.uid === uid && each.incarnation === incarnation,
    );
    return { replica, uid, incarnation, times: (known?.times ?? 0) + 1 };
  });
  const inOrder = replicas.toSorted((a, b) => (a.replica < b.replica ? -1 : 1));
  return { asOf: inventory.asOf, replicas: inOrder };
}

/** FL2: it takes new work again. */
export function carryOutSteady(state: ModelState, node: NodeThing): void {
  node.revision = state.revision;
  node.heldSinceMs = undefined;
}

/** MT3. */
export function carryOutDrainOver(state: ModelState, intent: IntentOf<"drain-over">): void {
  const node = find(state, "Node", nodeKey(intent.node))!;
  node.revision = state.revision;
  node.drain = { ...node.drain!, overMs: state.nowMs };
}
