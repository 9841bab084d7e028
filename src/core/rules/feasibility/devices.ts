/**
 * Devices are chosen by id. A whole-device ask takes units of which nothing is taken; a share fits
 * on one single unit that has as much left (BD5, BD9).
 */
import type { Ask, DeviceAsk } from "../../model/objects.ts";
import { NODES_FACT } from "../../observe/facts.ts";
import type { NodeUse } from "../../observe/usage.ts";
import { matchesPool } from "./matches-pool.ts";
import type { Candidate, FeasibilityRule, Misfit, RulePart } from "./misfit.ts";

/** One whole device. */
export const WHOLE_DEVICE_MILLIS = 1000;

export const devices: FeasibilityRule = {
  name: "devices",
  wakes: [NODES_FACT],
  check(candidate: Candidate, ask: Ask): Misfit | undefined {
    const { device } = ask;
    if (device === undefined) return undefined;
    const free = freeDevices(candidate, device).length;
    if (free >= device.count) return undefined;
    return misfit(candidate, `${device.count} free ${deviceAskText(device)}`, `${free}`);
  },
  parts(candidate: Candidate, ask: Ask): Iterable<RulePart> {
    const { node } = candidate;
    const { device } = ask;
    if (device === undefined) return [];
    const there = node.spec.pools
      .filter((pool) => matchesPool(pool, device))
      .reduce((sum, pool) => sum + pool.ids.length, 0);
    const count = device.count - freeDevices(candidate, device).length;
    const remedy = { kind: "free-devices", node: node.meta.name, count } as const;
    return [there >= device.count ? { remedy } : {}];
  },
};

/** e.g. "gpu", "gpu A100|V100", "gpu with 500m left" */
export function deviceAskText(device: DeviceAsk): string {
  const model = device.models.length === 0 ? "" : ` ${device.models.join("|")}`;
  const share =
    device.shareMillis === WHOLE_DEVICE_MILLIS ? "" : ` with ${device.shareMillis}m left`;
  return `${device.class}${model}${share}`;
}

/** Whole asks exclude shares by themselves: they need a unit of which all 1000 are left. */
const hasRoom = (use: NodeUse, id: string, device: DeviceAsk): boolean =>
  (use.devices.get(id)?.usedMillis ?? 0) + device.shareMillis <= WHOLE_DEVICE_MILLIS;

/**
 * The units that could be given to this ask, in the node's own order so that everyone picks alike.
 */
function freeDevices({ node, use }: Candidate, device: DeviceAsk): readonly string[] {
  const free: string[] = [];
  for (const pool of node.spec.pools) {
    if (!matchesPool(pool, device)) continue;
    for (const id of pool.ids) if (hasRoom(use, id, device)) free.push(id);
  }
  return free;
}

/**
 * The first free units; for a share the fullest unit that still has room, so that whole ones stay
 * whole.
 */
export function chooseDevices(candidate: Candidate, ask: Ask): readonly string[] {
  const { device } = ask;
  if (device === undefined) return [];
  const free = freeDevices(candidate, device);
  if (device.shareMillis === WHOLE_DEVICE_MILLIS) return free.slice(0, device.count);
  const { devices: units } = candidate.use;
  const used = (id: string): number => units.get(id)?.usedMillis ?? 0;
  // Sorting is stable, so units that are equally full stay in the node's order.
  return free.toSorted((a, b) => used(b) - used(a)).slice(0, 1);
}

/**
 * Whether exactly these units may be given to this ask; the authority checks what the proposer
 * picked.
 */
export function checkChosenDevices(
  candidate: Candidate,
  ask: Ask,
  chosen: readonly string[],
): Misfit | undefined {
  const { device } = ask;
  const count = device?.count ?? 0;
  if (chosen.length !== count || new Set(chosen).size !== count) {
    return misfit(candidate, `${count} distinct units`, chosen.join(",") || "none");
  }
  const free = device === undefined ? [] : freeDevices(candidate, device);
  const taken = chosen.find((id) => !free.includes(id));
  return taken === undefined ? undefined : misfit(candidate, `${taken} free`, "taken or missing");
}

const misfit = (candidate: Candidate, expected: string, actual: string): Misfit => ({
  code: "device-taken",
  node: candidate.node.key,
  what: "devices",
  expected,
  actual,
});
