/**
 * How far a node is emptied: who leaves, who remains, and what happens at the deadline. Nothing
 * here looks beyond the node and its replicas, because a node is not shown anew when other objects
 * change; what workloads can spare at this moment is told by `/drain-plan`.
 */
import { Type } from "typebox";
import { type ObjectKey, parseKey } from "../../../core/model/ids.ts";
import type { Node, NodeSpec, Replica } from "../../../core/model/objects.ts";
import { workloadOf } from "../../../core/model/workload-of.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { rfc3339Millis } from "../../rfc3339.ts";
import { fields, text, time } from "../../schema/shapes.ts";
import type { Condition } from "./condition.ts";

export const drainStatusSchema = fields("The progress of the drain.", {
  since: Type.Optional(time("When the drain began, if it has a deadline.")),
  deadline: Type.Optional(time("The deadline, by the clock of the leader that started it.")),
  over: Type.Optional(time("When the deadline passed with replicas left.")),
  stopping: Type.Integer({ description: "The number of replicas being stopped." }),
  remaining: Type.Array(
    fields("A replica that is not being stopped.", {
      replica: text("As namespace/name."),
      reason: text("Why it stays."),
    }),
    { description: "The first twenty remaining replicas." },
  ),
});

type DrainStatusText = Type.Static<typeof drainStatusSchema>;

/** As many as a person reads; how many there are is in the condition. */
const LISTED = 20;

export function drainStatus(node: Node, objects: ObjectIndex): { drain?: DrainStatusText } {
  if (!node.spec.draining) return {};
  const { stopping, remaining } = whoIsLeft(node, objects);
  const { drain } = node.status;
  const { deadlineMs } = node.spec.drain ?? {};
  return {
    drain: {
      ...(drain === undefined ? {} : { since: rfc3339Millis(drain.sinceMs) }),
      ...(drain === undefined || deadlineMs === undefined
        ? {}
        : { deadline: rfc3339Millis(drain.sinceMs + deadlineMs) }),
      ...(drain?.overMs === undefined ? {} : { over: rfc3339Millis(drain.overMs) }),
      stopping,
      remaining: remaining.slice(0, LISTED).map((replica) => ({
        replica: shortName(replica.key),
        reason: stayText(node, [replica]),
      })),
    },
  };
}

/** In the order of their names. */
function whoIsLeft(
  { meta }: Node,
  objects: ObjectIndex,
): { readonly stopping: number; readonly remaining: readonly Replica[] } {
  const there = [...objects.replicasOn(meta.name).values()];
  const remaining = there
    .filter(({ status }) => status.stopping === undefined)
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return { stopping: there.length - remaining.length, remaining };
}

const hasStopped = ({ spec, status }: Node): boolean =>
  status.drain?.overMs !== undefined && spec.drain?.atDeadline !== "force";

const shortName = (key: ObjectKey): string => {
  const { namespace, name } = parseKey(key);
  return `${namespace}/${name}`;
};

/** Each workload once, the first three by name. */
function stayText(node: Node, remaining: readonly Replica[]): string {
  const workloads = [...new Set(remaining.map(workloadOf))].toSorted();
  const named = workloads.slice(0, 3).map(shortName).join(", ");
  const who = workloads.length > 3 ? `${named} and ${workloads.length - 3} others` : named;
  return hasStopped(node)
    ? `the disruption budget of ${who} did not allow it by the deadline`
    : `until the disruption budget of ${who} allows it`;
}

/** `draining by ada (new disk)`, or `draining` without a holder. */
export function drainText({ drain }: NodeSpec): string {
  if (drain === undefined) return "draining";
  const { holder, reason } = drain;
  return reason === "" ? `draining by ${holder}` : `draining by ${holder} (${reason})`;
}

export function drainCondition(node: Node, objects: ObjectIndex): readonly Condition[] {
  if (!node.spec.draining) return [];
  const { drain, healthSinceMs } = node.status;
  const of = { type: "Drained", sinceMs: drain?.overMs ?? drain?.sinceMs ?? healthSinceMs };
  const { stopping, remaining } = whoIsLeft(node, objects);
  if (stopping + remaining.length === 0) {
    const message = "Nothing is left on the node.";
    return [{ ...of, status: "True", reason: "Empty", message }];
  }
  const left = [
    ...(stopping === 0 ? [] : [`${stopping} being stopped`]),
    ...(remaining.length === 0
      ? []
      : [`${remaining.length} staying: ${stayText(node, remaining)}`]),
  ].join(", ");
  if (hasStopped(node) && remaining.length > 0) {
    const message = `The deadline has passed, and no more replicas are stopped; ${left}.`;
    return [{ ...of, status: "False", reason: "DrainIncomplete", message }];
  }
  return [{ ...of, status: "False", reason: "Draining", message: `${left}${atEnd(node)}.` }];
}

function atEnd({ spec, status }: Node): string {
  const { deadlineMs, atDeadline } = spec.drain ?? {};
  if (status.drain === undefined || deadlineMs === undefined) return "";
  if (status.drain.overMs !== undefined) return "; the deadline has passed";
  const then = atDeadline === "force" ? "all are stopped" : "the remaining replicas stay";
  return `; at ${rfc3339Millis(status.drain.sinceMs + deadlineMs)} ${then}`;
}
