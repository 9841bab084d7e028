/**
 * All objects one side knows, with the look-ups deciders need. Folding is the only way in: the ledger, the
 * views, followers and replay build the same index from the same changes.
 */
import type { Change } from "../commit/commit-record.ts";
import { type Amounts, minus, NOTHING } from "../model/amounts.ts";
import { type Kind, type ObjectKey, parseKey } from "../model/ids.ts";
import { workloadOf } from "../model/workload-of.ts";
import type {
  AnyObject,
  Lease,
  Node,
  ObjectOf,
  Quota,
  Replica,
  Reservation,
  Workload,
} from "../model/objects.ts";
import {
  type Account,
  addToNode,
  emptyAccount,
  emptyNodeUse,
  type NodeUse,
  payIn,
  post,
} from "./usage.ts";

type ByKind = { readonly [K in Kind]: Map<ObjectKey, ObjectOf<K>> };

const NO_REPLICAS: ReadonlyMap<ObjectKey, Replica> = new Map();
const NO_RESERVATIONS: ReadonlyMap<ObjectKey, Reservation> = new Map();

export class ObjectIndex {
  private readonly byKind: ByKind = {
    Region: new Map(),
    Node: new Map(),
    Tenant: new Map(),
    Quota: new Map(),
    PriorityClass: new Map(),
    Workload: new Map(),
    Replica: new Map(),
    Reservation: new Map(),
    Lease: new Map(),
  };
  private readonly replicasByNode = new Map<string, Map<ObjectKey, Replica>>();
  private readonly replicasByWorkload = new Map<ObjectKey, Map<ObjectKey, Replica>>();
  private readonly reservationsByOwner = new Map<ObjectKey, Map<ObjectKey, Reservation>>();
  private readonly uses = new Map<string, NodeUse>();
  private readonly accounts = new Map<string, Account>();

  get(key: ObjectKey): AnyObject | undefined {
    // A key may come from outside and name a kind there is not.
    const objects = this.byKind[parseKey(key).kind] as Map<ObjectKey, AnyObject> | undefined;
    return objects?.get(key);
  }
  /** In order of arrival: sort before deciding on it. */
  all<K extends Kind>(kind: K): ReadonlyMap<ObjectKey, ObjectOf<K>> {
    return this.byKind[kind];
  }
  node(key: ObjectKey): Node | undefined {
    return this.byKind.Node.get(key);
  }
  workload(key: ObjectKey): Workload | undefined {
    return this.byKind.Workload.get(key);
  }
  replica(key: ObjectKey): Replica | undefined {
    return this.byKind.Replica.get(key);
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
  reservationsOf(owner: ObjectKey): ReadonlyMap<ObjectKey, Reservation> {
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
    let account = this.accounts.get(tenant);
    if (account === undefined) {
      account = emptyAccount();
      this.accounts.set(tenant, account);
    }
    return account;
  }
  tenantsWithAccount(): Iterable<string> {
    return this.accounts.keys();
  }

  /** Replaces what is held under the key. `change.before` is not trusted: a cache may have missed it. */
  fold(change: Change): void {
    const { key, after } = change;
    const kind = after?.kind ?? parseKey(key).kind;
    const objects = this.byKind[kind] as Map<ObjectKey, AnyObject>;
    const held = objects.get(key);
    if (held === undefined && after === undefined) return;
    if (after === undefined) objects.delete(key);
    else objects.set(key, after);
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
      case "Quota":
        this.foldQuota(held as Quota | undefined, after as Quota | undefined);
        break;
      default:
        break;
    }
  }

  private foldReplica(key: ObjectKey, held: Replica | undefined, after: Replica | undefined): void {
    const some = (after ?? held) as Replica;
    const workload = workloadOf(some);
    place(this.replicasByWorkload, workload, key, after);
    const left = held?.status.node;
    const took = after?.status.node;
    if (left !== undefined && left !== took) place(this.replicasByNode, left, key, undefined);
    if (took !== undefined) place(this.replicasByNode, took, key, after);
    // The same binding before and after: stage reports are by far the most frequent change.
    const isSameLife =
      held?.meta.uid === after?.meta.uid && held?.status.life === after?.status.life;
    if (left === took && isSameLife) return;
    if (held !== undefined && left !== undefined) this.chargeNode(left, held, -1);
    if (after !== undefined && took !== undefined) this.chargeNode(took, after, 1);
  }

  private chargeNode(node: string, replica: Replica, sign: 1 | -1): void {
    const amounts = replica.spec.template.ask.amounts;
    const use = this.useOf(node);
    addToNode(use, amounts, sign);
    for (const device of replica.status.deviceIds) {
      if (sign === 1) use.deviceOwners.set(device, replica.key);
      else if (use.deviceOwners.get(device) === replica.key) use.deviceOwners.delete(device);
    }
    const account = this.accountOf(replica.meta.namespace);
    if (sign === 1) post(account, "free", "committed", amounts);
    else post(account, "committed", "free", amounts);
  }

  private foldReservation(
    key: ObjectKey,
    held: Reservation | undefined,
    after: Reservation | undefined,
  ): void {
    if (held !== undefined) {
      post(this.accountOf(held.spec.tenant), "reserved", "free", held.spec.amounts);
      place(this.reservationsByOwner, held.spec.owner, key, undefined);
    }
    if (after !== undefined) {
      post(this.accountOf(after.spec.tenant), "free", "reserved", after.spec.amounts);
      place(this.reservationsByOwner, after.spec.owner, key, after);
    }
  }

  private foldQuota(held: Quota | undefined, after: Quota | undefined): void {
    const tenant = ((after ?? held) as Quota).meta.namespace;
    const was: Amounts = held?.spec.limit ?? NOTHING;
    payIn(this.accountOf(tenant), minus(after?.spec.limit ?? NOTHING, was));
  }
}

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
