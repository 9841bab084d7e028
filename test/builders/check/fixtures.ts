/** Builders for the checkers' own tests: objects with defaults, of which a test changes what it is about. */
import type { Amounts } from "../../../src/core/model/amounts.ts";
import {
  recoveryBudgetKey,
  type RecoveryBudgetSpec,
  type RecoveryBudgetStatus,
} from "../../../src/core/model/recovery-budget.ts";
import type { ReservationSpec } from "../../../src/core/model/reservation.ts";
import {
  leaseKey,
  nodeKey,
  type ObjectKey,
  quotaKey,
  replicaKey,
  type Uid,
  workloadKey,
} from "../../../src/core/model/ids.ts";
import type {
  Ask,
  RecoveryBudget,
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
  Template,
  Workload,
  WorkloadSpec,
} from "../../../src/core/model/objects.ts";
import { View } from "../../../src/core/observe/view.ts";
import type { World } from "../../../src/sim/world/world.ts";
import type { Believer, LiveProcess } from "../../../src/sim/check/checker.ts";

export const amounts = (of: Partial<Amounts> = {}): Amounts => ({
  cpuMillis: 100,
  memoryMiB: 64,
  deviceMillis: 0,
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
      pools: [],
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

/** `Replica/payments/api.1.0`, admitted, in its first incarnation. */
export function aReplica(of: ReplicaParts = {}): Replica {
  const tenant = of.tenant ?? "payments";
  const spec: ReplicaSpec = {
    workload: "api",
    workloadUid: `uid-of-Workload/${tenant}/${of.spec?.workload ?? "api"}` as Uid,
    generation: 1,
    index: 0,
    type: "service",
    template: aTemplate(),
    ...of.spec,
  };
  const key = replicaKey({ tenant, ...spec });
  const status: ReplicaStatus = {
    stage: "admitted",
    stageSinceMs: 0,
    incarnation: 1,
    failures: 0,
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
  const incarnation = spec.incarnation ?? owner.status.incarnation;
  const key =
    `Reservation/${owner.meta.namespace}/${name ?? `${owner.meta.name}.${incarnation}`}` as ObjectKey;
  return {
    kind: "Reservation",
    key,
    meta: metaOf(key),
    spec: {
      for: "quota",
      owner: owner.key,
      ownerUid: owner.meta.uid,
      incarnation,
      tenant: owner.meta.namespace,
      amounts: owner.spec.template.ask.amounts,
      deadlineMs: 0,
      ...spec,
    } as ReservationSpec,
    status: {},
  };
}

export function aQuota(limit: Partial<Amounts> = {}, tenant = "payments"): Quota {
  const key = quotaKey(tenant);
  const all = { cpuMillis: 10_000, memoryMiB: 10_000, deviceMillis: 10_000, ...limit };
  return { kind: "Quota", key, meta: metaOf(key), spec: { limit: all }, status: {} };
}

/** So much CPU and no end of the rest, in a group or with bounds. */
export function sharing(tenant: string, cpuMillis: number, of: Partial<Quota["spec"]> = {}): Quota {
  const quota = aQuota({ cpuMillis }, tenant);
  return { ...quota, spec: { ...quota.spec, ...of } };
}

interface RecoveryBudgetParts {
  readonly name?: string;
  readonly spec?: Partial<RecoveryBudgetSpec>;
  readonly status?: Partial<RecoveryBudgetStatus>;
}

/** Ana's, for ten seconds, for everybody in the region of `aNode()`, and enough for two of `aReplica()`. */
export function aRecoveryBudget({
  name = "eu-1",
  spec,
  status,
}: RecoveryBudgetParts = {}): RecoveryBudget {
  const key = recoveryBudgetKey(name);
  const enough = amounts({ cpuMillis: 200, memoryMiB: 128 });
  return {
    kind: "RecoveryBudget",
    key,
    meta: metaOf(key),
    spec: { region: "eu", amounts: enough, ttlMs: 10_000, reason: "why", ...spec },
    status: { owner: "ana", sinceMs: 0, untilMs: 10_000, extensions: 0, ...status },
  };
}

export function aLease(node = "node-1", of: { session?: number; seq?: number } = {}): Lease {
  const key = leaseKey(node);
  const status = { session: 1, seq: 1, renewedMs: 0, epoch: 1, ...of };
  return { kind: "Lease", key, meta: metaOf(key), spec: { node }, status };
}

export const aProcess = (of: Partial<LiveProcess> = {}): LiveProcess => ({
  replica: aReplica().key,
  incarnation: 1,
  node: "node-1",
  leashed: true,
  startedMs: 0,
  ...of,
});

export const aWorld = (of: Partial<World> = {}): World => ({
  name: "harness",
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
