/**
 * All objects one side knows, with the look-ups deciders need. Folding is the only way in: the
 * ledger, the views, followers and replay build the same index from the same changes.
 */
import type { Change } from "../protocol/commit-record.ts";
import { isSecondKey, type Kind, KINDS, type ObjectKey, parseKey } from "../model/ids.ts";
import { workloadOf } from "../model/workload-of.ts";
import type {
  AnyObject,
  Grant,
  Lease,
  Node,
  ObjectOf,
  Plane,
  Quota,
  Replica,
  Reservation,
  Workload,
} from "../model/objects.ts";
import { holdsNode } from "../model/stage.ts";
import { isSamePlace } from "../model/topology.ts";
import { AccessRules } from "../rules/access/access-rules.ts";
import { foldAccess } from "./fold-access.ts";
import { Neighbours, type Placed, type Selector } from "./neighbours.ts";
import { TenantLoad } from "./tenant-load.ts";
import { TenantObjects } from "./tenant-objects.ts";
import { JobCounters } from "./job-counters.ts";
import { RecoveryBudgetSpending } from "./recovery-budget-spending.ts";
import { type Account, addTo } from "./accounts/account.ts";
import { type Posting, QuotaUsage } from "./accounts/quota-usage.ts";
import { addToDevices, addToNode, emptyNodeUse, holdRoom, type NodeUse } from "./usage.ts";

type ByKind = { readonly [K in Kind]: Map<ObjectKey, ObjectOf<K>> };

const NO_REPLICAS: ReadonlyMap<ObjectKey, Replica> = new Map();
const NO_RESERVATIONS: readonly Reservation[] = [];

export class ObjectIndex {
  private readonly byKind = Object.fromEntries(
    KINDS.map((kind) => [kind, new Map()]),
  ) as unknown as ByKind;
  /**
   * Nodes are mostly asked for by the name that a replica has of them; making a key of it costs
   * more than the rest.
   */
  private readonly nodesByName = new Map<string, Node>();
  private readonly replicasByNode = new Map<string, Map<ObjectKey, Replica>>();
  private readonly replicasByWorkload = new Map<ObjectKey, Map<ObjectKey, Replica>>();
  /** Hardly any replica has one: queued, it holds its quota itself. */
  private readonly reservationsByOwner = new Map<ObjectKey, readonly Reservation[]>();
  private readonly uses = new Map<string, NodeUse>();
  /** What tenants and their groups may use and do use. */
  readonly quotaUsage = new QuotaUsage();
  readonly #jobs = new JobCounters();
  readonly #budgets = new RecoveryBudgetSpending();
  readonly #tenantLoad = new TenantLoad();
  readonly #access = new AccessRules();
  readonly #tenantObjects = new TenantObjects();
  #secondReplicas = 0;
  // Hard private: two indexes with the same objects are equal, whatever was counted in them so far.
  readonly #neighbours = new Neighbours({
    node: (name) => this.nodesByName.get(name),
    placed: (selector) => this.placed(selector),
  });
  #version = 0;

  get(key: ObjectKey): AnyObject | undefined {
    // A key may come from outside and name a kind there is not.
    const kind = key.slice(0, key.indexOf("/")) as Kind;
    const objects = this.byKind[kind] as Map<ObjectKey, AnyObject> | undefined;
    return objects?.get(key);
  }
  /**
   * Grows with every change but that of a lease: what was worked out from all the rest holds until
   * it does.
   */
  get version(): number {
    return this.#version;
  }
  /** How many objects there are. */
  get size(): number {
    let size = 0;
    for (const kind of KINDS) size += this.byKind[kind].size;
    return size;
  }
  /** In order of arrival: sort before deciding on it. */
  all<K extends Kind>(kind: K): ReadonlyMap<ObjectKey, ObjectOf<K>> {
    return this.byKind[kind];
  }
  /** The plane's own place among others; undefined: it serves all regions by itself. */
  get plane(): Plane | undefined {
    const [plane] = this.byKind.Plane.values();
    return plane;
  }
  node(key: ObjectKey): Node | undefined {
    return this.byKind.Node.get(key);
  }
  nodeNamed(name: string): Node | undefined {
    return this.nodesByName.get(name);
  }
  workload(key: ObjectKey): Workload | undefined {
    return this.byKind.Workload.get(key);
  }
  replica(key: ObjectKey): Replica | undefined {
    return this.byKind.Replica.get(key);
  }
  /** How many replicas there are under the second name of their index (DC3). */
  get secondReplicas(): number {
    return this.#secondReplicas;
  }
  reservation(key: ObjectKey): Reservation | undefined {
    return this.byKind.Reservation.get(key);
  }
  lease(key: ObjectKey): Lease | undefined {
    return this.byKind.Lease.get(key);
  }
  replicasOn(node: string): ReadonlyMap<ObjectKey, Replica> {
    return this.replicasByNode.get(node) ?? NO_REPLICAS;
  }
  replicasOf(workload: ObjectKey): ReadonlyMap<ObjectKey, Replica> {
    return this.replicasByWorkload.get(workload) ?? NO_REPLICAS;
  }
  reservationsOf(owner: ObjectKey): readonly Reservation[] {
    return this.reservationsByOwner.get(owner) ?? NO_RESERVATIONS;
  }
  useOf(node: string): NodeUse {
    let use = this.uses.get(node);
    if (use === undefined) {
      use = emptyNodeUse();
      this.uses.set(node, use);
    }
    return use;
  }
  accountOf(tenant: string): Account {
    return this.quotaUsage.of(tenant).account;
  }
  /**
   * How many replicas of a kind are in which place; only selectors somebody asked about cost
   * anything.
   */
  get neighbours(): Neighbours {
    return this.#neighbours;
  }
  /** What the indexes of batches have come to. */
  get jobs(): JobCounters {
    return this.#jobs;
  }
  /** What is spent of recovery budgets. */
  get budgets(): RecoveryBudgetSpending {
    return this.#budgets;
  }
  /** How many workloads and wanted replicas each tenant has. */
  get tenantLoad(): TenantLoad {
    return this.#tenantLoad;
  }
  /** Who may do what. */
  get access(): AccessRules {
    return this.#access;
  }
  get tenantObjects(): TenantObjects {
    return this.#tenantObjects;
  }
  tenantsWithAccount(): Iterable<string> {
    return this.quotaUsage.names();
  }

  /**
   * Replaces what is held under the key and returns it. `change.before` is not trusted: a cache may
   * have missed it.
   */
  fold(change: Change): AnyObject | undefined {
    const { key, after } = change;
    const kind = after?.kind ?? parseKey(key).kind;
    const objects = this.byKind[kind] as Map<ObjectKey, AnyObject>;
    const held = objects.get(key);
    if (held === undefined && after === undefined) return undefined;
    if (kind !== "Lease") this.#version += 1;
    const moved = kind === "Node" ? this.inAnotherPlace(held as Node, after as Node) : undefined;
    if (moved !== undefined) this.noteAllOn(moved, -1);
    if (after === undefined) objects.delete(key);
    else objects.set(key, after);
    if (kind === "Node") this.nameNode((after ?? held) as Node, after !== undefined);
    this.#tenantObjects.fold(held, after);
    // What runs there is counted in the new place from now on, and no longer in the old one.
    if (moved !== undefined) this.noteAllOn(moved, 1);
    switch (kind) {
      case "Replica":
        this.foldReplica(key, held as Replica | undefined, after as Replica | undefined);
        break;
      case "Reservation":
        this.foldReservation(
          key,
          held as Reservation | undefined,
          after as Reservation | undefined,
        );
        break;
      case "Workload":
        this.#tenantLoad.fold(held as Workload | undefined, after as Workload | undefined);
        break;
      case "Quota":
        this.quotaUsage.setQuota(
          ((after ?? held) as Quota).meta.namespace,
          (after as Quota | undefined)?.spec,
        );
        break;
      case "Grant":
        this.quotaUsage.lend(held as Grant | undefined, after as Grant | undefined);
        break;
      case "Role":
      case "RoleBinding":
      case "ClusterRole":
      case "ClusterRoleBinding":
        foldAccess(this.#access, kind, held, after);
        break;
      default:
        break;
    }
    return held;
  }

  private foldReplica(key: ObjectKey, held: Replica | undefined, after: Replica | undefined): void {
    const some = (after ?? held) as Replica;
    const workload = workloadOf(some);
    place(this.replicasByWorkload, workload, key, after);
    this.#jobs.fold(workload, held, after);
    if ((held === undefined || after === undefined) && isSecondKey(key)) {
      this.#secondReplicas += after === undefined ? -1 : 1;
    }
    const left = held?.status.node;
    const took = after?.status.node;
    if (left !== undefined && left !== took) place(this.replicasByNode, left, key, undefined);
    if (took !== undefined) place(this.replicasByNode, took, key, after);
    this.noteEnds(some.meta.namespace, held, after);
    // The same binding before and after: stage reports are by far the most frequent change.
    const isSameIncarnation =
      held?.meta.uid === after?.meta.uid && held?.status.incarnation === after?.status.incarnation;
    const isPaidAlike = held?.status.budget === after?.status.budget;
    if (left === took && isSameIncarnation && isPaidAlike && isQueued(held) === isQueued(after))
      return;
    if (after !== undefined && took !== undefined && isSameIncarnation && isQueued(held)) {
      this.quotaUsage.commit(after);
      this.chargeNode(took, after, 1);
      return;
    }
    if (held !== undefined) this.charge(held, -1);
    if (after !== undefined) this.charge(after, 1);
  }

  /**
   * A replica holds its quota itself: reserved while it is queued, committed while it has a node
   * (RS2).
   */
  private charge(replica: Replica, sign: 1 | -1): void {
    const { node } = replica.status;
    if (node === undefined && !isQueued(replica)) return;
    const { ask, priorityClass } = replica.spec.template;
    const { namespace: tenant } = replica.meta;
    const side = node === undefined ? "reserved" : "committed";
    this.quotaUsage.post({ tenant, side, priorityClass, amounts: ask.amounts }, sign);
    if (node !== undefined) this.chargeNode(node, replica, sign);
  }

  /**
   * The two ends of an incarnation that quota is reclaimed by: who has none yet, and who is about
   * to give it back.
   */
  private noteEnds(tenant: string, held: Replica | undefined, after: Replica | undefined): void {
    if (held?.status.stage === "admitted" || after?.status.stage === "admitted") {
      const { admitted } = this.quotaUsage.of(tenant);
      if (after?.status.stage === "admitted") admitted.set(after.key, after);
      else if (held !== undefined) admitted.delete(held.key);
    }
    // Hardly anybody is asked to stop; the question is put to every stage report there is.
    if (held !== undefined && isLeaving(held)) this.noteLeaving(held, -1);
    if (after !== undefined && isLeaving(after)) this.noteLeaving(after, 1);
  }

  private noteLeaving({ meta, spec }: Replica, sign: 1 | -1): void {
    addTo(this.quotaUsage.of(meta.namespace).leaving, spec.template.ask.amounts, sign);
  }

  private chargeNode(node: string, replica: Replica, sign: 1 | -1): void {
    const use = this.useOf(node);
    addToNode(use, replica.spec.template.ask.amounts, sign);
    addToDevices(use, replica, replica.status.deviceIds, sign);
    this.#neighbours.note(replica, node, sign);
    this.quotaUsage.place(replica, this.regionOf(node), sign);
    const { budget } = replica.status;
    if (budget !== undefined) this.#budgets.note(budget, replica, sign);
  }

  private nameNode(node: Node, isThere: boolean): void {
    if (isThere) this.nodesByName.set(node.meta.name, node);
    else this.nodesByName.delete(node.meta.name);
  }

  /** Empty for a node that this side does not know. */
  private regionOf(node: string): string {
    return this.nodesByName.get(node)?.spec.region ?? "";
  }

  /** The name of the node when it came, went or moved while replicas hold it. */
  private inAnotherPlace(was: Node | undefined, is: Node | undefined): string | undefined {
    const { name } = ((is ?? was) as Node).meta;
    if (!this.replicasByNode.has(name)) return undefined;
    return was !== undefined && is !== undefined && isSamePlace(was, is) ? undefined : name;
  }

  private noteAllOn(node: string, sign: 1 | -1): void {
    const region = this.regionOf(node);
    for (const replica of this.replicasOn(node).values()) {
      this.#neighbours.note(replica, node, sign);
      this.quotaUsage.place(replica, region, sign);
    }
  }

  private *placed({ of }: Selector): Iterable<Placed> {
    const all = of.kind === "siblings" ? this.replicasOf(of.workload) : this.byKind.Replica;
    for (const replica of all.values()) {
      const { node } = replica.status;
      if (node !== undefined) yield { replica, node };
    }
  }

  private foldReservation(
    key: ObjectKey,
    held: Reservation | undefined,
    after: Reservation | undefined,
  ): void {
    const spec = (after ?? held)?.spec;
    if (spec !== undefined && spec.for !== "quota") {
      this.foldRoom(key, held, after);
      return;
    }
    if (held !== undefined) {
      this.quotaUsage.post(reservedBy(held), -1);
      this.ownReservation(held.spec.owner, key, undefined);
    }
    if (after !== undefined) {
      this.quotaUsage.post(reservedBy(after), 1);
      this.ownReservation(after.spec.owner, key, after);
    }
  }

  private ownReservation(owner: ObjectKey, key: ObjectKey, now: Reservation | undefined): void {
    const owned = this.reservationsByOwner.get(owner);
    const others = owned?.filter((each) => each.key !== key) ?? NO_RESERVATIONS;
    if (now !== undefined) this.reservationsByOwner.set(owner, [...others, now]);
    else if (others.length > 0) this.reservationsByOwner.set(owner, others);
    else this.reservationsByOwner.delete(owner);
  }

  /** It takes no quota: its owner has a reservation of its own for that. */
  private foldRoom(
    key: ObjectKey,
    held: Reservation | undefined,
    after: Reservation | undefined,
  ): void {
    for (const [reservation, now] of [
      [held, undefined],
      [after, after],
    ] as const) {
      if (reservation === undefined || reservation.spec.for === "quota") continue;
      this.ownReservation(reservation.spec.owner, key, now);
      holdRoom(this.useOf(reservation.spec.room.node), key, now);
    }
  }
}

const reservedBy = ({ spec }: Reservation): Posting => ({
  tenant: spec.tenant,
  side: "reserved",
  priorityClass: spec.priorityClass ?? "",
  amounts: spec.amounts,
});

const isQueued = (replica: Replica | undefined): boolean => replica?.status.stage === "queued";

/** One on a silent node was asked in vain: its end is unknown. */
const isLeaving = ({ status }: Replica): boolean =>
  status.stopping !== undefined && status.stage !== "unknown" && holdsNode(status.stage);

function place<Outer, Value>(
  index: Map<Outer, Map<ObjectKey, Value>>,
  outer: Outer,
  key: ObjectKey,
  value: Value | undefined,
): void {
  let inner = index.get(outer);
  if (value === undefined) {
    if (inner?.delete(key) && inner.size === 0) index.delete(outer);
    return;
  }
  if (inner === undefined) {
    inner = new Map();
    index.set(outer, inner);
  }
  inner.set(key, value);
}
