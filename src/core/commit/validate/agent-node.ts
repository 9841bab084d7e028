/**
 * The node that an agent registers. An agent writes one object, once: its own node, where none is.
 * What the node is allowed to claim comes with the command from the API, which read it beside the
 * agent's token; the agent itself cannot send a put. Anything that no operator stated leaves the
 * node cordoned until an operator approves it (NR4).
 */
import { nodeKey } from "../../model/ids.ts";
import {
  APPROVAL_HOLDER,
  devicesByClass,
  isReservedLabel,
  type NodeApproval,
  notStated,
} from "../../model/node/node-approval.ts";
import { NODE_LIMITS } from "../../model/limits/node-limits.ts";
import type { AnyObject, Labels, NodeSpec } from "../../model/objects.ts";
import type { IntentOf } from "../../protocol/command.ts";
import type { CommitContext } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

/** What an agent's put may not be; undefined for one that may go on, and for other senders. */
export function agentUnfit(
  { role, actorName }: CommitContext,
  held: AnyObject | undefined,
  intent: IntentOf<"put">,
): Rejection | undefined {
  if (role !== "agent") return undefined;
  const { key, desired, labels, expect } = intent;
  const own = nodeKey(actorName.replace(/^agent:/, ""));
  if (desired.kind !== "Node" || key !== own) return reject("not-owner", key, own, actorName);
  if (held !== undefined && expect.revision !== 0) {
    return reject("not-owner", key, "a node that does not exist yet", "it exists");
  }
  const approved = intent.approved ?? {};
  return (
    notAnAgents(intent, desired.spec) ??
    overCeiling(key, desired.spec, approved) ??
    reserved(key, labels, approved)
  );
}

/**
 * Cordons, drains and finalizers are others' decisions; an agent that wrote one could do so in
 * another's name. Nor does a machine forecast itself: others would wait for it.
 */
function notAnAgents(
  { key, finalizers, owners = [], annotations, conditions, force }: IntentOf<"put">,
  { cordons, draining, drain, supply }: NodeSpec,
): Rejection | undefined {
  const found = [
    ...(cordons.length === 0 ? [] : ["spec.cordons"]),
    ...(draining || drain !== undefined ? ["spec.drain"] : []),
    ...(supply === "soft" ? ["spec.supply"] : []),
    ...(finalizers.length === 0 ? [] : ["metadata.finalizers"]),
    ...(owners.length === 0 ? [] : ["metadata.ownerReferences"]),
    ...(Object.keys(annotations ?? {}).length === 0 ? [] : ["metadata.annotations"]),
    ...((conditions ?? []).length === 0 ? [] : ["status.conditions"]),
    ...(force === true ? ["force"] : []),
  ][0];
  return found === undefined ? undefined : reject("not-owner", `${key} ${found}`, "user", "agent");
}

const most = (stated: number | undefined, limit: number): number =>
  Math.min(stated ?? limit, limit);

function overCeiling(key: string, spec: NodeSpec, approved: NodeApproval): Rejection | undefined {
  const { cpuMillis, memoryMiB } = spec.capacity;
  const over = (field: string, claimed: number, ceiling: number): Rejection | undefined =>
    claimed <= ceiling
      ? undefined
      : reject("capacity-over-ceiling", `${key} ${field}`, `at most ${ceiling}`, claimed);
  const { cpuMillis: cpu, memoryMiB: memory, devices: perNode } = NODE_LIMITS;
  const devices = [...devicesByClass(spec)];
  const all = devices.reduce((sum, [, count]) => sum + count, 0);
  return (
    over("spec.capacity.cpu (millis)", cpuMillis, most(approved.cpuMillis, cpu.value)) ??
    over("spec.capacity.memory (MiB)", memoryMiB, most(approved.memoryMiB, memory.value)) ??
    over("spec.capacity.devices", all, perNode.value) ??
    devices
      .map(([of, count]) =>
        over(`spec.capacity.devices ${of}`, count, most(approved.devices?.[of], perNode.value)),
      )
      .find((wrong) => wrong !== undefined)
  );
}

function reserved(key: string, labels: Labels, approved: NodeApproval): Rejection | undefined {
  const claimed = Object.entries(labels);
  if (claimed.length > NODE_LIMITS.labels.value) {
    const expected = `at most ${NODE_LIMITS.labels.value}`;
    return reject("capacity-over-ceiling", `${key} metadata.labels`, expected, claimed.length);
  }
  const wrong = claimed.find(
    ([name, value]) => isReservedLabel(name) && approved.labels?.[name] !== value,
  );
  if (wrong === undefined) return undefined;
  return reject(
    "label-reserved",
    `${key} metadata.labels`,
    "a label without a reserved prefix",
    wrong[0],
  );
}

/**
 * The node with the cordon that waits for an operator, unless all that its agent claims was stated
 * (NR4).
 */
export function asRegistered({ role }: CommitContext, intent: IntentOf<"put">): IntentOf<"put"> {
  const { desired, labels } = intent;
  if (role !== "agent" || desired.kind !== "Node") return intent;
  const missing = notStated({ spec: desired.spec, labels }, intent.approved ?? {});
  if (missing.length === 0) return intent;
  const reason = `its agent claims values that no operator allowed: ${shortened(missing)}`;
  const cordons = [{ holder: APPROVAL_HOLDER, reason }];
  return { ...intent, desired: { ...desired, spec: { ...desired.spec, cordons } } };
}

/** The reason stands in the node's spec; a node with many labels must not make it long. */
const MOST_NAMED = 5;

function shortened(missing: readonly string[]): string {
  const rest = missing.length - MOST_NAMED;
  const named = missing.slice(0, MOST_NAMED).map((each) => each.slice(0, 100));
  return `${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
