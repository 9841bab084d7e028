/** Node: a machine, what it has and where it is. */
import { WHOLE_DEVICE_MILLIS } from "../rules/feasibility/devices.ts";
import { AT_DEADLINE, DRAIN_DEADLINE_MAX_MS } from "../model/node/drain.ts";
import type { NodeSpec } from "../model/objects.ts";
import type { Rejection } from "../protocol/rejection.ts";
import { type Bad, isCount, malformedAmounts } from "./well-formed/malformed-amounts.ts";
import { leaseKey } from "../model/ids.ts";
import { firstKey, stillInUse } from "./still-in-use.ts";
import type { WrittenDefinition } from "./kind-definition.ts";

export const nodeDefinition: WrittenDefinition<"Node"> = {
  kind: "Node",
  plural: "nodes",
  shortNames: ["no"],
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  applyStep: 80,
  malformed: malformedNode,
  stillUsed: (objects, { key, meta }) =>
    stillInUse(key, firstKey(objects.replicasOn(meta.name).keys())),
  /**
   * A lease means nothing without its node, and would be taken for a later node's of the same name;
   * the same is true of room that is held there. While replicas still hold the node it is all that
   * tells when they are gone.
   */
  dependents: (objects, { meta: { name } }) => {
    const isHeld = objects.replicasOn(name).size > 0;
    const lease = isHeld ? undefined : objects.lease(leaseKey(name));
    return [...(lease ? [lease] : []), ...objects.useOf(name).held.values()];
  },
};

function malformedNode(spec: NodeSpec, bad: Bad): Rejection | undefined {
  const { capacity, pools, region, zone, maxReplicas } = spec;
  if (region === "" || zone === "") {
    return bad("spec.region, spec.zone", "names", `${region}/${zone}`);
  }
  const ids = pools.flatMap((pool) => pool.ids);
  // Use is counted by id, so one id must not mean two devices, not even in two pools.
  if (new Set(ids).size !== ids.length) return bad("spec.pools", "distinct ids", ids.join(","));
  const millis = ids.length * WHOLE_DEVICE_MILLIS;
  if (capacity.deviceMillis !== millis) {
    return bad("spec.capacity.deviceMillis", `${millis}`, capacity.deviceMillis);
  }
  if (maxReplicas !== undefined && !isCount(maxReplicas)) {
    return bad("spec.maxReplicas", "a whole number, 0 or more", maxReplicas);
  }
  return malformedDrain(spec, bad) ?? malformedAmounts(capacity, "spec.capacity", bad);
}

function malformedDrain({ drain }: NodeSpec, bad: Bad): Rejection | undefined {
  if (drain === undefined) return undefined;
  const { holder, deadlineMs, atDeadline } = drain;
  if (holder === "") return bad("spec.drain.holder", "a name", holder);
  if (atDeadline !== undefined && !AT_DEADLINE.includes(atDeadline)) {
    return bad("spec.drain.atDeadline", AT_DEADLINE.join(" or "), atDeadline);
  }
  if (deadlineMs === undefined) return undefined;
  const isGood = isCount(deadlineMs) && deadlineMs >= 1 && deadlineMs <= DRAIN_DEADLINE_MAX_MS;
  return isGood
    ? undefined
    : bad("spec.drain.deadline", `1 to ${DRAIN_DEADLINE_MAX_MS}`, deadlineMs);
}
