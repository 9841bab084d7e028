/** What asking for machines relies on (PN1). */
import { WHOLE_DEVICE_MILLIS } from "../../rules/feasibility/devices.ts";
import {
  type NodePoolSpec,
  PACE_NODES_MOST,
  POOL_NODES_MOST,
  POOL_TIME_LEAST_MS,
  POOL_TIME_MOST_MS,
} from "../../model/node/node-pool.ts";
import type { Rejection } from "../../protocol/rejection.ts";
import { type Bad, isCount, malformedAmounts, outside } from "./malformed-amounts.ts";

export function malformedNodePool(spec: NodePoolSpec, bad: Bad): Rejection | undefined {
  const { region, zone, capacity, maxReplicas, provisioner, maxNodes, pools = [] } = spec;
  if (region === "" || zone === "") {
    return bad("spec.region, spec.zone", "names", `${region}/${zone}`);
  }
  if (provisioner === "") return bad("spec.provisioner", "a name", "(none)");
  for (const { class: of, count } of pools) {
    if (of === "") return bad("spec.pools.class", "a name", "(none)");
    if (!isCount(count)) return bad("spec.pools.count", "a whole number, 0 or more", count);
  }
  const millis = pools.reduce((sum, { count }) => sum + count * WHOLE_DEVICE_MILLIS, 0);
  if (capacity.deviceMillis !== millis) {
    return bad("spec.capacity.deviceMillis", `${millis}`, capacity.deviceMillis);
  }
  if (maxReplicas !== undefined && !isCount(maxReplicas)) {
    return bad("spec.maxReplicas", "a whole number, 0 or more", maxReplicas);
  }
  return (
    outside("spec.maxNodes", maxNodes, { least: 0, most: POOL_NODES_MOST }, bad) ??
    malformedTimes(spec, bad) ??
    malformedAmounts(capacity, "spec.capacity", bad)
  );
}

function malformedTimes(spec: NodePoolSpec, bad: Bad): Rejection | undefined {
  const { pace, pendingForMs = 0, readyWithinMs, idleAfterMs } = spec;
  const time = { least: POOL_TIME_LEAST_MS, most: POOL_TIME_MOST_MS };
  const orNone = (field: string, value: number | undefined): Rejection | undefined =>
    value === undefined ? undefined : outside(field, value, time, bad);
  return (
    outside("spec.pace.nodes", pace.nodes, { least: 1, most: PACE_NODES_MOST }, bad) ??
    outside("spec.pace.periodMs", pace.periodMs, time, bad) ??
    outside("spec.pendingForMs", pendingForMs, { ...time, least: 0 }, bad) ??
    orNone("spec.readyWithinMs", readyWithinMs) ??
    orNone("spec.idleAfterMs", idleAfterMs)
  );
}
