/**
 * A document made ready for questions that are asked at every step of the scrubber: whose turns are
 * these, which message led here, what had each component seen, how did this object look at that
 * revision. Built once in one pass; every question after that is a binary search or a look into a
 * map.
 */
import type {
  Arrow,
  IncidentDocument,
  Shown,
  ShownCommit,
} from "../../../../src/incident/incident-document.ts";

export type Cells = Shown["cells"];

/** How one object looked from which revision on; `cells` undefined: it was gone. */
export interface KeyHistory {
  readonly revisions: readonly number[];
  readonly cells: readonly (Cells | undefined)[];
}

export interface IncidentIndex {
  readonly document: IncidentDocument;
  /** By lane: its turns. */
  readonly laneTurns: readonly Int32Array[];
  /**
   * By lane, beside `laneTurns`: the revision of its view after that turn; UNKNOWN before the first
   * one that says.
   */
  readonly laneRevisions: readonly Int32Array[];
  /** By lane: the turns that left it with another view than it had before. */
  readonly viewTurns: readonly Int32Array[];
  /** Beside `viewTurns`: the revision of that view. */
  readonly viewRevisions: readonly Int32Array[];
  /** By lane: the turns that said what its view holds otherwise than the state at its revision. */
  readonly astrayTurns: readonly Int32Array[];
  readonly arrowsInto: ReadonlyMap<number, readonly Arrow[]>;
  readonly arrowsFrom: ReadonlyMap<number, readonly Arrow[]>;
  readonly commitsOf: ReadonlyMap<number, readonly ShownCommit[]>;
  /** Beside `document.commits`: the turn by which each was true. Never falls. */
  readonly commitTurns: Int32Array;
  readonly commitRevisions: Int32Array;
  /** The revision of `base`. */
  readonly baseRevision: number;
  readonly histories: ReadonlyMap<string, KeyHistory>;
  /** The turns of marks, each once, in order. */
  readonly markTurns: readonly number[];
}

/** Smaller than any revision. */
export const UNKNOWN = -1;

export function indexIncident(document: IncidentDocument): IncidentIndex {
  const { turns, arrows, commits, marks } = document;
  const commitRevisions = Int32Array.from(commits, ({ revision }) => revision);
  const baseRevision = document.baseRevision ?? (commits[0]?.revision ?? 1) - 1;
  const laneTurns = turnsByLane(document);
  const laneRevisions = laneTurns.map((lane) => revisionsAlong(lane, turns));
  const isAstray = (at: number): boolean => turns[at]?.astray !== undefined;
  const views = laneTurns.map((lane, of) =>
    viewsAlong(lane, laneRevisions[of] ?? new Int32Array(), isAstray),
  );
  return {
    document,
    laneTurns,
    laneRevisions,
    viewTurns: views.map(({ turns: at }) => at),
    viewRevisions: views.map(({ revisions }) => revisions),
    astrayTurns: laneTurns.map((lane) => lane.filter(isAstray)),
    arrowsInto: grouped(arrows, ({ to }) => to),
    arrowsFrom: grouped(arrows, ({ from }) => from),
    commitsOf: grouped(commits, ({ turn }) => turn),
    commitTurns: turnsOfCommits(document),
    commitRevisions,
    baseRevision,
    histories: historiesOf(document, baseRevision),
    markTurns: [...new Set(marks.map(({ turn }) => turn))].toSorted((a, b) => a - b),
  };
}

function turnsByLane({ lanes, turns }: IncidentDocument): Int32Array[] {
  const lists = lanes.map((): number[] => []);
  for (const [at, { lane }] of turns.entries()) lists[lane]?.push(at);
  return lists.map((list) => Int32Array.from(list));
}

function revisionsAlong(lane: Int32Array, turns: IncidentDocument["turns"]): Int32Array {
  let revision = UNKNOWN;
  return lane.map((at) => {
    revision = turns[at]?.revision ?? revision;
    return revision;
  });
}

/** The turns that moved a view, or said that it is not what it should be. */
function viewsAlong(
  lane: Int32Array,
  revisions: Int32Array,
  isAstray: (turn: number) => boolean,
): { readonly turns: Int32Array; readonly revisions: Int32Array } {
  const steps = [...lane.keys()].filter((step) => {
    if (revisions[step] === UNKNOWN) return false;
    return revisions[step] !== revisions[step - 1] || isAstray(lane[step] ?? UNKNOWN);
  });
  return {
    turns: Int32Array.from(steps, (step) => lane[step] ?? 0),
    revisions: Int32Array.from(steps, (step) => revisions[step] ?? UNKNOWN),
  };
}

function grouped<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => number | undefined,
): Map<number, Item[]> {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    // JSON has no undefined: what a writer leaves out may come back as null.
    if (key === undefined || key === null) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** A commit whose turn was left out was true by the turn of the next one that has it. */
function turnsOfCommits({ commits, turns }: IncidentDocument): Int32Array {
  const found = new Int32Array(commits.length);
  let next = turns.length - 1;
  for (let at = commits.length - 1; at >= 0; at--) {
    next = Math.min(next, commits[at]?.turn ?? next);
    found[at] = next;
  }
  return found;
}

function historiesOf(
  { base, commits }: IncidentDocument,
  baseRevision: number,
): Map<string, KeyHistory> {
  const found = new Map<string, { revisions: number[]; cells: (Cells | undefined)[] }>();
  const add = (key: string, revision: number, cells: Cells | undefined): void => {
    const history = found.get(key);
    if (history) {
      history.revisions.push(revision);
      history.cells.push(cells);
    } else {
      found.set(key, { revisions: [revision], cells: [cells] });
    }
  };
  for (const { key, cells } of base) add(key, baseRevision, cells);
  for (const { revision, changes } of commits) {
    for (const { key, cells } of changes) add(key, revision, cells ?? undefined);
  }
  return found;
}
