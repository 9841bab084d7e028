/** What is shown of a node: the health the authority committed, and what its replicas hold. */
import { parseKey } from "../../../core/model/ids.ts";
import type { Damping } from "../../../core/model/node/node-trust.ts";
import type { Node } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import type { NodeUse } from "../../../core/observe/usage.ts";
import { rfc3339Millis } from "../../rfc3339.ts";
import { writeAmounts } from "../text/amounts-text.ts";
import { type Condition, writeConditions } from "./condition.ts";
import { drainCondition, drainStatus, drainText } from "./drain-status.ts";
import { awaited, provisionStatus } from "./provision-status.ts";
import { nodeEvidence } from "./evidence-shown.ts";
import { evidenceText } from "../text/evidence-text.ts";
import type { NodeStatusText } from "../node-schema.ts";

export function writeNodeStatus(node: Node, objects: ObjectIndex): NodeStatusText {
  const { health, healthSinceMs, session, notes, damped, clock, drivers } = node.status;
  const evidence = nodeEvidence(node.status);
  const use = objects.useOf(node.meta.name);
  return {
    health,
    since: rfc3339Millis(healthSinceMs),
    session,
    ...(evidence === undefined ? {} : { evidence }),
    ...(damped === undefined ? {} : { heldForFlapping: writeDamping(damped) }),
    ...(clock === undefined
      ? {}
      : { clockSuspect: { since: rfc3339Millis(clock.sinceMs), offBy: clock.offBy } }),
    ...(notes === undefined ? {} : { notes: [...notes] }),
    ...(drivers === undefined ? {} : { drivers: drivers.map((each) => ({ ...each })) }),
    ...drainStatus(node, objects),
    ...provisionStatus(node),
    unschedulable: heldBack(node).length > 0,
    allocated: { ...writeAmounts(use), replicas: use.replicas },
    ...(use.devices.size === 0 ? {} : { deviceOwners: writeOwners(use.devices) }),
    conditions: writeConditions([
      readyCondition(node),
      schedulableCondition(node),
      ...clockCondition(node),
      ...limitsCondition(node),
      ...drainCondition(node, objects),
    ]),
  };
}

const writeDamping = ({ sinceMs, untilMs, times }: Damping) => ({
  since: rfc3339Millis(sinceMs),
  until: rfc3339Millis(untilMs),
  returns: times,
});

/** Only while there is something to say: a clock that keeps its pace is no news. */
function clockCondition({ status }: Node): readonly Condition[] {
  if (status.clock === undefined) return [];
  const { offBy, sinceMs } = status.clock;
  const pace = `${Math.abs(offBy)} parts in a thousand ${offBy < 0 ? "slower" : "faster"}`;
  const message = `Its clock runs ${pace} than the plane's; no new work is placed here.`;
  return [{ type: "ClockSuspect", status: "True", reason: "BeyondBound", message, sinceMs }];
}

/**
 * Only where the machine cannot hold replicas to what they ask for: otherwise it would stand on
 * every node.
 */
function limitsCondition({ status }: Node): readonly Condition[] {
  const { notes = [], healthSinceMs: sinceMs } = status;
  if (notes.length === 0) return [];
  const message = `Replicas may use more than they request: ${notes.join("; ")}.`;
  return [{ type: "LimitsMissing", status: "True", reason: "CgroupsMissing", message, sinceMs }];
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
    ...(spec.draining ? [drainText(spec)] : []),
    ...(spec.supply === "soft" ? ["only a forecast"] : []),
    ...spec.cordons.map(({ holder, reason }) =>
      reason === "" ? `cordoned by ${holder}` : `cordoned by ${holder} (${reason})`,
    ),
    ...(status.health === "ready" ? [] : [status.health]),
    ...(status.damped === undefined
      ? []
      : [`held for flapping until ${rfc3339Millis(status.damped.untilMs)}`]),
    ...(status.clock === undefined ? [] : ["clock-suspect"]),
  ];
}

/** `ready,cordoned`: how its agent is doing, and what else keeps new work away, each in a word. */
export function healthWord(node: Node): string {
  const others = heldBack(node).filter((reason) => reason !== node.status.health);
  const words = others.map((reason) => reason.split(/ by | for /)[0] ?? reason);
  return [node.status.health, ...new Set(words)].join(",");
}

type Checked = Pick<Condition, "status" | "reason" | "message">;

export function readyCondition(node: Node): Condition {
  const { status } = node;
  const expected = awaited(node);
  if (expected !== undefined) {
    return { type: "Ready", status: "Unknown", ...expected, sinceMs: status.healthSinceMs };
  }
  const cited = status.evidence === undefined ? "" : ` ${evidenceText(status.evidence)}`;
  return { type: "Ready", ...readiness(status, cited), sinceMs: status.healthSinceMs };
}

function readiness({ health, session }: Node["status"], cited: string): Checked {
  switch (health) {
    case "ready":
      return { status: "True", reason: "AgentRenews", message: "The agent renews its lease." };
    case "suspect":
      return {
        status: "Unknown",
        reason: "RenewalLate",
        message: `A renewal of the lease is late; no new work is placed here.${cited}`,
      };
    case "unknown":
      return session === 0
        ? {
            status: "Unknown",
            reason: "AgentNeverSpoke",
            message: "The node's agent has not connected yet.",
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
        message: `The session has ended; its processes are gone.${cited}`,
      };
  }
}

function schedulableCondition(node: Node): Condition {
  const reasons = heldBack(node);
  const { deletingMs } = node.meta;
  const since = { sinceMs: deletingMs ?? node.status.healthSinceMs };
  if (reasons.length === 0) {
    const message = "The node takes new work.";
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
            : node.status.health !== "ready"
              ? "NotReady"
              : node.status.damped === undefined
                ? "ClockSuspect"
                : "Flapping";
  const message = `The node takes no new work: ${reasons.join(", ")}.`;
  return { type: "Schedulable", status: "False", reason, message, ...since };
}
