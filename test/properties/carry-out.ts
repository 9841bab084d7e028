/** What each command changes once no rule stands against it. The model is changed in place. */
import { isDeepStrictEqual } from "node:util";
import type { Intent, IntentOf } from "../../src/core/commit/command.ts";
import type { Role } from "../../src/core/model/actor.ts";
import { leaseKey, nodeKey, type ObjectKey } from "../../src/core/model/ids.ts";
import {
  find,
  type ModelState,
  type ReplicaThing,
  replicasOn,
  type Thing,
  wantedWorkload,
} from "./model-state.ts";
import type { MoveNode } from "./rules-of-nodes.ts";
import { admittedKey } from "./rules-of-replicas.ts";
import {
  CONTENTS_FINALIZER,
  finalizersAfter,
  ownsSomething,
  partsOf,
  REPLICAS_FINALIZER,
} from "./rules-of-wishes.ts";

export function carryOut(state: ModelState, intent: Intent, role: Role): void {
  switch (intent.kind) {
    case "put":
      return carryOutPut(state, intent, role);
    case "delete":
      return carryOutDelete(state, intent.key);
    case "admit":
      return carryOutAdmit(state, intent);
    case "reserve":
      return carryOutReserve(state, intent);
    case "transition":
      if (intent.to !== "queued") return carryOutMove(state, intent);
      return alter(state, intent.key, (replica) => {
        // It holds its quota itself from now on.
        remove(state, intent.reservation);
        toStage(state, replica, "queued");
      });
    case "bind":
      return carryOutBind(state, intent);
    case "release":
      if (find(state, "Reservation", intent.key) !== undefined) return remove(state, intent.key);
      return alter(state, intent.key, (replica) => end(state, replica, "released"));
    case "evict":
      return carryOutEvict(state, intent);
    case "report":
      return carryOutReport(state, intent);
    case "lease":
      return carryOutLease(state, intent);
    case "enqueue":
    case "bind-all":
      throw new Error(`${intent.kind} is carried out step by step.`);
    case "preempt":
      throw new Error("The model knows no preemption; judge/preempt.test.ts does.");
  }
}

function remove(state: ModelState, key: ObjectKey): void {
  state.things = state.things.filter((thing) => thing.key !== key);
}

function alter(state: ModelState, key: ObjectKey, change: (replica: ReplicaThing) => void): void {
  const replica = find(state, "Replica", key)!;
  replica.revision = state.revision;
  change(replica);
}

function toStage(state: ModelState, replica: ReplicaThing, stage: ReplicaThing["stage"]): void {
  if (replica.stage !== stage) replica.stageSinceMs = state.nowMs;
  replica.stage = stage;
}

/** Whatever a replica held is given back when it ends. */
function end(state: ModelState, replica: ReplicaThing, stage: ReplicaThing["stage"]): void {
  toStage(state, replica, stage);
  replica.node = undefined;
  replica.deviceIds = [];
  replica.stopping = undefined;
  replica.address = undefined;
}

const named = (state: ModelState, key: ObjectKey) => ({
  key,
  namespace: partsOf(key).namespace,
  name: partsOf(key).name,
  born: state.revision,
  revision: state.revision,
  generation: 1,
  createdMs: state.nowMs,
  labels: {},
  finalizers: [],
  deletingMs: undefined,
});

function carryOutPut(state: ModelState, intent: IntentOf<"put">, role: Role): void {
  const held = state.things.find(({ key }) => key === intent.key);
  const { desired } = intent;
  if (held === undefined) {
    state.things.push(made(state, intent));
    return;
  }
  const finalizers = finalizersAfter(held, intent, role);
  if (held.deletingMs !== undefined && finalizers.length === 0) {
    removeForGood(state, held);
    return;
  }
  held.revision = state.revision;
  held.labels = { ...intent.labels };
  held.finalizers = finalizers;
  if (!("spec" in held) || isDeepStrictEqual(held.spec, desired.spec)) return;
  held.generation += 1;
  if (held.kind === "Workload" && desired.kind === "Workload") {
    const newTemplate = !isDeepStrictEqual(held.spec.template, desired.spec.template);
    if (newTemplate) held.templateGeneration = held.generation;
  }
  held.spec = desired.spec;
}

function made(state: ModelState, { key, desired, labels, finalizers }: IntentOf<"put">): Thing {
  const base = { ...named(state, key), labels: { ...labels }, finalizers: [...finalizers] };
  switch (desired.kind) {
    case "Node":
      return { ...base, ...desired, health: "unknown", session: 0, because: undefined };
    case "Workload": {
      const others = finalizers.filter((finalizer) => finalizer !== REPLICAS_FINALIZER);
      return {
        ...base,
        ...desired,
        finalizers: [REPLICAS_FINALIZER, ...others],
        templateGeneration: 1,
      };
    }
    default:
      return { ...base, ...desired };
  }
}

function carryOutDelete(state: ModelState, key: ObjectKey): void {
  const held = state.things.find((thing) => thing.key === key)!;
  const guarded = held.finalizers.includes(CONTENTS_FINALIZER);
  if (held.kind === "Tenant" && ownsSomething(state, held) && !guarded) {
    held.finalizers = [CONTENTS_FINALIZER, ...held.finalizers];
  }
  if (held.finalizers.length > 0) {
    held.deletingMs = state.nowMs;
    held.revision = state.revision;
    return;
  }
  removeForGood(state, held);
}

/** A lease that stayed would be taken for that of a later node of the same name. */
function removeForGood(state: ModelState, { kind, key, name }: Thing): void {
  remove(state, key);
  if (kind === "Node") remove(state, leaseKey(name));
}

function carryOutAdmit(state: ModelState, intent: IntentOf<"admit">): void {
  const key = admittedKey(intent);
  if (find(state, "Replica", key) !== undefined) {
    alter(state, key, (replica) => {
      end(state, replica, "admitted");
      replica.life += 1;
    });
    return;
  }
  const { namespace, name } = partsOf(intent.workload);
  const workload = wantedWorkload(state, { namespace, workload: name })!;
  state.things.push({
    ...named(state, key),
    kind: "Replica",
    labels: { ...workload.labels },
    workload: name,
    workloadBorn: workload.born,
    templateGeneration: intent.generation,
    slot: intent.slot,
    template: workload.spec.template,
    stage: "admitted",
    stageSinceMs: state.nowMs,
    life: 1,
    failures: 0,
    node: undefined,
    session: 0,
    deviceIds: [],
    stopping: undefined,
    address: undefined,
    lastNode: undefined,
    lastEnd: undefined,
  });
}

function carryOutReserve(state: ModelState, intent: IntentOf<"reserve">): void {
  const replica = find(state, "Replica", intent.replica)!;
  const key = `Reservation/${replica.namespace}/${replica.name}.${intent.life}` as ObjectKey;
  state.things.push({
    ...named(state, key),
    kind: "Reservation",
    owner: replica.key,
    ownerBorn: replica.born,
    life: intent.life,
    amounts: replica.template.ask.amounts,
    ...(replica.template.priorityClass === ""
      ? {}
      : { priorityClass: replica.template.priorityClass }),
  });
}

function carryOutBind(state: ModelState, intent: IntentOf<"bind">): void {
  const node = find(state, "Node", nodeKey(intent.node))!;
  alter(state, intent.replica, (replica) => {
    toStage(state, replica, "bound");
    replica.node = intent.node;
    replica.lastNode = intent.node;
    replica.session = node.session;
    replica.deviceIds = [...intent.deviceIds];
  });
}

function carryOutEvict(state: ModelState, { replica: key, evidence }: IntentOf<"evict">): void {
  alter(state, key, (replica) => {
    if (replica.node !== undefined) {
      const isQuota = evidence.kind === "quota-reclaim" || evidence.kind === "quota-shrunk";
      const reason = isQuota ? "quota" : evidence.kind === "drain" ? "drain" : "surplus";
      replica.stopping = { reason, sinceMs: state.nowMs };
      return;
    }
    // A reservation that it never came to cite has an owner that is gone from now on, and is reclaimed
    // by `release`.
    end(state, replica, "released");
  });
}

function carryOutReport(state: ModelState, intent: IntentOf<"report">): void {
  const { stage, address } = intent;
  alter(state, intent.replica, (replica) => {
    const gone = stage === "succeeded" || stage === "failed" || stage === "released";
    if (gone) end(state, replica, stage);
    else {
      toStage(state, replica, stage);
      replica.address = address ?? replica.address;
    }
    if (gone) replica.lastEnd = intent.reason;
    if (stage === "failed") replica.failures = intent.wasStable ? 1 : replica.failures + 1;
  });
}

function carryOutMove(state: ModelState, intent: MoveNode): void {
  const node = find(state, "Node", intent.key)!;
  node.health = intent.to;
  node.because = intent.evidence.kind;
  node.revision = state.revision;
  if (intent.to === "suspect") return;
  for (const replica of replicasOn(state, node.name)) {
    if (replica.stage === "unknown") continue;
    alter(state, replica.key, (held) => toStage(state, held, "unknown"));
  }
}

function carryOutLease(state: ModelState, intent: IntentOf<"lease">): void {
  const node = find(state, "Node", nodeKey(intent.node))!;
  const key = leaseKey(intent.node);
  const said = { session: intent.session, seq: intent.seq };
  const when = { renewedMs: state.nowMs, epoch: state.epoch };
  const lease = find(state, "Lease", key);
  if (lease !== undefined) Object.assign(lease, said, when, { revision: state.revision });
  else
    state.things.push({ ...named(state, key), kind: "Lease", node: node.name, ...said, ...when });
  const begins = intent.session > node.session;
  if (node.health === "ready" && !begins) return;
  node.revision = state.revision;
  node.health = "ready";
  node.because = undefined;
  node.session = intent.session;
  if (!begins) return;
  for (const replica of replicasOn(state, node.name)) {
    const kept = replica.template.onDisconnect === "keep" && intent.kept.includes(replica.key);
    if (kept) alter(state, replica.key, (held) => (held.session = intent.session));
  }
}
