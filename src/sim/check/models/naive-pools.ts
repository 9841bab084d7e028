/**
 * Which replicas fit on nodes that do not exist yet, computed a second time: sums over the replicas
 * that would be on them, one after the other, with the naive rules of the other checkers.
 */
import { DRIVER_NAMES, type DriverName } from "../../../core/model/node/driver-name.ts";
import type { Node, NodePool, Replica, Workload } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { feasibleNodes, notAllowed, openNodes } from "./naive-fit.ts";
import {
  areSiblings,
  brokenCap,
  everyPlaced,
  hasCompany,
  keepsSkew,
  keptApartFrom,
  sharesPort,
  type Placed,
} from "./naive-neighbours.ts";
import { avoidedBy, holdingAt } from "./naive-overrides.ts";
import { naiveSpread } from "./naive-policy.ts";
import { priorityOf } from "./naive-preemption.ts";
import { fits, isHeldFor, type Taker, unitsFor } from "./naive-room.ts";
import { isWantedBy, workloadOf } from "./naive-wanted.ts";

/** Devices are numbered by class, over all pools of that class. */
function devicesOf({ pools = [] }: NodePool["spec"]): Node["spec"]["pools"] {
  const next = new Map<string, number>();
  return pools.map(({ class: of, model, count }) => {
    const from = next.get(of) ?? 0;
    next.set(of, from + count);
    return {
      class: of,
      model,
      ids: Array.from({ length: count }, (_, at) => `${of}-${from + at}`),
    };
  });
}

/**
 * A node of the pool as its agent would register it, under a name that no other node has. Its
 * drivers are those of the machines that the pool has; of a pool without any they are not known.
 */
export function emptyNode(objects: ObjectIndex, { meta, spec }: NodePool): Node {
  const { region, zone, capacity, taints = [], maxReplicas, labels = {} } = spec;
  const name = `${meta.name}-to-come`;
  const known = [...objects.all("Node").values()].filter(
    (node) => node.spec.pool === meta.name && node.status.session > 0,
  );
  const runs = (driver: DriverName): boolean =>
    known.some(({ status: { drivers } }) =>
      drivers === undefined
        ? driver === "process"
        : drivers.some((each) => each.name === driver && each.lacks === undefined),
    );
  const drivers = DRIVER_NAMES.filter(runs).map((driver) => ({ name: driver }));
  return {
    kind: "Node",
    key: `Node//${name}` as Node["key"],
    meta: { ...meta, name, labels, finalizers: [], deletingMs: undefined },
    spec: {
      region,
      zone,
      capacity,
      pools: devicesOf(spec),
      taints,
      cordons: [],
      draining: false,
      ...(maxReplicas === undefined ? {} : { maxReplicas }),
      pool: meta.name,
    },
    status: {
      health: "ready",
      healthSinceMs: 0,
      session: 0,
      evidence: undefined,
      ...(known.length === 0 ? {} : { drivers }),
    },
  };
}

/** Imagined nodes, and the replicas put on them so far. */
export class Imagined {
  private readonly objects: ObjectIndex;
  /** By the authority's clock: overrides that have ended by it do not count. */
  private readonly atMs: number | undefined;
  private readonly nodes: readonly Node[];
  private readonly takers = new Map<Node, Taker[]>();
  private readonly placed: Placed[] = [];

  constructor(objects: ObjectIndex, nodes: readonly Node[], atMs?: number) {
    this.objects = objects;
    this.atMs = atMs;
    this.nodes = nodes;
  }

  /** Whether the node fits the replica beside those that were put there. */
  takes(node: Node, replica: Replica): boolean {
    const { objects } = this;
    const { ask } = replica.spec.template;
    if (node.spec.cordons.length > 0 || node.spec.draining) return false;
    if (node.meta.deletingMs !== undefined || notAllowed(node, ask) !== undefined) return false;
    if (avoidedBy(holdingAt(objects, this.atMs), node) !== undefined) return false;
    if (!fits(node, replica, this.takers.get(node) ?? [])) return false;
    const placed = { replica, node };
    const there = everyPlaced(objects);
    const all = [...there, ...this.placed];
    if ([brokenCap, keptApartFrom, sharesPort].some((find) => find(placed, all) !== undefined)) {
      return false;
    }
    const siblings = there.filter((other) => areSiblings(other.replica, replica));
    const may = this.nodes.filter((each) => notAllowed(each, ask) === undefined);
    const open = [...openNodes(objects, replica), ...may, node];
    return (
      hasCompany(placed, there) &&
      this.isGranted(node, replica) &&
      naiveSpread(objects, replica.spec.template).every((rule) =>
        keepsSkew(
          rule,
          node,
          open,
          siblings.map((each) => each.node),
        ),
      )
    );
  }

  put(node: Node, replica: Replica): void {
    const { amounts, device } = replica.spec.template.ask;
    const held = this.takers.get(node) ?? [];
    const free = device === undefined ? [] : unitsFor(node, device, held);
    const shareMillis = device?.shareMillis ?? 0;
    const used = (id: string): number =>
      held
        .filter(({ deviceIds }) => deviceIds.includes(id))
        .reduce((sum, t) => sum + t.shareMillis, 0);
    // A share goes to the fullest device that has room for it.
    const inOrder = shareMillis < 1_000 ? free.toSorted((a, b) => used(b) - used(a)) : free;
    const deviceIds = inOrder.slice(0, device?.count ?? 0);
    this.takers.set(node, [...held, { amounts, deviceIds, shareMillis }]);
    this.placed.push({ replica, node });
  }

  /** The tenant's use in the region, with the replicas put there, stays within its quota. */
  private isGranted(node: Node, replica: Replica): boolean {
    const { namespace } = replica.meta;
    const { region } = node.spec;
    const quota = [...this.objects.all("Quota").values()].find(
      ({ meta }) => meta.namespace === namespace,
    );
    const limit = quota?.spec.regions?.[region];
    if (limit === undefined) return true;
    const own = [...everyPlaced(this.objects), ...this.placed]
      .filter((each) => each.replica.meta.namespace === namespace)
      .filter((each) => each.node.spec.region === region)
      .map((each) => each.replica.spec.template.ask.amounts);
    const sums = [...own, replica.spec.template.ask.amounts];
    return (["cpuMillis", "memoryMiB", "deviceMillis"] as const).every(
      (name) => sums.reduce((sum, amounts) => sum + amounts[name], 0) <= limit[name],
    );
  }
}

/** Queued, wanted, and without reserved room. */
export function queuedReplicas(objects: ObjectIndex): readonly Replica[] {
  return [...objects.all("Replica").values()].filter((replica) => {
    const { stage, superseded } = replica.status;
    if (stage !== "queued" || superseded !== undefined || isHeldFor(objects, replica)) return false;
    return isWantedBy(workloadOf(objects, replica), replica.spec);
  });
}

/** No member of a gang is placed before all have room, so a member that fits may still wait. */
export const hasNowhere = (objects: ObjectIndex, replica: Replica): boolean =>
  workloadOf(objects, replica)?.spec.gang !== undefined ||
  feasibleNodes(objects, replica).length === 0;

/**
 * The replicas left after filling the provisioning nodes in the order of priority, age and name.
 */
export function uncovered(
  objects: ObjectIndex,
  waiting: readonly Replica[],
  atMs?: number,
): readonly Replica[] {
  const provisioning = [...objects.all("Node").values()]
    .filter(({ spec, status }) => {
      return (
        spec.pool !== undefined && spec.supply === "soft" && status.provision?.failed === undefined
      );
    })
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const imagined = new Imagined(objects, provisioning, atMs);
  return inTurn(objects, waiting).filter((replica) => {
    const node = provisioning.find((each) => imagined.takes(each, replica));
    if (node !== undefined) imagined.put(node, replica);
    return node === undefined;
  });
}

const first = (group: readonly Replica[]): Replica => group[0] as Replica;

function inTurn(objects: ObjectIndex, waiting: readonly Replica[]): readonly Replica[] {
  const groups = new Map<string, Replica[]>();
  for (const replica of waiting) {
    const name = `${replica.spec.workloadUid}/${replica.spec.generation}`;
    groups.set(name, [...(groups.get(name) ?? []), replica]);
  }
  const sorted = [...groups.values()].map((group) =>
    group.toSorted((a, b) => a.spec.index - b.spec.index),
  );
  const madeMs = (replica: Replica): number =>
    (workloadOf(objects, replica) as Workload).meta.createdMs;
  return sorted
    .toSorted(
      (a, b) =>
        priorityOf(objects, first(b)) - priorityOf(objects, first(a)) ||
        madeMs(first(a)) - madeMs(first(b)) ||
        (first(a).key < first(b).key ? -1 : 1),
    )
    .flat();
}
