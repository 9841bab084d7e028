/** Faults of planes that share a log, as the swarm draws them. */
import { LEASE_MS } from "../../core/commit/plane-standing.ts";
import type { KeyedRandom } from "./keyed-random.ts";
import type { SharedLogFault } from "../hosts/plane-hosting.ts";
import type { ScheduledFault } from "./scheduled-faults.ts";

/** Short ones end within a lease, long ones see another plane lead before they are over. */
const LONGEST_MS = 4 * LEASE_MS;
/** So many of these faults in a hundred hit a plane in place of a client. */
const CRASHED_PLANES = 25;
const CUT_BETWEEN_PLANES = 40;

interface Draw {
  readonly random: KeyedRandom;
  readonly index: number;
  readonly planes: readonly string[];
}

export const SHARED_LOG_FAULTS = [
  "cut-store",
  "pause-plane",
  "restart-plane",
  "stall-follower",
  "compact-log",
] as const satisfies readonly SharedLogFault["fault"][];

export function drawSharedLogFault(
  fault: SharedLogFault["fault"],
  atMs: number,
  { random, index, planes }: Draw,
): SharedLogFault {
  const number = (what: string, min: number, max: number): number =>
    random.between(`${fault} ${what}`, index, min, max);
  const plane = planes[number("plane", 0, planes.length - 1)] ?? "plane-1";
  const forMs = number("length", 200, LONGEST_MS);
  switch (fault) {
    case "compact-log":
      return { fault, atMs, keep: number("keep", 0, 20) };
    case "restart-plane":
      return { fault, plane, atMs, downMs: number("down", 10, 6_000) };
    case "cut-store":
    case "pause-plane":
    case "stall-follower":
      return { fault, plane, atMs, forMs };
  }
}

/** Where several planes run, some of what hits clients elsewhere hits planes. */
export function amongPlanes(
  fault: ScheduledFault,
  { random, index, planes }: Draw,
): ScheduledFault {
  const one = random.between("plane of several", index, 0, planes.length - 1);
  const plane = planes[one] ?? "plane-1";
  if (fault.fault === "crash" && random.chance("plane crashes", index, CRASHED_PLANES)) {
    return { ...fault, component: plane };
  }
  if (fault.fault === "partition" && random.chance("planes parted", index, CUT_BETWEEN_PLANES)) {
    return { ...fault, from: plane, to: planes[(one + 1) % planes.length] ?? plane };
  }
  return fault;
}
