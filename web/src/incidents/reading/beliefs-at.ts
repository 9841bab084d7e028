/** What every component believed about one object when a turn was over, beside what was true. */
import { columnsOf, heldBy, objectAt, showable, wrongColumns } from "./held-by.ts";
import type { Cells, IncidentIndex } from "./incident-index.ts";
import { lastAtMost } from "./sorted-search.ts";

export interface Belief {
  /** Index in the document's lanes. */
  readonly lane: number;
  readonly revision: number;
  /** Commits that it had not seen; 0: its view was the newest. */
  readonly behind: number;
  /** Since the first commit that it had not seen. */
  readonly behindMs: number;
  /** Undefined: it knew of no such object. */
  readonly cells: Cells | undefined;
  /** Columns in which it differs from what it should know. */
  readonly wrong: readonly string[];
  /** It is not even what was true at its revision. */
  readonly isAstray: boolean;
  /**
   * Its view is older than anything in the document, so its cells are only the oldest known ones.
   */
  readonly isBeforeBase: boolean;
}

export interface Beliefs {
  readonly key: string;
  readonly revision: number;
  readonly truth: Cells | undefined;
  readonly columns: readonly string[];
  readonly believed: readonly Belief[];
}

export function truthRevision(index: IncidentIndex, turn: number): number {
  const at = lastAtMost(index.commitTurns, turn);
  return index.commitRevisions[at] ?? index.baseRevision;
}

export function beliefsAt(index: IncidentIndex, turn: number, key: string): Beliefs {
  const revision = truthRevision(index, turn);
  const truth = objectAt(index, key, revision);
  const believed = index.document.lanes.flatMap((of, lane) => {
    const held = heldBy(index, { lane, turn, key });
    const due = showable(of, key, truth);
    // An agent that neither holds the object nor should has nothing to say about it.
    if (!held || (of.node !== undefined && !held.cells && !due)) return [];
    const wrong = wrongColumns(held, due);
    const isBeforeBase = held.revision < index.baseRevision;
    return [
      {
        lane,
        ...held,
        ...lagOf(index, { turn, revision, seen: held.revision }),
        wrong,
        isBeforeBase,
      },
    ];
  });
  return {
    key,
    revision,
    truth,
    columns: columnsOf([truth, ...believed.map(({ cells }) => cells)]),
    believed,
  };
}

function lagOf(
  index: IncidentIndex,
  of: { readonly turn: number; readonly revision: number; readonly seen: number },
): Pick<Belief, "behind" | "behindMs"> {
  const { commitRevisions, commitTurns, document } = index;
  const firstUnseen = lastAtMost(commitRevisions, of.seen) + 1;
  const behind = Math.max(0, lastAtMost(commitRevisions, of.revision) + 1 - firstUnseen);
  if (behind === 0) return { behind, behindMs: 0 };
  const then = document.turns[commitTurns[firstUnseen] ?? of.turn]?.atMs ?? 0;
  return { behind, behindMs: Math.max(0, (document.turns[of.turn]?.atMs ?? 0) - then) };
}
