/** What is shown of a node: the health the authority committed, and what its replicas hold. */
import { parseKey } from "../../core/model/ids.ts";
import type { Node } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { NodeUse } from "../../core/observe/usage.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import { writeAmounts } from "./amounts-text.ts";
import { type Condition, writeConditions } from "./condition.ts";
import { evidenceText } from "./evidence-text.ts";
import type { NodeStatusText } from "./node-schema.ts";

export function writeNodeStatus(node: Node, objects: ObjectIndex): NodeStatusText {
  const { health, healthSinceMs, session, evidence, notes } = node.status;
  const use = objects.useOf(node.meta.name);
  return {
    health,
    since: rfc3339Millis(healthSinceMs),
    session,
    ...(evidence === undefined
      ? {}
      : { evidence: { kind: evidence.kind, message: evidenceText(evidence) } }),
    ...(notes === undefined ? {} : { notes: [...notes] }),
    unschedulable: heldBack(node).length > 0,
    allocated: { ...writeAmounts(use), replicas: use.replicas },
    ...(use.devices.size === 0 ? {} : { deviceOwners: writeOwners(use.devices) }),
    conditions: writeConditions([readyCondition(node), schedulableCondition(node)]),
  };
}

function writeOwners(devices: NodeUse["devices"]) {
  const sorted = [...devices].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    sorted.map(([device, { owners }]) => {
      const names = owners.map((owner) => {
        const { namespace, name } = parseKey(owner);
        return `${namespace}/${name}`;
      });
      return [device, names.toSorted().join(", ")];
    }),
  );
}

/** Everything that keeps new work away, as a person would say it. */
export function heldBack({ meta, spec, status }: Node): readonly string[] {
  return [
    ...(meta.deletingMs === undefined ? [] : ["being deleted"]),
    ...(spec.draining ? ["draining"] : []),
    ...(spec.supply === "soft" ? ["only a forecast"] : []),
    ...spec.cordons.map(({ holder, reason }) =>
      reason === "" ? `cordoned by ${holder}` : `cordoned by ${holder} (${reason})`,
    ),
    ...(status.health === "ready" ? [] : [status.health]),
  ];
}

type Judged = Pick<Condition, "status" | "reason" | "message">;

function readyCondition({ status }: Node): Condition {
  const cited = status.evidence === undefined ? "" : ` ${evidenceText(status.evidence)}`;
  return { type: "Ready", ...readiness(status, cited), sinceMs: status.healthSinceMs };
}

function readiness({ health, session }: Node["status"], cited: string): Judged {
  switch (health) {
    case "ready":
      return { status: "True", reason: "AgentRenews", message: "The agent renews its lease." };
    case "suspect":
      return {
        status: "Unknown",
        reason: "RenewalLate",
        message: `A renewal of the lease is late; nothing new is placed here.${cited}`,
      };
    case "unknown":
      return session === 0
        ? {
            status: "Unknown",
            reason: "AgentNeverSpoke",
            message: "No agent has spoken for the node yet.",
          }
        : {
            status: "Unknown",
            reason: "AgentSilent",
            message: `The agent is silent; its replicas may still be running.${cited}`,
          };
    case "fenced":
      return {
        status: "False",
        reason: "Fenced",
        message: `The session is over; its processes are gone.${cited}`,
      };
  }
}

function schedulableCondition(node: Node): Condition {
  const reasons = heldBack(node);
  const { deletingMs } = node.meta;
  const since = { sinceMs: deletingMs ?? node.status.healthSinceMs };
  if (reasons.length === 0) {
    const message = "New work may be placed here.";
    return { type: "Schedulable", status: "True", reason: "Open", message, ...since };
  }
  const reason =
    deletingMs !== undefined
      ? "BeingDeleted"
      : node.spec.draining
        ? "Draining"
        : node.spec.cordons.length > 0
          ? "Cordoned"
          : node.spec.supply === "soft"
            ? "Forecast"
            : "NotReady";
  const message = `New work is kept away: ${reasons.join(", ")}.`;
  return { type: "Schedulable", status: "False", reason, message, ...since };
}
