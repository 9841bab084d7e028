/**
 * Builders and a bench for the checkers' own tests: objects with defaults, and a small truth that commits
 * can be fed to. Nothing here judges: a test writes the history it wants, right or wrong.
 */
import type { CommandKind } from "../../core/commit/command.ts";
import type { Change, Commit } from "../../core/commit/commit-record.ts";
import type { Actor, Role } from "../../core/model/actor.ts";
import type { Amounts } from "../../core/model/amounts.ts";
import type { Evidence } from "../../core/model/evidence.ts";
import {
  type Epoch,
  leaseKey,
  nodeKey,
  type ObjectKey,
  operationId,
  quotaKey,
  replicaKey,
  type Uid,
  workloadKey,
} from "../../core/model/ids.ts";
import type {
  AnyObject,
  Ask,
  Lease,
  Meta,
  Node,
  NodeSpec,
  NodeStatus,
  Quota,
  Replica,
  ReplicaSpec,
  ReplicaStatus,
  Reservation,
  ReservationSpec,
  Template,
  Workload,
  WorkloadSpec,
} from "../../core/model/objects.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import { View } from "../../core/observe/view.ts";
import type { World } from "../world.ts";
import type { Believer, Checker, LiveProcess, Report, Truth } from "./checker.ts";

export const amounts = (of: Partial<Amounts> = {}): Amounts => ({
  cpuMillis: 100,
  memoryMiB: 64,
  devices: 0,
  ...of,
});

const metaOf = (key: ObjectKey, of: Partial<Meta> = {}): Meta => {
  const [, namespace = "", name = ""] = key.split("/");
  return {
    namespace,
    name,
    uid: `uid-of-${key}` as Uid,
    generation: 1,
    revision: 0,
    createdMs: 0,
    labels: {},
    finalizers: [],
    deletingMs: undefined,
    ...of,
  };
};

interface NodeParts {
  readonly name?: string;
  readonly meta?: Partial<Meta>;
  readonly spec?: Partial<NodeSpec>;
  readonly status?: Partial<NodeStatus>;
}

/** Ready, empty and open to everybody. */
export function aNode({ name = "node-1", meta, spec, status }: NodeParts = {}): Node {
  const key = nodeKey(name);
  return {
    kind: "Node",
    key,
    meta: metaOf(key, meta),
    spec: {
      region: "eu",
      zone: "eu-a",
      capacity: amounts({ cpuMillis: 1000, memoryMiB: 1024 }),
      deviceClass: "",
      deviceIds: [],
      taints: [],
      cordons: [],
      draining: false,
      ...spec,
    },
    status: { health: "ready", healthSinceMs: 0, session: 1, evidence: undefined, ...status },
  };
}

export const anAsk = (of: Partial<Ask> = {}): Ask => ({
  amounts: amounts(),
  deviceClass: "",
  regions: [],
  zones: [],
  nodeSelector: {},
  tolerations: [],
  ...of,
});

export const aTemplate = (of: Partial<Template> = {}): Template => ({
  ask: anAsk(),
  spread: [],
  priorityClass: "",
  onDisconnect: "stop",
  command: ["serve"],
  ...of,
});

interface WorkloadParts {
  readonly tenant?: string;
  readonly name?: string;
  readonly meta?: Partial<Meta>;
  readonly spec?: Partial<WorkloadSpec>;
  readonly generation?: number;
}

export function aWorkload(of: WorkloadParts = {}): Workload {
  const key = workloadKey(of.tenant ?? "payments", of.name ?? "api");
  return {
    kind: "Workload",
    key,
    meta: metaOf(key, of.meta),
    spec: { type: "service", replicas: 1, template: aTemplate(), ...of.spec },
    status: { templateGeneration: of.generation ?? 1 },
  };
}

interface ReplicaParts {
  readonly tenant?: string;
  readonly meta?: Partial<Meta>;
  readonly spec?: Partial<ReplicaSpec>;
  readonly status?: Partial<ReplicaStatus>;
}

/** `Replica/payments/api.1.0`, admitted, in its first life. */
export function aReplica(of: ReplicaParts = {}): Replica {
  const tenant = of.tenant ?? "payments";
  const spec: ReplicaSpec = {
    workload: "api",
    workloadUid: `uid-of-Workload/${tenant}/${of.spec?.workload ?? "api"}` as Uid,
    generation: 1,
    slot: 0,
    type: "service",
    template: aTemplate(),
    ...of.spec,
  };
  const key = replicaKey({ tenant, ...spec });
  const status: ReplicaStatus = {
    stage: "admitted",
    stageSinceMs: 0,
    life: 1,
    failures: 0,
    reservation: undefined,
    node: undefined,
    session: 0,
    deviceIds: [],
    stopping: undefined,
    ...of.status,
  };
  return { kind: "Replica", key, meta: metaOf(key, of.meta), spec, status };
}

/** The same replica with another status: what a commit leaves behind. */
export const withStatus = (replica: Replica, status: Partial<ReplicaStatus>): Replica => ({
  ...replica,
  status: { ...replica.status, ...status },
});

export const bound = (
  replica: Replica,
  node = "node-1",
  of: Partial<ReplicaStatus> = {},
): Replica => withStatus(replica, { stage: "bound", node, session: 1, ...of });

export const freed = (replica: Replica, of: Partial<ReplicaStatus> = {}): Replica =>
  withStatus(replica, { stage: "released", node: undefined, deviceIds: [], ...of });

export function aReservation(
  owner: Replica,
  of: Partial<ReservationSpec> & { name?: string } = {},
): Reservation {
  const { name, ...spec } = of;
  const life = spec.life ?? owner.status.life;
  const key =
    `Reservation/${owner.meta.namespace}/${name ?? `${owner.meta.name}.${life}`}` as ObjectKey;
  return {
    kind: "Reservation",
    key,
    meta: metaOf(key),
    spec: {
      owner: owner.key,
      ownerUid: owner.meta.uid,
      life,
      tenant: owner.meta.namespace,
      amounts: owner.spec.template.ask.amounts,
      deadlineMs: 0,
      ...spec,
    },
    status: {},
  };
}

export function aQuota(limit: Partial<Amounts> = {}, tenant = "payments"): Quota {
  const key = quotaKey(tenant);
  const all = { cpuMillis: 10_000, memoryMiB: 10_000, devices: 10, ...limit };
  return { kind: "Quota", key, meta: metaOf(key), spec: { limit: all }, status: {} };
}

export function aLease(node = "node-1", of: { session?: number; seq?: number } = {}): Lease {
  const key = leaseKey(node);
  const status = { session: 1, seq: 1, renewedMs: 0, epoch: 1, ...of };
  return { kind: "Lease", key, meta: metaOf(key), spec: { node }, status };
}

export const aProcess = (of: Partial<LiveProcess> = {}): LiveProcess => ({
  replica: aReplica().key,
  life: 1,
  node: "node-1",
  leashed: true,
  startedMs: 0,
  ...of,
});

export const aWorld = (of: Partial<World> = {}): World => ({
  name: "bench",
  regions: [],
  nodes: [],
  tenants: [],
  workloads: [],
  schedulers: 1,
  timeline: [],
  faultsUntilMs: 0,
  healMs: 600_000,
  startUpMs: 1_000,
  batchRunMs: 5_000,
  ...of,
});

export interface Deed {
  readonly command?: CommandKind | "lead";
  readonly role?: Role;
  readonly operation?: string;
  readonly evidence?: Evidence;
  readonly epoch?: Epoch;
  readonly revision?: number;
  readonly put?: readonly AnyObject[];
  readonly remove?: readonly ObjectKey[];
  /** Takes the place of the changes made from `put` and `remove`. */
  readonly changes?: readonly Change[];
}

/** A client that believes and owes so much, and has nothing else on its mind. */
export const aBeliever = (of: Partial<Believer> = {}): Believer => {
  const owed = of.owed ?? [];
  return {
    name: "place-1",
    view: new View({ kinds: new Set(), node: undefined }),
    owed,
    isTracking: (key) => owed.some((entry) => entry.key === key),
    ...of,
  };
};

/** One checker, one truth, and everything the checker found, as `RULE message`. */
export class CheckerBench implements Truth {
  readonly found: string[] = [];
  readonly objects = new ObjectIndex();
  readonly commits: Commit[] = [];
  readonly world: World;
  readonly checker: Checker;
  readonly running: LiveProcess[] = [];
  readonly nodesDown = new Set<string>();
  readonly leasesSentMs = new Map<string, number>();
  everyClient: Believer[] = [];
  nowMs = 0;

  constructor(checker: Checker, world: Partial<World> = {}) {
    this.checker = checker;
    this.world = aWorld(world);
  }

  readonly report: Report = (rule, message) => {
    this.found.push(`${rule} ${message}`);
  };

  processes(): Iterable<LiveProcess> {
    return this.running;
  }
  isNodeUp(node: string): boolean {
    return !this.nodesDown.has(node);
  }
  leaseSentMs(node: string): number | undefined {
    return this.leasesSentMs.get(node);
  }
  clients(): Iterable<Believer> {
    return this.everyClient;
  }

  commit(deed: Deed): Commit {
    const revision = deed.revision ?? (this.commits.at(-1)?.revision ?? 0) + 1;
    const actor: Actor = { role: deed.role ?? "user", name: "bench" };
    const commit: Commit = {
      revision,
      epoch: deed.epoch ?? 1,
      atMs: this.nowMs,
      operation: operationId(deed.operation ?? `operation-${revision}`),
      actor,
      command: deed.command ?? "put",
      basis: revision - 1,
      evidence: deed.evidence,
      changes: deed.changes ?? this.changesOf(deed, revision),
    };
    this.commits.push(commit);
    this.checker.beforeCommit?.(commit, this, this.report);
    for (const change of commit.changes) this.objects.fold(change);
    this.checker.afterCommit?.(commit, this, this.report);
    return commit;
  }

  start(process: LiveProcess): void {
    this.running.push(process);
    this.checker.processStarted?.(process, this, this.report);
  }

  end(process: LiveProcess): void {
    this.vanish(process);
    this.checker.processEnded?.(process, this, this.report);
  }

  /** The process stops running and nobody is told, as when its node freezes. */
  vanish(process: LiveProcess): void {
    this.running.splice(this.running.indexOf(process), 1);
  }

  sample(): void {
    this.checker.sampled?.(this, this.report);
  }

  finish(): void {
    this.checker.atEnd?.(this, this.report);
  }

  private changesOf({ put = [], remove = [] }: Deed, revision: number): Change[] {
    const written = put.map((object) => ({
      key: object.key,
      before: this.objects.get(object.key),
      after: { ...object, meta: { ...object.meta, revision } } as AnyObject,
    }));
    const removed = remove.map((key) => ({ key, before: this.objects.get(key), after: undefined }));
    return [...removed, ...written];
  }
}
