/**
 * What controllers and agents could say in the present state: for every verb, all its sensible commands.
 * Sensible is not right: many of them meet a rule, and the choice among them is the caller's.
 */
import type { Intent } from "../../src/core/protocol/command.ts";
import type { Role } from "../../src/core/model/actor.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import { KINDS, leaseKey, nodeKey, type ObjectKey, operationId } from "../../src/core/model/ids.ts";
import {
  freeUnits,
  every,
  find,
  isAtRest,
  isOnANode,
  type ModelState,
  type NodeThing,
  quotaReservations,
  type ReplicaThing,
  replicasOn,
  type ReservationThing,
  wantedWorkload,
  type WorkloadThing,
} from "./model-state.ts";
import type { Picks } from "./picks.ts";
import { isEntitled } from "./rules-of-quota.ts";
import { lettingGo, WORKLOADS } from "./desired-states.ts";

export interface Proposal {
  readonly intent: Intent;
  readonly role: Role;
}

/** Named by whoever sends it; a proposal has no identity of its own yet. */
export const operation = operationId("to be named");

export const INDEXES = [0, 1, 2, 3] as const;
/** Numbers that name no index. */
const NO_INDEXES = [-1, 0.5] as const;

export function admits(state: ModelState, picks: Picks): Proposal[] {
  const early = picks.onceIn(8) ? 1 : 0;
  const all = WORKLOADS.flatMap((workload) => {
    const current = generationOf(find(state, "Workload", workload), picks);
    const generation = Math.max(1, current - early);
    const indexes = picks.onceIn(12) ? NO_INDEXES : INDEXES;
    return indexes.map((index) => {
      const key = `${workload.replace("Workload", "Replica")}.${generation}.${index}` as ObjectKey;
      const incarnation = (find(state, "Replica", key)?.incarnation ?? 0) + 1;
      const intent: Intent = { kind: "admit", operation, workload, generation, index, incarnation };
      return { key, proposal: { role: "admit", intent } as const };
    });
  });
  // An index that comes again while something old of its name is about is where mistakes are made.
  const haunted = all.filter(({ key }) => owned(state, key).length > 0 || isOrphan(state, key));
  const chosen = haunted.length > 0 && picks.onceIn(2) ? haunted : all;
  return chosen.map(({ proposal }) => proposal);
}

/** Mostly that which is wanted, now and then that of the spec. */
export const generationOf = (of: WorkloadThing | undefined, picks: Picks): number =>
  (picks.onceIn(6) ? of?.templateGeneration : of?.runs) ?? 1;

function isOrphan(state: ModelState, key: ObjectKey): boolean {
  const replica = find(state, "Replica", key);
  return replica !== undefined && wantedWorkload(state, replica)?.born !== replica.workloadBorn;
}

const owned = (state: ModelState, key: ObjectKey): ReservationThing[] =>
  quotaReservations(state).filter(({ owner }) => owner === key);

export const reserves = (state: ModelState): Proposal[] =>
  every(state, "Replica").map(({ key, incarnation }) => ({
    role: "admit",
    intent: {
      kind: "reserve",
      operation,
      replica: key,
      incarnation,
      deadlineMs: state.nowMs + 60_000,
    },
  }));

const queue = ({ key, incarnation }: ReplicaThing, reservation: ObjectKey): Proposal => ({
  role: "admit",
  intent: {
    kind: "transition",
    operation,
    key,
    incarnation,
    from: "admitted",
    to: "queued",
    reservation,
  },
});

export function queues(state: ModelState, picks: Picks): Proposal[] {
  const replicas = every(state, "Replica");
  const stale = replicas
    .filter(({ stage }) => stage === "admitted")
    .flatMap((replica) =>
      owned(state, replica.key)
        .filter(
          ({ ownerBorn, incarnation }) =>
            ownerBorn !== replica.born || incarnation !== replica.incarnation,
        )
        .map(({ key }) => queue(replica, key)),
    );
  if (stale.length > 0 && picks.onceIn(2)) return stale;
  const others = every(state, "Reservation").slice(0, 1);
  return replicas.flatMap((replica) => {
    const own =
      `Reservation/${replica.namespace}/${replica.name}.${replica.incarnation}` as ObjectKey;
    return [own, ...others.map(({ key }) => key)].map((key) => queue(replica, key));
  });
}

export function binds(state: ModelState, picks: Picks): Proposal[] {
  const ready = every(state, "Replica").filter(({ stage }) => stage === "queued");
  const replicas = ready.length > 0 && !picks.onceIn(6) ? ready : every(state, "Replica");
  const beside = replicas.map((replica) => nodesOfSiblings(state, replica));
  const crowded = beside.some((nodes) => nodes.length > 0) && picks.onceIn(4);
  return replicas.flatMap((replica, at) =>
    (crowded ? beside[at]! : every(state, "Node")).map((node): Proposal => ({
      role: "place",
      intent: {
        kind: "bind",
        operation,
        replica: replica.key,
        incarnation: replica.incarnation,
        node: node.name,
        deviceIds: chosenDevices(state, replica, node),
      },
    })),
  );
}

/** Where the caps of a node and the request to be kept apart are met. */
const nodesOfSiblings = (state: ModelState, { namespace, workload }: ReplicaThing): NodeThing[] =>
  every(state, "Node").filter(({ name }) =>
    replicasOn(state, name).some(
      (other) => other.namespace === namespace && other.workload === workload,
    ),
  );

function chosenDevices(state: ModelState, replica: ReplicaThing, node: NodeThing): string[] {
  const { ask } = replica.template;
  return freeUnits(state, node, ask).slice(0, ask.device?.count ?? 0);
}

const REPORTS = [
  "starting",
  "ready",
  "serving",
  "running",
  "released",
  "failed",
  "succeeded",
] as const;

/** Mostly the replicas the verb is meant for; now and then all of them. */
export function replicasFor(
  state: ModelState,
  meant: (replica: ReplicaThing) => boolean,
  picks: Picks,
) {
  const all = every(state, "Replica");
  return picks.onceIn(6) ? all : all.filter(meant);
}

export const reports = (state: ModelState, picks: Picks): Proposal[] =>
  replicasFor(state, isOnANode, picks).map(({ key, incarnation, node = "n1", session: own }) => {
    const present = find(state, "Node", nodeKey(node))?.session ?? own;
    const session = picks.onceIn(4) ? present : own;
    const stage = picks.one(REPORTS);
    const address = { host: node, ports: { web: 8000 + incarnation } };
    const base = {
      kind: "report",
      operation,
      replica: key,
      incarnation,
      node,
      session,
      stage,
    } as const;
    const how = { reason: `it ended in incarnation ${incarnation}`, wasStable: true } as const;
    const ended = picks.onceIn(3) ? { ...base, ...how } : base;
    const told = picks.onceIn(6) ? { ...ended, rejected: true as const } : ended;
    const probe = {
      said: `it is ${picks.one(["500", "503"])}`,
      times: incarnation,
      forMs: 400 * incarnation,
    };
    const probed = picks.onceIn(3) ? { ...told, probe } : told;
    return { role: "agent", intent: picks.onceIn(3) ? { ...probed, address } : probed };
  });

export function leases(state: ModelState, nodes: readonly string[], picks: Picks): Proposal[] {
  return nodes.map((name) => {
    const node = find(state, "Node", nodeKey(name));
    const lease = find(state, "Lease", leaseKey(name));
    const begins = node === undefined || lease === undefined || node.health === "fenced";
    const session = (node?.session ?? 0) + (begins || picks.onceIn(12) ? 1 : 0);
    const here = every(state, "Replica").filter((replica) => replica.node === name);
    const kept = here.filter(() => !picks.onceIn(3)).map(({ key }) => key);
    const seq = (lease?.seq ?? 0) + picks.one([1, 1, 1, 2, 0]);
    const renewal = { kind: "lease", operation, node: name, session, seq, kept } as const;
    const list = picks.onceIn(4) ? {} : { inventory: inventoryOf(state, here, picks) };
    return { role: "agent", intent: { ...renewal, ...list } };
  });
}

/** An agent that never knows of the even indexes, so that some are missing often enough; of late or of a while ago. */
function inventoryOf(state: ModelState, here: readonly ReplicaThing[], picks: Picks) {
  const asOf = state.revision - (picks.onceIn(6) ? 9 : 0);
  const known = here.filter(({ index }) => index % 2 === 1 || picks.onceIn(30));
  return { asOf, replicas: known.map(({ key }) => key) };
}

export function worsenings(state: ModelState, picks: Picks): Proposal[] {
  const to = picks.one(["fenced", "unknown", "fenced", "suspect"] as const);
  const vouches = picks.onceIn(6);
  return every(state, "Node").map(({ key, name, health, session }) => {
    const lease = find(state, "Lease", leaseKey(name));
    const from = picks.onceIn(8) ? picks.one(["ready", "suspect", "unknown"] as const) : health;
    const base = { kind: "transition", operation, key, session, from, to } as const;
    if (vouches) {
      const evidence = { kind: "person", name: "ada", statement: "It burned." } as const;
      return { role: "user", intent: { ...base, evidence } };
    }
    const seq = lease?.seq ?? 0;
    const evidence = { kind: "lease-expired", node: name, session, seq } as const;
    return { role: "node-health", intent: { ...base, evidence } };
  });
}

/** The ends of drains that have a deadline; now and then of others. */
export function drainOvers(state: ModelState, picks: Picks): Proposal[] {
  const nodes = every(state, "Node");
  const meant = picks.onceIn(8) ? nodes : nodes.filter(({ drain }) => drain !== undefined);
  return meant.map(({ name: node, generation, drain }) => ({
    role: "drain-node",
    intent: {
      kind: "drain-over",
      operation,
      node,
      generation: picks.onceIn(8) ? generation : (drain?.generation ?? generation),
    },
  }));
}

/** A reservation leaks when its owner ends before it was queued, so that is tried more often than it occurs. */
const holdsUncited = (state: ModelState, { key, stage }: ReplicaThing): boolean =>
  stage === "admitted" && owned(state, key).length > 0;

export function evicts(state: ModelState, picks: Picks): Proposal[] {
  const uncited = every(state, "Replica").filter((replica) => holdsUncited(state, replica));
  const all = replicasFor(state, (replica) => !isAtRest(replica), picks);
  const replicas = uncited.length > 0 && picks.onceIn(2) ? uncited : all;
  return replicas.flatMap((replica) => {
    const { key, incarnation, namespace, workload: name, node } = replica;
    const workload = `Workload/${namespace}/${name}` as ObjectKey;
    const evict = (role: Role, evidence: Evidence): Proposal => ({
      role,
      intent: { kind: "evict", operation, replica: key, incarnation, evidence },
    });
    const surplus = evict("admit", { kind: "surplus", workload });
    const taken = quotaEvictions(state, replica, picks);
    if (node === undefined || !isOnANode(replica)) {
      // Seldom, or every gang would give up before it is complete.
      const late = picks.onceIn(4) ? [evict("admit", { kind: "gang-deadline", workload })] : [];
      return [surplus, ...late, ...taken];
    }
    const drained = every(state, "Node").find(({ spec }) => spec.draining)?.name ?? node;
    const drain = evict("drain-node", { kind: "drain", node: picks.onceIn(3) ? drained : node });
    const forced = evict("drain-node", { kind: "drain-forced", node });
    const isOver = find(state, "Node", nodeKey(node))?.drain?.overMs !== undefined;
    return isOver ? [forced, surplus, ...taken] : [surplus, drain, forced, ...taken];
  });
}

/** For somebody who waits, and because a quota was made smaller, whether or not either is so. */
function quotaEvictions(
  state: ModelState,
  { key, incarnation, namespace }: ReplicaThing,
  picks: Picks,
): readonly Proposal[] {
  const waiting = every(state, "Replica").filter(
    (other) => other.stage === "admitted" && other.namespace !== namespace,
  );
  const entitled = waiting.filter((other) => isEntitled(state, other));
  const [first] = entitled.length > 0 ? entitled : waiting;
  const quota = `Quota/${namespace}/default` as ObjectKey;
  const evidences: readonly Evidence[] = [
    ...(first === undefined ? [] : [{ kind: "quota-reclaim", waiting: first.key } as const]),
    ...(picks.onceIn(2) ? [{ kind: "quota-shrunk", quota } as const] : []),
  ];
  return evidences.map((evidence) => ({
    role: "reclaim-quota",
    intent: { kind: "evict", operation, replica: key, incarnation, evidence },
  }));
}

const GROUND = ["Tenant", "Quota", "Node", "Region", "PriorityClass"] as const;

const isLeaving = (state: ModelState, tenant: string): boolean =>
  every(state, "Tenant").some(
    ({ name, deletingMs }) => name === tenant && deletingMs !== undefined,
  );

/** Mostly what comes and goes; the ground everything stands on is deleted rarely. */
export function deletes(state: ModelState, picks: Picks): Proposal[] {
  const kinds: readonly string[] = picks.one([["Replica"], ["Replica", "Workload"], GROUND, KINDS]);
  return state.things
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ key, kind, namespace }) => ({
      role:
        kind === "Replica"
          ? picks.one(["admit", "user"])
          : isLeaving(state, namespace)
            ? "empty-tenant"
            : "user",
      intent: {
        kind: "delete",
        operation,
        key,
        expect: {},
        ...(picks.onceIn(2) ? { orphan: true as const } : {}),
      },
    }));
}

/** Mostly although replicas hold them. */
export const deletesOfNodes = (state: ModelState, picks: Picks): Proposal[] =>
  every(state, "Node").map(({ key }) => {
    const intent = { kind: "delete", operation, key, expect: {} } as const;
    return { role: "user", intent: picks.onceIn(5) ? intent : { ...intent, orphan: true } };
  });

/** A person deletes a quota, and the controller that lets it go may come while it is used (QT4). */
export function quotaGoes(state: ModelState, picks: Picks): Proposal[] {
  const going = lettingGo(state).filter(({ desired }) => desired.kind === "Quota");
  if (going.length > 0) return [{ role: "empty-tenant", intent: picks.one(going) }];
  return deletes(state, picks).filter(
    ({ intent }) => "key" in intent && intent.key.startsWith("Quota/"),
  );
}
