/**
 * Whom another node of a pool would help: work that has waited in the queue for long enough, that
 * no node takes which is there, that the nodes which are provisioning do not cover, and that an
 * empty node of the pool would take (PN2). For all other waits, a new node does not help. The
 * controller asks its view, the authority the truth.
 */
import { nodeKey, type ObjectKey, type Uid } from "../../model/ids.ts";
import { poolNodeSpec } from "../../model/node/node-pool.ts";
import type { Node, NodePool, Override, Replica } from "../../model/objects.ts";
import { isRecovering } from "../../model/recovery.ts";
import { roomFor } from "../../observe/held-room.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import {
  driversOfPool,
  provisioningNodes,
  nextPoolNumber,
  nodesOfPool,
  poolNodeName,
} from "../../observe/pool-nodes.ts";
import { sparesOf } from "../recovery/spare-rooms.ts";
import { missingSecret } from "../secrets/missing-secret.ts";
import { FitTrial } from "./fit-trial.ts";
import { type WaitingWork, waitingWork } from "./waiting-work.ts";

/** Why no machine is asked for somebody who waits. */
export type NoMachine =
  /** It waits for quota. */
  | "quota"
  /** It has a node, and is slow to serve. */
  | "starting"
  /** It has not waited for long enough. */
  | "too-soon"
  /** A node that is there would take it: its scheduler has not seen that yet. */
  | "stale-view"
  /** Room is held for it, or kept. */
  | "room-held"
  /** No node like those of the pool may take it. */
  | "topology"
  /** It fits on what was asked for already. */
  | "provisioning"
  /** More of it is missing than the pool can ever give room for. */
  | "gang"
  /** Somebody has frozen its tenant. */
  | "override"
  /** A secret that it needs is not there. */
  | "secret";

export interface Helped {
  readonly workload: ObjectKey;
  /** So many of its replicas fit on no node. */
  readonly count: number;
}

export interface PoolNeed {
  /** In the order of the queue; empty: no replica needs a node of this pool. */
  readonly helped: readonly Helped[];
  readonly refused: ReadonlyMap<NoMachine, { readonly count: number; readonly example: string }>;
}

export interface PoolQuestion {
  readonly hasWaited: (replica: Replica) => boolean;
  /** Those in force. */
  readonly overrides: readonly Override[];
  /** Looked at wherever in the queue it is. */
  readonly named?: ObjectKey;
}

/**
 * Replicas further behind are looked at when these have found room: each of them may ask every node
 * there is.
 */
const LOOKED_AT = 64;

export function poolNeed(objects: ObjectIndex, pool: NodePool, question: PoolQuestion): PoolNeed {
  return new PoolPlanner(objects, pool, question).need();
}

class PoolPlanner {
  private readonly objects: ObjectIndex;
  private readonly pool: NodePool;
  private readonly question: PoolQuestion;
  private readonly coming: readonly Node[];
  private readonly empty: Node;
  /** What was asked for already, as it fills up in the order of the queue. */
  private readonly trial: FitTrial;
  /** What is there now, for all who are placed one by one. */
  private readonly now: FitTrial;
  private readonly free: readonly FreeNode[];
  private readonly helped: Helped[] = [];
  private readonly refused = new Map<NoMachine, { count: number; example: string }>();

  constructor(objects: ObjectIndex, pool: NodePool, question: PoolQuestion) {
    this.objects = objects;
    this.pool = pool;
    this.question = question;
    // One that will not come is no room for anybody.
    this.coming = provisioningNodes(objects)
      .filter(({ status }) => status.provision?.failed === undefined)
      .map(asIfThere);
    this.empty = emptyNodeOf(objects, pool);
    this.trial = new FitTrial(objects, question.overrides, [...this.coming, this.empty]);
    this.now = new FitTrial(objects, question.overrides);
    this.free = freeNodes(objects);
  }

  need(): PoolNeed {
    const { work, tooShort, unqueued, starting } = waitingWork(
      this.objects,
      this.question.hasWaited,
    );
    this.refuse("quota", unqueued, "not in the queue");
    this.refuse("starting", starting, "bound and not yet serving");
    this.refuse("too-soon", tooShort, "in the queue for a short time");
    work.forEach((each, at) => {
      if (at < LOOKED_AT || each.workload.key === this.question.named) this.look(each);
    });
    return { helped: this.helped, refused: this.refused };
  }

  private look(work: WaitingWork): void {
    const { workload, replicas, first } = work;
    const { key } = workload;
    if (this.isFrozen(workload.meta.namespace)) {
      this.refuse("override", replicas.length, key);
      return;
    }
    if (missingSecret(this.objects, first) !== undefined) {
      this.refuse("secret", replicas.length, key);
      return;
    }
    const isKept = isRecovering(workload) && sparesOf(this.objects, workload).length > 0;
    const roomless = replicas.filter((each) => roomFor(this.objects, each) === undefined);
    const held = isKept ? replicas.length : replicas.length - roomless.length;
    this.refuse("room-held", held, key);
    if (held === replicas.length) return;
    const placed = this.placeable(work, roomless);
    this.refuse("stale-view", placed, key);
    const nowhere = roomless.slice(placed);
    const covered = this.trial.pack(this.coming, nowhere);
    this.refuse("provisioning", covered, key);
    const missing = nowhere.length - covered;
    if (missing === 0) return;
    const rule = this.trial.misfit(this.empty, first);
    if (rule !== undefined) this.refuse("topology", missing, `${key}: ${rule}`);
    else if (workload.spec.gang !== undefined && !this.isEnough(nowhere.slice(covered))) {
      this.refuse("gang", missing, key);
    } else this.helped.push({ workload: key, count: missing });
  }

  /**
   * So many find a place on the nodes that are there. Where one does, none of its like waits for a
   * machine: they are placed one after the other. Of a gang no member is placed before there is
   * room for all.
   */
  private placeable({ workload }: WaitingWork, replicas: readonly Replica[]): number {
    const [first] = replicas;
    if (first === undefined) return 0;
    if (workload.spec.gang !== undefined) {
      const nodes = this.free.map(({ node }) => node).toSorted((a, b) => (a.key < b.key ? -1 : 1));
      return new FitTrial(this.objects, this.question.overrides).pack(nodes, replicas);
    }
    const { cpuMillis, memoryMiB } = first.spec.template.ask.amounts;
    const isAny = this.free.some(
      (each) =>
        each.cpuMillis >= cpuMillis &&
        each.memoryMiB >= memoryMiB &&
        this.now.misfit(each.node, first) === undefined,
    );
    return isAny ? replicas.length : 0;
  }

  /** A gang that the pool cannot make whole would have machines that wait for it in vain (GA1). */
  private isEnough(members: readonly Replica[]): boolean {
    const { name } = this.pool.meta;
    const left = this.pool.spec.maxNodes - nodesOfPool(this.objects, name).length;
    const asked = Math.max(0, Math.min(left, members.length));
    const number = nextPoolNumber(this.objects, this.pool);
    const more = Array.from({ length: asked }, (_, at): Node => {
      const of = poolNodeName(name, number + at);
      return { ...this.empty, key: nodeKey(of), meta: { ...this.empty.meta, name: of } };
    });
    const trial = new FitTrial(this.objects, this.question.overrides, more);
    return trial.pack(more, members) === members.length;
  }

  private isFrozen(tenant: string): boolean {
    return this.question.overrides.some(
      ({ spec }) => spec.action === "freeze-tenant" && spec.target.tenant === tenant,
    );
  }

  private refuse(why: NoMachine, count: number, example: string): void {
    if (count === 0) return;
    const known = this.refused.get(why);
    this.refused.set(why, {
      count: count + (known?.count ?? 0),
      example: known?.example ?? example,
    });
  }
}

/**
 * A node with the most that could be free of it: what is asked first, since most nodes of a fleet
 * are full.
 */
interface FreeNode {
  readonly node: Node;
  readonly cpuMillis: number;
  readonly memoryMiB: number;
}

function freeNodes(objects: ObjectIndex): readonly FreeNode[] {
  const found: FreeNode[] = [];
  for (const node of objects.all("Node").values()) {
    const { capacity, supply } = node.spec;
    if (supply === "soft" || node.status.health !== "ready") continue;
    const use = objects.useOf(node.meta.name);
    const cpuMillis = capacity.cpuMillis - use.cpuMillis;
    found.push({ node, cpuMillis, memoryMiB: capacity.memoryMiB - use.memoryMiB });
  }
  return found;
}

/** As it will be once its agent has spoken. */
export function asIfThere(node: Node): Node {
  const { supply: _, ...spec } = node.spec;
  return { ...node, spec, status: { ...node.status, health: "ready" } };
}

function emptyNodeOf(objects: ObjectIndex, pool: NodePool): Node {
  const name = poolNodeName(pool.meta.name, nextPoolNumber(objects, pool));
  const drivers = driversOfPool(objects, pool.meta.name);
  return asIfThere({
    kind: "Node",
    key: nodeKey(name),
    meta: {
      namespace: "",
      name,
      uid: "" as Uid,
      generation: 1,
      revision: 0,
      createdMs: 0,
      labels: pool.spec.labels ?? {},
      finalizers: [],
      deletingMs: undefined,
    },
    spec: poolNodeSpec(pool),
    status: {
      health: "unknown",
      healthSinceMs: 0,
      session: 0,
      evidence: undefined,
      ...(drivers === undefined ? {} : { drivers }),
    },
  });
}
