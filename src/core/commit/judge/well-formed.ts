/**
 * The shape the other rules rely on (OB5). The API checks its own schema with better messages; the
 * authority trusts nobody, because a negative amount would make capacity out of nothing.
 */
import type { Amounts } from "../../model/amounts.ts";
import { parseKey, quotaKey } from "../../model/ids.ts";
import type { Desired, IntentOf } from "../command.ts";
import { no, type No } from "../verdict.ts";

export function malformed(intent: IntentOf<"put">): No | undefined {
  const { kind, namespace, name } = parseKey(intent.key);
  const bad = (field: string, expected: string, actual: string | number): No =>
    no("bad-object", `${intent.key} ${field}`, expected, actual);
  if (kind !== intent.desired.kind) return bad("kind", intent.desired.kind, kind);
  // Names become parts of keys and of operation ids, which are joined with slashes.
  if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name)) {
    return bad("name", "lower-case letters, digits, '-' and '.'", name);
  }
  const tenantOwned = kind === "Workload" || kind === "Quota";
  if (tenantOwned === (namespace === "")) {
    return bad("namespace", tenantOwned ? "a tenant" : "none", namespace || "(none)");
  }
  if (kind === "Quota" && intent.key !== quotaKey(namespace)) return bad("name", "default", name);
  return malformedSpec(intent.desired, bad);
}

type Bad = (field: string, expected: string, actual: string | number) => No;

function malformedSpec(desired: Desired, bad: Bad): No | undefined {
  switch (desired.kind) {
    case "Node": {
      const { capacity, deviceIds, region, zone } = desired.spec;
      if (region === "" || zone === "")
        return bad("spec.region, spec.zone", "names", `${region}/${zone}`);
      if (new Set(deviceIds).size !== deviceIds.length) {
        return bad("spec.deviceIds", "distinct ids", deviceIds.join(","));
      }
      if (capacity.devices !== deviceIds.length) {
        return bad("spec.capacity.devices", `${deviceIds.length}`, capacity.devices);
      }
      return malformedAmounts(capacity, "spec.capacity", bad);
    }
    case "Quota":
      return malformedAmounts(desired.spec.limit, "spec.limit", bad);
    case "Workload": {
      const { replicas, template } = desired.spec;
      if (!isCount(replicas)) return bad("spec.replicas", "a whole number, 0 or more", replicas);
      const skew = template.spread.find(({ maxSkew }) => !isCount(maxSkew) || maxSkew === 0);
      if (skew !== undefined)
        return bad("spec.spread.maxSkew", "a whole number, 1 or more", skew.maxSkew);
      return malformedAmounts(template.ask.amounts, "spec.resources", bad);
    }
    default:
      return undefined;
  }
}

function malformedAmounts(amounts: Amounts, field: string, bad: Bad): No | undefined {
  for (const name of ["cpuMillis", "memoryMiB", "devices"] as const) {
    if (!isCount(amounts[name]))
      return bad(`${field}.${name}`, "a whole number, 0 or more", amounts[name]);
  }
  return undefined;
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
