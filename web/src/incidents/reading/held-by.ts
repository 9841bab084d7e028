/**
 * What one component holds of one object after a turn, and what it would hold if its view were the
 * newest. Its view is the state at the revision that it had reached, without what it is never
 * shown, and with what had gone astray in it.
 */
import type { Lane } from "../../../../src/incident/incident-document.ts";
import { type Cells, type IncidentIndex, UNKNOWN } from "./incident-index.ts";
import { lastAtMost } from "./sorted-search.ts";

export interface Held {
  readonly revision: number;
  /** Undefined: it knows of no such object. */
  readonly cells: Cells | undefined;
  /** It is not even what was true at its revision: something was lost on the way. */
  readonly isAstray: boolean;
}

/** Undefined: it has no view, or is shown no objects of this kind. */
export function heldBy(
  index: IncidentIndex,
  { lane, turn, key }: { readonly lane: number; readonly turn: number; readonly key: string },
): Held | undefined {
  const of = index.document.lanes[lane];
  const revision = viewRevision(index, lane, turn);
  if (!of || revision === UNKNOWN || !isShown(of, key)) return undefined;
  const astray = astrayOf(index, lane, turn)?.find((each) => each.key === key);
  if (astray) return { revision, cells: astray.cells ?? undefined, isAstray: true };
  const cells = objectAt(index, key, Math.max(revision, index.baseRevision));
  return { revision, cells: showable(of, key, cells), isAstray: false };
}

/** An agent is shown the replicas of its node and no others: of those it rightly knows nothing. */
export function showable(
  { node }: Pick<Lane, "node">,
  key: string,
  cells: Cells | undefined,
): Cells | undefined {
  const isElsewhere = node !== undefined && kindOf(key) === "Replica" && cells?.["node"] !== node;
  return isElsewhere ? undefined : cells;
}

/** Whether it is shown objects of this kind at all. */
export const isShown = ({ kinds }: Lane, key: string): boolean =>
  kinds?.includes(kindOf(key)) ?? true;

const kindOf = (key: string): string => key.slice(0, key.indexOf("/"));

export function objectAt(index: IncidentIndex, key: string, revision: number): Cells | undefined {
  const history = index.histories.get(key);
  if (!history) return undefined;
  return history.cells[lastAtMost(history.revisions, revision)];
}

/** The revision of a lane's view after a turn; UNKNOWN where it has said none yet. */
export function viewRevision(index: IncidentIndex, lane: number, turn: number): number {
  const at = lastAtMost(index.laneTurns[lane] ?? [], turn);
  return index.laneRevisions[lane]?.[at] ?? UNKNOWN;
}

function astrayOf(index: IncidentIndex, lane: number, turn: number) {
  const turns = index.astrayTurns[lane] ?? new Int32Array();
  return index.document.turns[turns[lastAtMost(turns, turn)] ?? UNKNOWN]?.astray;
}

/** The columns in which a view differs from committed state. */
export function wrongColumns(
  held: Pick<Held, "cells" | "isAstray">,
  truth: Cells | undefined,
): readonly string[] {
  const { cells, isAstray } = held;
  // Sums over other objects are told of the truth only; what has gone astray is told without them.
  const sides = isAstray && cells && truth ? [cells] : [truth, cells];
  return columnsOf(sides).filter((column) => truth?.[column] !== cells?.[column]);
}

/** In the order in which they are first met, which is the order of the kind. */
export function columnsOf(all: readonly (Cells | undefined)[]): string[] {
  return [...new Set(all.flatMap((cells) => Object.keys(cells ?? {})))];
}
