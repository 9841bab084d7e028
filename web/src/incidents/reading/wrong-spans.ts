/**
 * From when until when each component believed something else about one object than what was true.
 * Drawn behind the lanes, a late watch is seen at a glance. It is worked out anew for every object
 * that is stepped onto, so it walks along each lane once and compares cells only where the object
 * or the view of it has moved.
 */
import { heldBy, isShown, showable, wrongColumns } from "./held-by.ts";
import type { IncidentIndex, KeyHistory } from "./incident-index.ts";
import { firstAtLeast, lastAtMost } from "./sorted-search.ts";

/** Turns; at `to` it knows, or the document ends. */
export interface WrongSpan {
  readonly from: number;
  readonly to: number;
}

/** By lane, in order and without overlaps. */
export function wrongSpans(index: IncidentIndex, key: string): readonly (readonly WrongSpan[])[] {
  const history = index.histories.get(key) ?? { revisions: [], cells: [] };
  const changes = changeTurns(index, history);
  const isSame = comparison(history);
  return index.document.lanes.map((of, lane) => {
    const views = index.viewTurns[lane] ?? new Int32Array();
    if (views.length === 0 || !isShown(of, key)) return [];
    const hasStrayed = index.astrayTurns[lane]?.length !== 0;
    const isPlain = of.node === undefined && !hasStrayed;
    return spansOf({ index, lane, key, history, changes, views, hasStrayed, isPlain, isSame });
  });
}

interface Walk {
  readonly index: IncidentIndex;
  readonly lane: number;
  readonly key: string;
  readonly history: KeyHistory;
  readonly changes: readonly number[];
  readonly views: Int32Array;
  /** What it holds may change without its revision. */
  readonly hasStrayed: boolean;
  /** What it holds is what was true at its revision, and nothing else. */
  readonly isPlain: boolean;
  readonly isSame: (held: number, truth: number) => boolean;
}

/** Both are places in the history of the object; -1 is before it was there. */
interface Sides {
  readonly truth: number;
  readonly held: number;
}

function spansOf(walk: Walk): WrongSpan[] {
  const { changes, views } = walk;
  const spans: WrongSpan[] = [];
  let from: number | undefined;
  let change = 0;
  let view = 0;
  let last: Sides | undefined;
  while (change < changes.length || view < views.length) {
    const turn = Math.min(changes[change] ?? Infinity, views[view] ?? Infinity);
    while ((changes[change] ?? Infinity) <= turn) change++;
    while ((views[view] ?? Infinity) <= turn) view++;
    if (view === 0) continue;
    const sides = sidesAt(walk, change, view - 1);
    if (!walk.hasStrayed && sides.truth === last?.truth && sides.held === last.held) continue;
    last = sides;
    const isWrong = isWrongAt(walk, turn, sides);
    if (isWrong) from ??= turn;
    if (isWrong || from === undefined) continue;
    spans.push({ from, to: turn });
    from = undefined;
  }
  return from === undefined
    ? spans
    : [...spans, { from, to: walk.index.document.turns.length - 1 }];
}

function sidesAt({ index, lane, history, changes }: Walk, changed: number, view: number): Sides {
  const revision = index.viewRevisions[lane]?.[view] ?? 0;
  return {
    truth: history.revisions.length - changes.length + changed - 1,
    held: lastAtMost(history.revisions, Math.max(revision, index.baseRevision)),
  };
}

function isWrongAt(walk: Walk, turn: number, { truth, held }: Sides): boolean {
  if (walk.isPlain) return !walk.isSame(held, truth);
  const { index, lane, key, history } = walk;
  const holds = heldBy(index, { lane, turn, key });
  const of = index.document.lanes[lane];
  if (!holds || !of) return false;
  return wrongColumns(holds, showable(of, key, history.cells[truth])).length > 0;
}

/** The same two states meet in every lane: each pair is compared once. */
function comparison({ cells }: KeyHistory): (held: number, truth: number) => boolean {
  const known = new Map<number, boolean>();
  return (held, truth) => {
    if (held === truth) return true;
    const pair = (held + 1) * (cells.length + 1) + truth + 1;
    let same = known.get(pair);
    if (same === undefined) {
      same = wrongColumns({ cells: cells[held], isAstray: false }, cells[truth]).length === 0;
      known.set(pair, same);
    }
    return same;
  };
}

/** Beside the end of the history: what was there before the first commit has no turn. */
function changeTurns(index: IncidentIndex, { revisions }: KeyHistory): number[] {
  return revisions.flatMap((revision) => {
    const at = firstAtLeast(index.commitRevisions, revision);
    return index.commitRevisions[at] === revision ? (index.commitTurns[at] ?? []) : [];
  });
}
