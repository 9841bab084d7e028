/** What each command changes once no rule stands against it. The model is changed in place. */
import type { Intent, IntentOf } from "../../src/core/protocol/command.ts";
import type { Role } from "../../src/core/model/actor.ts";
import { nodeKey, type ObjectKey } from "../../src/core/model/ids.ts";
import {
  carryOutDrainOver,
  carryOutLease,
  carryOutMove,
  carryOutSteady,
} from "./carry-out-nodes.ts";
import { carryOutDelete, carryOutPut, templateOf } from "./carry-out-desired-state.ts";
import { alter, end, endRoomOf, named, remove, toStage } from "./model-changes.ts";
import { find, LOST, type ModelState, type ReplicaThing, wantedWorkload } from "./model-state.ts";
import { outOfModel } from "./out-of-model.ts";
import { admittedKey } from "./rules-of-replicas.ts";
import { partsOf } from "./rules-of-desired-state.ts";

export function carryOut(state: ModelState, intent: Intent, role: Role): void {
  switch (intent.kind) {
    case "put":
      return carryOutPut(state, intent, role);
    case "delete":
      return carryOutDelete(state, intent.key, role);
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
    case "unreserve":
    case "expire":
      return carryOutRelease(state, intent);
    case "preempt":
      return carryOutPreempt(state, intent);
    case "drain-over":
      return carryOutDrainOver(state, intent);
    case "evict":
      return carryOutEvict(state, intent);
    case "report":
      return carryOutReport(state, intent);
    case "lease":
      return carryOutLease(state, intent);
    case "enqueue":
    case "bind-all":
      throw new Error(`${intent.kind} is carried out step by step.`);
    default:
      throw outOfModel(intent.kind);
  }
}

function carryOutAdmit(state: ModelState, intent: IntentOf<"admit">): void {
  const key = admittedKey(intent);
  const held = find(state, "Replica", key);
  if (held !== undefined && held.deletingMs === undefined) {
    alter(state, key, (replica) => {
      end(state, replica, "admitted");
      replica.incarnation += 1;
    });
    return;
  }
  const { namespace, name } = partsOf(intent.workload);
  const workload = wantedWorkload(state, { namespace, workload: name })!;
  // ST90: after a person deleted it, the index begins again as another object.
  if (held !== undefined) {
    endRoomOf(state, held);
    remove(state, key);
  }
  state.things.push({
    ...named(state, key),
    kind: "Replica",
    labels: { ...workload.labels },
    workload: name,
    workloadBorn: workload.born,
    templateGeneration: intent.generation,
    index: intent.index,
    template: templateOf(workload, intent.generation),
    stage: "admitted",
    stageSinceMs: state.nowMs,
    incarnation: (held?.incarnation ?? 0) + 1,
    failures: workload.spec.type === "batch" ? (held?.failures ?? 0) : 0,
    node: undefined,
    session: 0,
    deviceIds: [],
    stopping: undefined,
    address: undefined,
    lastNode: held?.lastNode,
    lastEnd: undefined,
    unready: undefined,
    failingProbe: undefined,
    rejections: [],
    preemptions: 0,
  });
}

function carryOutReserve(state: ModelState, intent: IntentOf<"reserve">): void {
  const replica = find(state, "Replica", intent.replica)!;
  const key = `Reservation/${replica.namespace}/${replica.name}.${intent.incarnation}` as ObjectKey;
  state.things.push({
    ...named(state, key),
    kind: "Reservation",
    owner: replica.key,
    ownerBorn: replica.born,
    incarnation: intent.incarnation,
    room: undefined,
    holdMs: 0,
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
    endRoomOf(state, replica);
  });
}

/** PE3: the victims are asked to stop, and their room is held; it takes no quota. */
function carryOutPreempt(state: ModelState, intent: IntentOf<"preempt">): void {
  const { node, deviceIds, holdMs, incarnation } = intent;
  for (const victim of intent.victims) {
    alter(state, victim.replica, (replica) => {
      replica.stopping = { reason: "preempted", sinceMs: state.nowMs, by: intent.replica };
    });
  }
  alter(state, intent.replica, (replica) => {
    replica.preemptions += 1;
    const { namespace, name, template } = replica;
    state.things.push({
      ...named(state, `Reservation/${namespace}/${name}.${incarnation}.room` as ObjectKey),
      kind: "Reservation",
      owner: replica.key,
      ownerBorn: replica.born,
      incarnation,
      room: { node, deviceIds: [...deviceIds], epoch: state.epoch },
      holdMs,
      amounts: template.ask.amounts,
    });
  });
}

function carryOutRelease(
  state: ModelState,
  { key, evidence }: IntentOf<"release" | "unreserve" | "expire">,
): void {
  const held = state.things.find((thing) => thing.key === key);
  if (held?.kind === "Reservation" || held?.kind === "Lease") return remove(state, key);
  if (held?.kind === "Node") return carryOutSteady(state, held);
  alter(state, key, (replica) => {
    // Whose agent forgot it looks elsewhere first (PR4).
    if (evidence.kind === "agent-forgot") turnAway(replica);
    end(state, replica, "released");
    replica.lastEnd = LOST;
  });
}

/** Of two by one node the later counts. Eight are more than the nodes here, so none is ever dropped. */
function turnAway(replica: ReplicaThing): void {
  const { node = "", incarnation } = replica;
  replica.rejections = [
    ...replica.rejections.filter((one) => one.node !== node),
    { node, incarnation },
  ];
}

function carryOutEvict(state: ModelState, { replica: key, evidence }: IntentOf<"evict">): void {
  alter(state, key, (replica) => {
    if (replica.node !== undefined) {
      const isQuota = evidence.kind === "quota-reclaim" || evidence.kind === "quota-shrunk";
      const reason = isQuota
        ? "quota"
        : ["drain", "drain-forced"].includes(evidence.kind)
          ? "drain"
          : "surplus";
      replica.stopping = { reason, sinceMs: state.nowMs };
      return;
    }
    // A reservation that it never came to cite has an owner that is gone from now on, and is reclaimed
    // by `release`.
    end(state, replica, "released");
  });
}

/** A process that begins has been asked nothing yet; one that was ready and is not keeps why (EV9). */
function noteProbe(state: ModelState, replica: ReplicaThing, said: string | undefined): void {
  if (replica.stage === "bound") replica.unready = undefined;
  else if (said !== undefined) replica.unready = { said, sinceMs: state.nowMs };
}

/** A row of failures lasts until the process is ready, gone, or another one (EV10). */
function noteFailingProbe(
  state: ModelState,
  replica: ReplicaThing,
  { stage, probe }: IntentOf<"report">,
): void {
  if (stage !== "starting" || replica.stage === "bound") replica.failingProbe = undefined;
  else if (probe !== undefined) {
    const { said, times, forMs = 0 } = probe;
    const isOfStage = forMs <= state.nowMs - replica.stageSinceMs;
    const began = isOfStage ? state.nowMs - forMs : Math.min(state.nowMs, replica.stageSinceMs);
    const { sinceMs = began } = replica.failingProbe ?? {};
    replica.failingProbe = { said, times, sinceMs, toldMs: state.nowMs };
  }
}

function carryOutReport(state: ModelState, intent: IntentOf<"report">): void {
  const { stage, address } = intent;
  alter(state, intent.replica, (replica) => {
    const gone = stage === "succeeded" || stage === "failed" || stage === "released";
    if (stage === "failed" && intent.rejected) turnAway(replica);
    // Whoever has come to run stays away from nobody any more (PR4).
    if (!gone && stage !== "starting") replica.rejections = [];
    if (!gone) noteFailingProbe(state, replica, intent);
    if (stage === "starting") noteProbe(state, replica, intent.reason);
    if (gone) end(state, replica, stage);
    else {
      toStage(state, replica, stage);
      replica.address = address ?? replica.address;
    }
    if (gone) replica.lastEnd = intent.reason;
    if (stage === "failed") replica.failures = intent.wasStable ? 1 : replica.failures + 1;
  });
}
