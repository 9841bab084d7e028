/** What could be released in the present state, by whoever looks after each kind of drift; see proposals.ts. */
import type { Role } from "../../src/core/model/actor.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import {
  type Kind,
  leaseKey,
  nodeKey,
  type ObjectKey,
  parseKey,
} from "../../src/core/model/ids.ts";
import {
  every,
  find,
  isAtRest,
  isOnANode,
  type ModelState,
  type ReplicaThing,
  type ReservationThing,
} from "./model-state.ts";
import type { Picks } from "./picks.ts";
import { operation, type Proposal, replicasFor } from "./proposals.ts";

const release = (
  role: Role,
  of: { readonly key: ObjectKey; readonly incarnation: number; readonly evidence: Evidence },
): Proposal => ({
  role,
  intent: { kind: COMMANDS[parseKey(of.key).kind] ?? "expire", operation, ...of },
});

const COMMANDS: Partial<Record<Kind, "release" | "unreserve">> = {
  Replica: "release",
  Reservation: "unreserve",
};

export function releases(state: ModelState, picks: Picks): Proposal[] {
  const rare = [vanished(state, picks), forgottenOnes(state, picks), heldNodes(state)];
  const groups = [lostOnes(state, picks), leaked(state, picks), ...rare, heldRooms(state)];
  const some = groups.filter((group) => group.length > 0);
  const seldom = rare.filter((group) => group.length > 0);
  // Few walks come to these, so one that did sends them.
  if (seldom.length > 0 && picks.onceIn(2)) return picks.one(seldom);
  // One kind at a time half of the time, or what there is most of would be all that is ever released.
  return some.length > 0 && picks.onceIn(2) ? picks.one(some) : some.flat();
}

function lostOnes(state: ModelState, picks: Picks): Proposal[] {
  const isLost = ({ node, session }: ReplicaThing): boolean => {
    const on = node === undefined ? undefined : find(state, "Node", nodeKey(node));
    return on !== undefined && (on.health === "fenced" || on.session > session);
  };
  const meant = picks.onceIn(4) ? isOnANode : isLost;
  const mistaken = picks.onceIn(4);
  return replicasFor(state, meant, picks).map(({ key, incarnation, node = "n1", session }) => {
    const fenced = find(state, "Node", nodeKey(node))?.health === "fenced";
    const kind = fenced !== mistaken ? "node-fenced" : "session-ended";
    return release("release-lost", { key, incarnation, evidence: { kind, node, session } });
  });
}

function leaked(state: ModelState, picks: Picks): Proposal[] {
  const anyOwner = picks.onceIn(4);
  const isLeak = ({ owner, incarnation }: ReservationThing): boolean => {
    const replica = find(state, "Replica", owner);
    return anyOwner || replica?.incarnation !== incarnation || isAtRest(replica);
  };
  return every(state, "Reservation")
    .filter(isLeak)
    .map(({ key, incarnation, owner }) =>
      release("reclaim-leak", { key, incarnation, evidence: { kind: "owner-gone", owner } }),
    );
}

const ofVanished = (
  key: ObjectKey,
  incarnation: number,
  of: { readonly node: string; readonly session: number },
): Proposal =>
  release("release-vanished", { key, incarnation, evidence: { kind: "node-vanished", ...of } });

/** Of nodes that are not there: their replicas, and the lease that was left. Now and then of one that is. */
function vanished(state: ModelState, picks: Picks): Proposal[] {
  const anyNode = picks.onceIn(8);
  const isGone = (node: string): boolean =>
    anyNode || find(state, "Node", nodeKey(node)) === undefined;
  const replicas = every(state, "Replica").filter(isOnANode);
  return [
    ...replicas.flatMap(({ key, incarnation, node = "", session }) =>
      isGone(node) ? [ofVanished(key, incarnation, { node, session })] : [],
    ),
    ...every(state, "Lease").flatMap(({ key, node, session }) =>
      isGone(node) ? [ofVanished(key, session, { node, session })] : [],
    ),
  ];
}

/** Mostly those of whom it is known that their agent did not list them. */
function forgottenOnes(state: ModelState, picks: Picks): Proposal[] {
  const isMissing = ({ key, node = "" }: ReplicaThing): boolean =>
    find(state, "Lease", leaseKey(node))?.forgotten?.replicas.some(
      ({ replica }) => replica === key,
    ) === true;
  const replicas = every(state, "Replica").filter(isOnANode);
  const meant = picks.onceIn(8) ? replicas : replicas.filter(isMissing);
  return meant.map(({ key, incarnation, node = "", session }) =>
    release("release-forgotten", {
      key,
      incarnation,
      evidence: { kind: "agent-forgot", node, session },
    }),
  );
}

function heldRooms(state: ModelState): Proposal[] {
  return every(state, "Reservation")
    .filter(({ room }) => room !== undefined)
    .map(({ key, incarnation, owner }) =>
      release("reclaim-leak", { key, incarnation, evidence: { kind: "hold-over", owner } }),
    );
}

/** Nodes that are held for flapping. */
function heldNodes(state: ModelState): Proposal[] {
  return every(state, "Node")
    .filter(({ heldSinceMs }) => heldSinceMs !== undefined)
    .map(({ key, session, name }) =>
      release("node-health", {
        key,
        incarnation: session,
        evidence: { kind: "damping-over", node: name },
      }),
    );
}
