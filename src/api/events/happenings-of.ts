/**
 * What a commit and a decision mean to people: how far replicas have come, how nodes are doing, and what is
 * being waited for. Events are derived from commits; no component writes them.
 */
import type { Change, Commit } from "../../core/protocol/commit-record.ts";
import type { DecisionRecord, WaitReason } from "../../core/protocol/decision.ts";
import type {
  AnyObject,
  Budget,
  Node,
  NodeHealth,
  NodeStatus,
  Override,
  Policy,
  Replica,
  Workload,
} from "../../core/model/objects.ts";
import type { Stage } from "../../core/model/stage.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { evidenceText } from "../kinds/text/evidence-text.ts";
import { replicaReason } from "../kinds/status/stage-reason.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import { budgetHappenings } from "./budget-happenings.ts";
import { aboutObject, type Happening } from "./happening.ts";
import { jobHappenings } from "./job-happenings.ts";
import { ofMaintenance } from "./of-maintenance.ts";
import { overrideHappenings } from "./override-happenings.ts";
import { policyHappenings } from "./policy-happenings.ts";
import { recoveryHappenings } from "./recovery-happenings.ts";
import { rolloutHappenings } from "./rollout-happenings.ts";

type Told = Pick<Happening, "type" | "reason" | "message">;

export function happeningsOf({ changes, atMs, actor }: Commit): readonly Happening[] {
  return changes.flatMap((change) => {
    const { after } = change;
    if (after === undefined) return [];
    const told = toldOf(change, actor.name);
    return told.map((each) => ({ ...each, about: aboutObject(after), atMs, source: actor.name }));
  });
}

function toldOf({ before, after }: Change, by: string): readonly Told[] {
  if (after?.kind === "Replica") return ofReplica(before as Replica | undefined, after);
  if (after?.kind === "Override") return overrideHappenings(before as Override | undefined, after);
  if (after?.kind === "Budget") return budgetHappenings(before as Budget | undefined, after, by);
  if (after?.kind === "Policy") return policyHappenings(before as Policy | undefined, after);
  if (after?.kind === "Node") return ofNode(before as Node | undefined, after, by);
  if (after === undefined || before === undefined || after.kind !== "Workload") return [];
  if (before.meta.deletingMs === undefined && after.meta.deletingMs !== undefined) {
    return [{ type: "Normal", reason: "Deleting", message: "Its replicas are being stopped." }];
  }
  if (before.kind !== "Workload") return [];
  const from = before.spec.replicas;
  const rolled = [
    ...rolloutHappenings(before, after),
    ...jobHappenings(before, after),
    ...recoveryHappenings(before, after),
  ];
  if (from === after.spec.replicas) return rolled;
  const message = `Scaled from ${from} to ${after.spec.replicas} replicas.`;
  return [{ type: "Normal", reason: "Scaled", message }, ...rolled];
}

function ofReplica(before: Replica | undefined, after: Replica): readonly Told[] {
  const was = before?.status;
  const { stage, life, stopping } = after.status;
  const isNewLife = was?.life !== life;
  if (isNewLife || was.stage !== stage) {
    // A life may begin further on than at its first stage, when one commit took both steps.
    const began = isNewLife && stage !== "admitted" ? [admitted(life)] : [];
    return [...began, ofStage(before, after)];
  }
  const { superseded } = after.status;
  if (superseded !== undefined && was.superseded === undefined && stopping === undefined) {
    const message = `Replaced by another replica; it may still run. ${evidenceText(superseded.evidence)}`;
    return [{ type: "Warning", reason: "Replaced", message }];
  }
  if (superseded === undefined && was.superseded !== undefined) {
    return [
      {
        type: "Normal",
        reason: "Reinstated",
        message: "It is back and no longer replaced.",
      },
    ];
  }
  if (stopping === undefined || was.stopping !== undefined) return [];
  const { message } = replicaReason(after.status);
  return [{ type: "Normal", reason: "Stopping", message: `It ${message}.` }];
}

const admitted = (life: number): Told => ({
  type: "Normal",
  reason: STAGE_WORDS.admitted,
  message: `Starting incarnation ${life}.`,
});

const STAGE_WORDS: Readonly<Record<Stage, string>> = {
  admitted: "Admitted",
  queued: "Queued",
  bound: "Bound",
  starting: "Started",
  ready: "Ready",
  serving: "Serving",
  running: "Running",
  succeeded: "Succeeded",
  unknown: "NodeSilent",
  failed: "Failed",
  released: "Released",
};

function ofStage(before: Replica | undefined, after: Replica): Told {
  const { stage, unready, node = "its node" } = after.status;
  const isNews = unready !== undefined && unready.sinceMs !== before?.status.unready?.sinceMs;
  if (isNews && stage === "starting") {
    const message = `No longer ready on ${node}: ${unready.said}.`;
    return { type: "Warning", reason: "Unready", message };
  }
  const isTrouble = stage === "failed" || stage === "unknown";
  return {
    type: isTrouble ? "Warning" : "Normal",
    reason: STAGE_WORDS[stage],
    message: stageMessage(before, after),
  };
}

function stageMessage(before: Replica | undefined, { status }: Replica): string {
  const { stage, life, node, lastEnd, budget } = status;
  const where = node ?? before?.status.node ?? "its node";
  switch (stage) {
    case "admitted":
      return admitted(life).message;
    case "queued":
      return "Quota is reserved; waiting for a node.";
    case "bound":
      return `Bound to node ${where}${budget === undefined ? "" : ` on budget ${budget}`}.`;
    case "starting":
      return `Starting its process on ${where}.`;
    case "ready":
      return `Ready on ${where}.`;
    case "serving":
      return `Serving on ${where}.`;
    case "running":
      return `Running on ${where}.`;
    case "succeeded":
      return `Succeeded on ${where}.`;
    case "unknown":
      return `${where} is silent; its process may still be running.`;
    case "failed":
      return lastEnd === undefined ? `Failed on ${where}.` : `Failed on ${where}: ${lastEnd}`;
    case "released":
      return lastEnd === undefined ? `Gone from ${where}.` : `Gone from ${where}: ${lastEnd}`;
  }
}

const HEALTH_WORDS: Readonly<Record<NodeHealth, readonly [reason: string, message: string]>> = {
  ready: ["NodeReady", "The agent renews its lease."],
  suspect: ["NodeSuspect", "A renewal of the lease is late; no new work is placed here."],
  unknown: ["NodeSilent", "The agent is silent; its replicas may still be running."],
  fenced: ["NodeFenced", "The session has ended; its processes are gone."],
};

function ofNode(before: Node | undefined, after: Node, by: string): readonly Told[] {
  const { status } = after;
  const { health, evidence } = status;
  // A node that was just made has not changed its health: its agent has not connected yet.
  if (before === undefined) return [];
  const others = [
    ...ofDamping(before.status, status),
    ...ofClock(before.status, status),
    ...ofMaintenance(before, after, by),
  ];
  if (before.status.health === health && before.status.evidence?.kind === evidence?.kind)
    return others;
  const [reason, message] = HEALTH_WORDS[health];
  const cited = evidence === undefined || health === "ready" ? "" : ` ${evidenceText(evidence)}`;
  const type = health === "ready" ? "Normal" : "Warning";
  return [{ type, reason, message: `${message}${cited}` }, ...others];
}

function ofDamping(was: NodeStatus, { damped }: NodeStatus): readonly Told[] {
  if (was.damped?.sinceMs === damped?.sinceMs) return [];
  if (damped === undefined) {
    const message = "No longer held for flapping; it takes new work again.";
    return [{ type: "Normal", reason: "FlappingOver", message }];
  }
  const { times, untilMs } = damped;
  const message = `It came back ${times} times within ten minutes; no new work is placed here until ${rfc3339Millis(untilMs)}.`;
  return [{ type: "Warning", reason: "NodeFlapping", message }];
}

function ofClock(was: NodeStatus, { clock }: NodeStatus): readonly Told[] {
  if ((was.clock === undefined) === (clock === undefined)) return [];
  if (clock === undefined) {
    const message = "Its clock is within the bound again.";
    return [{ type: "Normal", reason: "ClockTrusted", message }];
  }
  const message = `Its clock is off by ${clock.offBy} parts in a thousand, beyond the bound; no new work is placed here.`;
  return [{ type: "Warning", reason: "ClockSuspect", message }];
}

/** Waits that are over before anybody reads of them, or that only say that a controller goes on. */
const PASSING: ReadonlySet<WaitReason> = new Set([
  "awaiting-own-write",
  "backing-off",
  "gathering",
  "not-silent-long-enough",
  "load-steady",
  "scale-limited",
  "pool-steady",
  "node-expected",
  "node-busy",
]);
/** Waits that may need a person: more quota, another node, an end to what keeps failing. */
const IN_NEED: ReadonlySet<WaitReason> = new Set([
  "quota-exhausted",
  "no-feasible-node",
  "attempts-exhausted",
  "needs-a-person",
  "foreign-finalizer",
  "correlated-silence",
  "recovery-short",
  "recovery-budget",
  "scale-refused",
  "samples-old",
  "pool-bound",
  "pool-backoff",
]);

/** A wait of a whole workload is told of so many of its replicas, too; more would push out everything else. */
const REPLICAS_TOLD = 100;

export function happeningsOfDecision(
  { controller, key, atMs, decision }: DecisionRecord,
  objects: ObjectIndex,
): readonly Happening[] {
  if (decision.kind !== "wait" || PASSING.has(decision.reason)) return [];
  // A wait for a budget's own end blocks nothing.
  if (controller === "expire-budget") return [];
  const object: AnyObject | undefined = objects.get(key);
  if (object === undefined) return [];
  const isInNeed = IN_NEED.has(decision.reason);
  const waiting = isInNeed && object.kind === "Workload" ? waitingOf(object, objects) : [];
  return [object, ...waiting].map((each) => ({
    about: aboutObject(each),
    type: isInNeed ? "Warning" : "Normal",
    reason: "Pending",
    message: `Pending: ${decision.because.summary}`,
    atMs,
    source: controller,
  }));
}

function waitingOf(workload: Workload, objects: ObjectIndex): readonly Replica[] {
  const waiting: Replica[] = [];
  for (const replica of objects.replicasOf(workload.key).values()) {
    const { stage } = replica.status;
    if (stage === "admitted" || stage === "queued") waiting.push(replica);
    if (waiting.length === REPLICAS_TOLD) break;
  }
  return waiting;
}
