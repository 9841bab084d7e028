/**
 * Which lanes are drawn, from top to bottom: one row a lane, or one row for all lanes of a kind
 * that is folded.
 */
import type { Lane, LaneKind } from "../../../../src/incident/incident-document.ts";

export interface LaneRow {
  readonly label: string;
  readonly kind: LaneKind;
  /** Indexes of lanes; several when they are folded. */
  readonly lanes: readonly number[];
  readonly isFolded: boolean;
}

export interface LaneChoice {
  readonly hidden: ReadonlySet<LaneKind>;
  readonly folded: ReadonlySet<LaneKind>;
  /** Leave out lanes with no turn among those that are shown. */
  readonly hidesIdle: boolean;
}

/** The order of the document's lanes is kept; this is the order of the kinds in menus. */
export const LANE_KINDS: readonly LaneKind[] = [
  "plane",
  "controller",
  "agent",
  "user",
  "fault",
  "checker",
];

/** Of several; of one the kind itself is the name. */
export const KIND_NAMES: Readonly<Record<LaneKind, string>> = {
  plane: "planes",
  controller: "controllers",
  agent: "agents",
  user: "users",
  fault: "faults",
  checker: "checkers",
};

export function laneRows(
  lanes: readonly Lane[],
  choice: LaneChoice,
  isBusy: (lane: number) => boolean,
): readonly LaneRow[] {
  const rows: LaneRow[] = [];
  const folded = new Map<LaneKind, number[]>();
  for (const [lane, { name, kind }] of lanes.entries()) {
    if (choice.hidden.has(kind) || (choice.hidesIdle && !isBusy(lane))) continue;
    if (!choice.folded.has(kind)) {
      rows.push({ label: name, kind, lanes: [lane], isFolded: false });
      continue;
    }
    const group = folded.get(kind);
    if (group) {
      group.push(lane);
      continue;
    }
    const members = [lane];
    folded.set(kind, members);
    rows.push({ label: KIND_NAMES[kind], kind, lanes: members, isFolded: true });
  }
  return rows;
}

/** By lane, the row it is drawn in; -1: it is not drawn. */
export function rowsByLane(rows: readonly LaneRow[], laneCount: number): Int32Array {
  const byLane = new Int32Array(laneCount).fill(-1);
  for (const [row, { lanes }] of rows.entries()) for (const lane of lanes) byLane[lane] = row;
  return byLane;
}
