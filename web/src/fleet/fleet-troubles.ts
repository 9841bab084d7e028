/**
 * What is wrong with the fleet, the worst first: nodes that died or are silent, and nodes that
 * people hold back.
 */
import type { ViewRow } from "../live/view-message.ts";
import { type FleetRow, healthOf, heldBackBy, isSoft, readFleetRow } from "./fleet-row.ts";

export const TROUBLES = ["fenced", "unknown", "suspect", "draining", "cordoned", "held"] as const;
export type Trouble = (typeof TROUBLES)[number];

export interface TroubleGroup {
  readonly trouble: Trouble;
  /** The newest first, and no more than are told one by one. */
  readonly newest: readonly FleetRow[];
  readonly count: number;
}

/** More than these of one kind are told by their number, with a way to see them all. */
export const TOLD = 3;

export function troublesOf(rows: Iterable<ViewRow>): readonly TroubleGroup[] {
  const groups = new Map<Trouble, FleetRow[]>();
  for (const each of rows) {
    const row = readFleetRow(each);
    if (row[3] === "ready" || isSoft(row)) continue;
    const trouble = troubleOf(row);
    if (trouble === undefined) continue;
    const group = groups.get(trouble);
    if (group === undefined) groups.set(trouble, [row]);
    else group.push(row);
  }
  return TROUBLES.flatMap((trouble) => {
    const group = groups.get(trouble);
    if (group === undefined) return [];
    const newest = group.toSorted((a, b) => b[4] - a[4] || (a[0] < b[0] ? -1 : 1)).slice(0, TOLD);
    return [{ trouble, newest, count: group.length }];
  });
}

/** A node is told once, for the worst that it has. */
function troubleOf(row: FleetRow): Trouble | undefined {
  const health = healthOf(row);
  if (health !== "ready") return health;
  const why = heldBackBy(row);
  if (why.includes("draining")) return "draining";
  if (why.includes("cordoned")) return "cordoned";
  return why.length > 0 ? "held" : undefined;
}
