/**
 * The rules of `release` (RS3, EV1, EV2, EV5, PE7, FL2, VN1, VN2, FG2), restated from docs/SPEC.md: of a reservation, of
 * a hold for flapping, of the lease of a deleted node, and of a replica that nobody will report any more.
 */
import type { IntentOf } from "../../src/core/protocol/command.ts";
import type { Role } from "../../src/core/model/actor.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import { leaseKey, nodeKey } from "../../src/core/model/ids.ts";
import type { BrokenRules } from "./broken-rules.ts";
import {
  every,
  find,
  isItsOwn,
  isOnANode,
  type LeaseThing,
  type ModelState,
  type NodeThing,
  type ReplicaThing,
  replicasOn,
  type ReservationThing,
} from "./model-state.ts";
import { silentMs } from "./rules-of-nodes.ts";
import { holdOverRules } from "./rules-of-preemption.ts";

type Release = IntentOf<"release" | "unreserve" | "expire">;

const ENDED_BY = { Replica: "release", Reservation: "unreserve", Node: "expire", Lease: "expire" };

/** Written out, not imported: they are the specification's numbers. */
const LONGEST_FENCING_MS = 120_000;
const MISSED_LISTS = 6;

export function releaseRules(
  state: ModelState,
  intent: Release,
  role: Role,
  broken: BrokenRules,
): void {
  const named = state.things.find(({ key }) => key === intent.key);
  const isMeant = Object.entries(ENDED_BY).some(
    ([kind, command]) => kind === named?.kind && command === intent.kind,
  );
  const held = isMeant ? named : undefined;
  switch (held?.kind) {
    case "Reservation":
      return reservationRules(state, held, { intent, role }, broken);
    case "Node":
      return steadyRules(state, held, { intent, role }, broken);
    case "Lease":
      return leftLeaseRules(state, held, { intent, role }, broken);
    case "Replica":
      return lossRules(state, held, { intent, role }, broken);
    default:
      broken.add("no-such-object", true);
  }
}

interface Sent {
  readonly intent: Release;
  readonly role: Role;
}

function reservationRules(
  state: ModelState,
  held: ReservationThing,
  { intent, role }: Sent,
  broken: BrokenRules,
): void {
  const { evidence } = intent;
  broken.owners(["reclaim-leak"], role);
  broken.add("wrong-incarnation", intent.incarnation !== held.incarnation);
  const isKind = evidence.kind === "owner-gone" || evidence.kind === "hold-over";
  broken.add("evidence-missing", !isKind);
  if (!isKind) return;
  broken.add("evidence-wrong", evidence.owner !== held.owner);
  if (evidence.kind === "hold-over") return holdOverRules(state, held, broken);
  const useful = every(state, "Replica").some(
    (replica) => isItsOwn(held, replica) && ["admitted", "queued"].includes(replica.stage),
  );
  broken.add("reservation-in-use", useful);
}

/** FL2. */
function steadyRules(
  state: ModelState,
  node: NodeThing,
  { intent, role }: Sent,
  broken: BrokenRules,
): void {
  const { evidence } = intent;
  broken.owners(["node-health"], role);
  broken.add("session-ended", intent.incarnation !== node.session);
  broken.add("evidence-missing", evidence.kind !== "damping-over");
  if (evidence.kind !== "damping-over") return;
  broken.add("evidence-wrong", evidence.node !== node.name || node.heldSinceMs === undefined);
  if (node.heldSinceMs === undefined) return;
  const sinceMs = node.heldOf === state.epoch ? node.heldSinceMs : state.leadSinceMs;
  broken.add("damping-not-over", state.nowMs - sinceMs < node.heldForMs);
}

/** VN2. */
function leftLeaseRules(
  state: ModelState,
  lease: LeaseThing,
  { intent, role }: Sent,
  broken: BrokenRules,
): void {
  const { evidence } = intent;
  broken.owners(["release-vanished"], role);
  broken.add("wrong-incarnation", intent.incarnation !== lease.session);
  broken.add("still-in-use", replicasOn(state, lease.node).length > 0);
  broken.add("evidence-missing", evidence.kind !== "node-vanished");
  if (evidence.kind !== "node-vanished") return;
  const names = evidence.node === lease.node && evidence.session === lease.session;
  const isThere = find(state, "Node", nodeKey(lease.node)) !== undefined;
  broken.add("evidence-wrong", !names || isThere);
}

/** A replica is lost with a session, with a node that was deleted, or because its agent does not know of it. */
function lossRules(
  state: ModelState,
  replica: ReplicaThing,
  { intent, role }: Sent,
  broken: BrokenRules,
): void {
  const { evidence } = intent;
  broken.add("wrong-incarnation", replica.incarnation !== intent.incarnation);
  broken.add("wrong-stage", !isOnANode(replica));
  broken.owners([ownerOfLoss(replica, evidence)], role);
  switch (evidence.kind) {
    case "node-fenced":
    case "session-ended":
      broken.add("evidence-wrong", !names(replica, evidence));
      return lostSessionRules(state, replica, evidence, broken);
    case "replace-after": {
      const isFenced = find(state, "Node", nodeKey(evidence.node))?.health === "fenced";
      broken.add("evidence-wrong", !names(replica, evidence) || !isFenced);
      // No workload here says for how long it is waited for (DC2).
      broken.add("keeps-running", true);
      return;
    }
    case "node-vanished":
      broken.add("evidence-wrong", !names(replica, evidence));
      return vanishedRules(state, replica, broken);
    case "agent-forgot": {
      const isSo = names(replica, evidence) && isForgotten(state, replica);
      broken.add("evidence-wrong", !isSo);
      return;
    }
    default:
      broken.add("evidence-missing", true);
  }
}

/** RP1: each kind of drift has one owner. */
function ownerOfLoss({ stage }: ReplicaThing, { kind }: Evidence): Role {
  if (kind === "node-vanished") return "release-vanished";
  if (kind === "agent-forgot") return "release-forgotten";
  // Before it was bound a replica holds nothing on a node, and its end belongs to admit.
  return stage === "admitted" || stage === "queued" ? "admit" : "release-lost";
}

const names = (
  replica: ReplicaThing,
  { node, session }: { readonly node: string; readonly session: number },
): boolean => node === replica.node && session === replica.session;

function lostSessionRules(
  state: ModelState,
  replica: ReplicaThing,
  evidence: Extract<Evidence, { kind: "node-fenced" | "session-ended" }>,
  broken: BrokenRules,
): void {
  const node = find(state, "Node", nodeKey(evidence.node));
  const isSo =
    evidence.kind === "node-fenced"
      ? node?.health === "fenced"
      : node !== undefined && node.session > evidence.session;
  broken.add("evidence-wrong", !isSo);
  const forSilence = evidence.kind === "node-fenced" && node?.because !== "person";
  broken.add("keeps-running", forSilence && replica.template.onDisconnect === "keep");
}

/** VN1. */
function vanishedRules(state: ModelState, replica: ReplicaThing, broken: BrokenRules): void {
  if (replica.node === undefined) return;
  broken.add("evidence-wrong", find(state, "Node", nodeKey(replica.node)) !== undefined);
  const lease = find(state, "Lease", leaseKey(replica.node));
  if (lease === undefined)
    throw new Error(`The lease of ${replica.node} went before ${replica.key}.`);
  broken.add("lease-not-over", silentMs(state, lease) < LONGEST_FENCING_MS);
  broken.add("keeps-running", replica.template.onDisconnect === "keep");
}

/** FG2: missing from six lists in a row, not heard of since, and its session goes on. */
function isForgotten(state: ModelState, replica: ReplicaThing): boolean {
  const node = find(state, "Node", nodeKey(replica.node ?? ""));
  const { forgotten } = find(state, "Lease", leaseKey(replica.node ?? "")) ?? {};
  const missing = forgotten?.replicas.find(
    (each) =>
      each.uid === `${replica.key}@${replica.born}` && each.incarnation === replica.incarnation,
  );
  if (node === undefined || forgotten === undefined || missing === undefined) return false;
  const goesOn = node.session === replica.session && node.health !== "fenced";
  return goesOn && missing.times >= MISSED_LISTS && replica.revision <= forgotten.asOf;
}
