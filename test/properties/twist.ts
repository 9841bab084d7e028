/** Makes a sensible command wrong in one way, as a late, confused or hostile sender would. */
import type { Binding, Command, Intent, IntentOf } from "../../src/core/protocol/command.ts";
import { ROLES } from "../../src/core/model/actor.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import {
  nodeKey,
  type ObjectKey,
  operationId,
  parseKey,
  quotaKey,
} from "../../src/core/model/ids.ts";
import { deviceUse, type ModelState } from "./model-state.ts";
import type { Picks } from "./picks.ts";
import { WORKLOADS } from "./desired-states.ts";

const NOBODY = "Replica/red/ghost.1.0" as ObjectKey;

type Twist =
  | "epoch"
  | "role"
  | "known-operation"
  | "incarnation"
  | "session"
  | "evidence"
  | "object"
  | "node"
  | "devices"
  | "victims"
  | "precondition"
  | "shape";

/** Only what this command can be wrong about, so that no twist is spent on nothing. */
function twistsOf(intent: Intent): readonly Twist[] {
  const always: readonly Twist[] = ["epoch", "role", "role", "known-operation"];
  const own: Twist[] = intent.kind === "put" ? ["shape", "shape"] : ["object"];
  if ("incarnation" in intent) own.push("incarnation");
  if ("session" in intent) own.push("session");
  if ("evidence" in intent) own.push("evidence", "evidence");
  if ("node" in intent) own.push("node");
  if ("deviceIds" in intent) own.push("devices", "devices", "devices");
  if ("victims" in intent) own.push("victims", "victims");
  if ("expect" in intent) own.push("precondition", "precondition");
  return [...own, ...always];
}

export function twist(command: Command, state: ModelState, picks: Picks): Command {
  const { intent } = command;
  const how = picks.one(twistsOf(intent));
  switch (how) {
    case "epoch":
      return { ...command, epoch: Math.max(0, command.epoch + picks.one([-1, 1])) };
    case "role":
      return { ...command, actor: { ...command.actor, role: picks.one(ROLES) } };
    case "known-operation": {
      const id = picks.one(state.effects)?.id ?? intent.operation;
      return { ...command, intent: { ...intent, operation: operationId(id) } };
    }
    default:
      return { ...command, intent: twistIntent(intent, how, state, picks) };
  }
}

type IntentTwist = Exclude<Twist, "epoch" | "role" | "known-operation">;

function twistIntent(intent: Intent, how: IntentTwist, state: ModelState, picks: Picks): Intent {
  const off = picks.one([-1, 1]);
  switch (how) {
    case "incarnation":
      return "incarnation" in intent
        ? { ...intent, incarnation: intent.incarnation + off }
        : intent;
    case "session":
      return "session" in intent ? { ...intent, session: intent.session + off } : intent;
    case "evidence":
      return "evidence" in intent
        ? { ...intent, evidence: otherEvidence(intent.evidence, state, picks) }
        : intent;
    case "object":
      return otherObject(intent, state, picks);
    case "node":
      return "node" in intent
        ? { ...intent, node: picks.one(["n1", "n2", "n3", "nowhere"]) }
        : intent;
    case "devices":
      return intent.kind === "bind" || intent.kind === "preempt"
        ? { ...intent, deviceIds: wrongDevices(intent, state, picks) }
        : intent;
    case "victims":
      return intent.kind === "preempt" ? otherVictims(intent, picks) : intent;
    case "precondition":
      return "expect" in intent ? withPrecondition(intent, state, picks) : intent;
    case "shape":
      return intent.kind === "put" ? malformed(intent, picks) : intent;
  }
}

/** One unit twice, one too few, one too many, one that is not there, or one that is another's. */
function wrongDevices(
  { deviceIds, node }: Binding,
  state: ModelState,
  picks: Picks,
): readonly string[] {
  const first = deviceIds[0] ?? "d0";
  const taken = Object.keys(deviceUse(state, node));
  return picks.one([
    deviceIds.map((id, at) => taken[at] ?? id),
    deviceIds.map(() => first),
    deviceIds.slice(1),
    [...deviceIds, "d1"],
    deviceIds.map((_, at) => `d${at + 8}`),
  ]);
}

/** One twice, one in another incarnation, one fewer, one that is not there, or the one that it is all for. */
function otherVictims(intent: IntentOf<"preempt">, picks: Picks): Intent {
  const { victims, replica, incarnation } = intent;
  return picks.one<Intent>([
    { ...intent, victims: [...victims, ...victims.slice(0, 1)] },
    {
      ...intent,
      victims: victims.map((victim) => ({ ...victim, incarnation: victim.incarnation + 1 })),
    },
    { ...intent, victims: victims.slice(1) },
    { ...intent, victims: [...victims, { replica: NOBODY, incarnation: 1 }] },
    { ...intent, victims: [{ replica, incarnation }] },
    { ...intent, holdMs: picks.one([0, -1, 0.5, 65_001]) },
  ]);
}

function otherEvidence(evidence: Evidence, state: ModelState, picks: Picks): Evidence {
  const off = picks.one([-1, 1]);
  if ("seq" in evidence && picks.onceIn(3)) return { ...evidence, seq: evidence.seq + off };
  if ("session" in evidence && picks.onceIn(2)) {
    return { ...evidence, session: evidence.session + off };
  }
  if (evidence.kind === "owner-gone" && picks.onceIn(2)) return { ...evidence, owner: NOBODY };
  const node = picks.one(["n1", "n2", "n3"]);
  const session = picks.one([1, 2, 0]);
  const owner = state.things.find(({ kind }) => kind === "Replica")?.key ?? nodeKey(node);
  const kinds: readonly Evidence[] = [
    { kind: "node-fenced", node, session },
    { kind: "session-ended", node, session },
    { kind: "lease-expired", node, session, seq: picks.one([1, 2, 3]) },
    { kind: "person", name: "ada", statement: "It burned." },
    { kind: "surplus", workload: picks.one(WORKLOADS) },
    { kind: "gang-deadline", workload: picks.one(WORKLOADS) },
    { kind: "drain", node },
    { kind: "drain-forced", node },
    { kind: "node-vanished", node, session },
    { kind: "agent-forgot", node, session },
    { kind: "replace-after", node, session },
    { kind: "damping-over", node },
    { kind: "hold-over", owner },
    { kind: "preempted", by: owner },
    { kind: "rollout", workload: picks.one(WORKLOADS) },
    { kind: "owner-gone", owner },
  ];
  return picks.one(kinds);
}

function otherObject(intent: Intent, state: ModelState, picks: Picks): Intent {
  switch (intent.kind) {
    case "reserve":
    case "bind":
    case "preempt":
    case "evict":
    case "confirm":
    case "report":
      return { ...intent, replica: NOBODY };
    case "admit":
    case "roll":
    case "finish":
    case "hold-recovery":
    case "recover":
      return { ...intent, workload: "Workload/red/ghost" as ObjectKey };
    case "enqueue":
      return otherIndexes(intent, picks);
    case "bind-all":
      return otherBindings(intent, picks);
    case "transition":
      if (intent.to === "queued" && picks.onceIn(2)) return { ...intent, key: NOBODY };
      if (intent.to !== "queued") return { ...intent, key: nodeKey("nowhere") };
      return { ...intent, reservation: "Reservation/red/ghost.1.0.1" as ObjectKey };
    case "release":
    case "unreserve":
    case "expire":
    case "delete":
      return { ...intent, key: picks.one([NOBODY, ...state.things.map((t) => t.key)]) };
    case "lease":
    case "join":
    case "drain-over":
    case "provision":
    case "provisioned":
    case "scale-down":
      return { ...intent, node: "nowhere" };
    case "activate":
      return { ...intent, policy: "ghost" };
    case "observe":
    case "scale":
      return { ...intent, autoscaler: "Autoscaler/red/ghost" as ObjectKey };
    case "put":
    // Their object is the plane itself, or what another plane states: they have tests of their own.
    case "incarnate":
    case "hear":
    case "lend":
    case "take-terms":
    case "end-term":
    case "end-learning":
    case "region-gone":
      return intent;
  }
}

/** Too many or none, one twice, out of order, in another incarnation, or of a workload that is not there. */
function otherIndexes(intent: IntentOf<"enqueue">, picks: Picks): Intent {
  const { indexes } = intent;
  const many = Array.from({ length: 1025 }, (_, index) => ({ index, incarnation: 1 }));
  return picks.one<Intent>([
    { ...intent, indexes: [...indexes, ...indexes.slice(0, 1)] },
    { ...intent, indexes: indexes.toReversed() },
    {
      ...intent,
      indexes: indexes.map(({ index, incarnation }) => ({ index, incarnation: incarnation + 1 })),
    },
    {
      ...intent,
      indexes: indexes.map(({ index, incarnation }) => ({ index: index - 0.5, incarnation })),
    },
    { ...intent, indexes: [] },
    { ...intent, indexes: many },
    { ...intent, workload: "Workload/red/ghost" as ObjectKey },
  ]);
}

function otherBindings(intent: IntentOf<"bind-all">, picks: Picks): Intent {
  const { bindings } = intent;
  const [first] = bindings;
  const last = bindings.slice(0, -1);
  const many = first === undefined ? [] : Array.from({ length: 1025 }, () => first);
  return picks.one<Intent>([
    { ...intent, bindings: [...bindings, ...bindings.slice(0, 1)] },
    { ...intent, bindings: bindings.map((each) => ({ ...each, replica: NOBODY })) },
    {
      ...intent,
      bindings: bindings.map((each) => ({ ...each, incarnation: each.incarnation + 1 })),
    },
    { ...intent, bindings: bindings.map((each) => ({ ...each, node: "nowhere" })) },
    { ...intent, bindings: bindings.map((each) => ({ ...each, deviceIds: ["d0", "d0"] })) },
    { ...intent, bindings: last },
    { ...intent, bindings: many },
  ]);
}

function withPrecondition(
  intent: IntentOf<"put"> | IntentOf<"delete">,
  state: ModelState,
  picks: Picks,
): Intent {
  const held = state.things.find(({ key }) => key === intent.key);
  const revision = picks.one([held?.revision ?? 0, 0, Math.max(1, (held?.revision ?? 2) - 1)]);
  const generation = Math.max(1, (held?.generation ?? 1) + picks.one([0, 1, -1]));
  return { ...intent, expect: picks.onceIn(2) ? { generation } : { revision } };
}

function malformed(intent: IntentOf<"put">, picks: Picks): Intent {
  const { kind, namespace, name } = parseKey(intent.key);
  const under = (key: string): Intent => ({ ...intent, key: key as ObjectKey });
  const keys = [
    `${kind}/${namespace}/${name.toUpperCase()}`,
    `${kind}/${namespace}/${name}-`,
    `${kind}/${namespace === "" ? "red" : ""}/${name}`,
    `${kind === "Node" ? "Tenant" : "Node"}//${name}`,
    kind === "Quota" ? quotaKey(namespace).replace("default", "other") : `${kind}/${namespace}/`,
  ];
  if (picks.onceIn(2)) return under(picks.one(keys));
  return { ...intent, desired: badSpec(intent.desired, picks) };
}

function badSpec(desired: IntentOf<"put">["desired"], picks: Picks): typeof desired {
  const bad = picks.one([-1, 0.5, Number.NaN]);
  switch (desired.kind) {
    case "Node": {
      const { spec } = desired;
      const capacity = { ...spec.capacity, cpuMillis: bad };
      // One id in two pools is as bad as one id twice in one.
      const pool = { class: "gpu", model: "", ids: ["d0"] };
      const twice = [pool, { ...pool, model: "big" }];
      const drain = { holder: "user", reason: "", deadlineMs: bad };
      const specs = [
        { ...spec, capacity },
        { ...spec, drain },
        { ...spec, drain: { ...drain, deadlineMs: 1, holder: "" } },
        { ...spec, drain: { ...drain, deadlineMs: 86_400_001 } },
        { ...spec, pools: twice, capacity: { ...spec.capacity, deviceMillis: 2000 } },
        { ...spec, capacity: { ...spec.capacity, deviceMillis: spec.capacity.deviceMillis + 1 } },
        { ...spec, zone: "" },
      ];
      return { ...desired, spec: picks.one(specs) };
    }
    case "PriorityClass":
      return { ...desired, spec: { ...desired.spec, value: picks.one([0.5, 1_000_000_001]) } };
    case "Quota":
      return { ...desired, spec: { limit: { ...desired.spec.limit, memoryMiB: bad } } };
    case "Workload": {
      const { spec } = desired;
      const { ask } = spec.template;
      const amounts = { ...ask.amounts, deviceMillis: bad };
      const greedy = { ...spec.template, ask: { ...ask, amounts } };
      const skewed = { ...spec.template, spread: [{ by: "zone", maxSkew: 0 }] as const };
      const device = picks.one([
        { class: "gpu", models: [], count: 2, shareMillis: 500 },
        { class: "gpu", models: [], count: 0, shareMillis: 1000 },
        { class: "gpu", models: [], count: 1, shareMillis: 1001 },
        { class: "gpu", models: [], count: 1, shareMillis: 999 },
      ]);
      const odd = {
        ...spec.template,
        ask: { ...ask, device, amounts: { ...ask.amounts, deviceMillis: 1000 } },
      };
      const specs = [
        { ...spec, replicas: bad },
        { ...spec, disruption: { maxUnavailable: bad } },
        { ...spec, template: odd },
        { ...spec, template: greedy },
        { ...spec, template: skewed },
        { ...spec, gang: { deadlineMs: picks.one([0, 86_400_001, bad]) } },
        { ...spec, gang: { deadlineMs: 1 }, replicas: 1025 },
      ];
      return { ...desired, spec: picks.one(specs) };
    }
    default:
      return desired;
  }
}
