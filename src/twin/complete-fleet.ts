/**
 * A fleet as the log of a twin has it. What only a plane writes is completed where it lacks, such
 * as leases; what counts on an earlier log or on clocks of earlier leaderships begins anew. Uids
 * get a prefix, because the twin's own log gives out new ones from the beginning.
 */
import { leaseKey, type ObjectKey, regionKey, type Uid } from "../core/model/ids.ts";
import type {
  AnyObject,
  Lease,
  Meta,
  Node,
  NodeStatus,
  Region,
  Replica,
} from "../core/model/objects.ts";
import type { Fleet } from "../fleet/fleet.ts";

export interface CompleteFleet {
  readonly objects: readonly AnyObject[];
  /** The last moment that any object speaks of as past. */
  readonly atMs: number;
}

/** A clock of the simulator may be half a minute behind; no time of it may be below zero. */
const EARLIEST_MS = 1_000_000;

export function completeFleet(fleet: Fleet): CompleteFleet {
  const atMs = Math.max(EARLIEST_MS, ...lastTimes(fleet));
  const held = new Map<ObjectKey, AnyObject>();
  for (const object of fleet.objects) {
    if (object.kind !== "Lease") held.set(object.key, rebased(object));
  }
  const sessions = new Map<string, number>();
  for (const object of fleet.objects) {
    if (object.kind !== "Node") continue;
    const node = withStatus(rebased(object) as Node, atMs);
    held.set(node.key, node);
    sessions.set(node.meta.name, node.status.session);
    held.set(leaseKey(node.meta.name), leaseOf(node, atMs));
  }
  for (const region of missingRegions(held, atMs)) held.set(region.key, region);
  for (const object of held.values()) {
    if (object.kind !== "Replica") continue;
    const replica = inItsSession(object, sessions);
    if (replica !== object) held.set(object.key, replica);
  }
  return { objects: [...held.values()].toSorted(inOrder), atMs };
}

/** Nodes before replicas: an index counts the use of a node by what it knows of the node. */
const RANK: Readonly<Partial<Record<AnyObject["kind"], number>>> = {
  Replica: 3,
  Reservation: 4,
  Workload: 2,
  Node: 1,
  Lease: 5,
};

const inOrder = (a: AnyObject, b: AnyObject): number =>
  (RANK[a.kind] ?? 0) - (RANK[b.kind] ?? 0) || (a.key < b.key ? -1 : 1);

function lastTimes({ objects }: Fleet): readonly number[] {
  let lastMs = 0;
  for (const object of objects) {
    lastMs = Math.max(lastMs, object.meta.createdMs);
    if (object.kind === "Replica") lastMs = Math.max(lastMs, object.status.stageSinceMs);
    if (object.kind === "Node") lastMs = Math.max(lastMs, object.status.healthSinceMs ?? 0);
    if (object.kind === "Lease") lastMs = Math.max(lastMs, object.status.renewedMs);
  }
  return [lastMs];
}

const prefixed = (uid: Uid): Uid => `f-${uid}` as Uid;

function rebased(object: AnyObject): AnyObject {
  const meta: Meta = { ...object.meta, uid: prefixed(object.meta.uid), revision: 1 };
  switch (object.kind) {
    case "Replica": {
      const spec = { ...object.spec, workloadUid: prefixed(object.spec.workloadUid) };
      return { ...object, meta, spec };
    }
    case "Reservation": {
      const spec = { ...object.spec, ownerUid: prefixed(object.spec.ownerUid) };
      return { ...object, meta, spec };
    }
    case "Autoscaler": {
      // What it has observed and done is on the clock of an earlier leadership.
      const { replicas } = object.status;
      const status = replicas === undefined ? {} : { replicas };
      return { ...object, meta, status };
    }
    default:
      return { ...object, meta };
  }
}

/** An import may know of a node only that it is there: then it is ready. */
function withStatus(node: Node, atMs: number): Node {
  const known: Partial<NodeStatus> = node.status;
  const { health = "ready", healthSinceMs = atMs, session = 0, evidence } = known;
  const isUp = health === "ready" || health === "suspect";
  const status: NodeStatus = {
    ...known,
    health,
    healthSinceMs,
    evidence,
    session: isUp ? Math.max(1, session) : session,
  };
  return { ...node, status };
}

function leaseOf({ meta, status }: Node, atMs: number): Lease {
  return {
    kind: "Lease",
    key: leaseKey(meta.name),
    meta: { ...meta, uid: `${meta.uid}-lease` as Uid, labels: {}, finalizers: [], generation: 1 },
    spec: { node: meta.name },
    // Of no leadership yet: the first one gives every node its full time (EV3).
    status: { session: status.session, seq: 0, renewedMs: atMs, epoch: 0 },
  };
}

function missingRegions(held: ReadonlyMap<ObjectKey, AnyObject>, atMs: number): readonly Region[] {
  const zones = new Map<string, Set<string>>();
  for (const object of held.values()) {
    if (object.kind !== "Node" || held.has(regionKey(object.spec.region))) continue;
    const { region, zone } = object.spec;
    zones.set(region, (zones.get(region) ?? new Set()).add(zone));
  }
  return [...zones].map(([name, names]) => ({
    kind: "Region",
    key: regionKey(name),
    meta: {
      namespace: "",
      name,
      uid: prefixed(`region-${name}` as Uid),
      generation: 1,
      revision: 1,
      createdMs: atMs,
      labels: {},
      finalizers: [],
      deletingMs: undefined,
    },
    spec: { zones: [...names].toSorted() },
    status: {},
  }));
}

/** An import knows no sessions; who runs on a node that is up runs in its session. */
function inItsSession(replica: Replica, sessions: ReadonlyMap<string, number>): Replica {
  const { node, session } = replica.status;
  const own = node === undefined ? undefined : sessions.get(node);
  if (own === undefined || session !== 0 || session === own) return replica;
  return { ...replica, status: { ...replica.status, session: own } };
}
