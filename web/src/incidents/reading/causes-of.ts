/**
 * What led to a turn, and what it led to: messages first, then the commit that its view had just
 * learnt of, then what the same component did before in the same turn or about the same object.
 */
import type { Arrow, Turn } from "../../../../src/incident/incident-document.ts";
import { type IncidentIndex, UNKNOWN } from "./incident-index.ts";
import { firstAtLeast, lastAtMost } from "./sorted-search.ts";

export interface Link {
  /** Undefined: the message never arrived. */
  readonly turn: number | undefined;
  readonly by: "message" | "commit" | "same-component";
  /** What was said, or which revision was learnt. */
  readonly what: string;
}

/** More is not read at once; a link leads to the links of that turn. */
const MAX_STEPS = 12;

/** The chain of causes, nearest first. */
export function causesOf(index: IncidentIndex, turn: number): readonly Link[] {
  const chain: Link[] = [];
  const met = new Set([turn]);
  let at = turn;
  while (chain.length < MAX_STEPS) {
    const link = causeOf(index, at);
    if (link?.turn === undefined || met.has(link.turn)) break;
    chain.push(link);
    met.add(link.turn);
    at = link.turn;
  }
  return chain;
}

/**
 * What came of it at once: messages that it sent, who learnt first of what it committed, and its
 * own next step.
 */
export function effectsOf(index: IncidentIndex, turn: number): readonly Link[] {
  const sent = (index.arrowsFrom.get(turn) ?? []).map(({ to, what }): Link => ({
    turn: to ?? undefined,
    by: "message",
    what,
  }));
  const next = neighbourOf(index, turn, 1);
  const all = [...sent, ...readersOf(index, turn), ...(next === undefined ? [] : [next])];
  const met = new Set<number>();
  return all
    .filter((link) => link.turn === undefined || (!met.has(link.turn) && met.add(link.turn)))
    .slice(0, MAX_STEPS);
}

function causeOf(index: IncidentIndex, turn: number): Link | undefined {
  const arrow = latestOf(index.arrowsInto.get(turn) ?? []);
  if (arrow) return { turn: arrow.from, by: "message", what: arrow.what };
  return checkedOf(index, turn) ?? learntOf(index, turn) ?? neighbourOf(index, turn, -1);
}

/**
 * A checker looks at what was committed: what it found about an object came with the newest commit
 * that changed it.
 */
function checkedOf(index: IncidentIndex, turn: number): Link | undefined {
  const { what, key } = index.document.turns[turn] ?? {};
  if (what !== "violate") return undefined;
  const { commitTurns, document } = index;
  for (let at = lastAtMost(commitTurns, turn); at >= 0; at--) {
    const commit = document.commits[at];
    const from = commitTurns[at];
    if (!commit || from === undefined || from >= turn || from < 0) continue;
    if (key === undefined || commit.changes.some((each) => each.key === key)) {
      return { turn: from, by: "commit", what: `revision ${commit.revision}` };
    }
  }
  return undefined;
}

const latestOf = (arrows: readonly Arrow[]): Arrow | undefined =>
  arrows.toSorted((a, b) => b.from - a.from)[0];

/** The commit that moved the component's view in this turn. */
function learntOf(index: IncidentIndex, turn: number): Link | undefined {
  const { document, laneTurns, laneRevisions, commitRevisions, commitTurns } = index;
  const lane = document.turns[turn]?.lane ?? UNKNOWN;
  const at = lastAtMost(laneTurns[lane] ?? [], turn);
  const now = laneRevisions[lane]?.[at] ?? UNKNOWN;
  const before = laneRevisions[lane]?.[at - 1] ?? UNKNOWN;
  if (now <= before || now === UNKNOWN) return undefined;
  const commit = lastAtMost(commitRevisions, now);
  const from = commitTurns[commit];
  if (commitRevisions[commit] !== now || from === undefined || from >= turn || from < 0) {
    return undefined;
  }
  return { turn: from, by: "commit", what: `revision ${now}` };
}

/**
 * The component's own step before or after, when it belongs to the same turn or the same object.
 */
function neighbourOf(index: IncidentIndex, turn: number, step: 1 | -1): Link | undefined {
  const here = index.document.turns[turn];
  if (!here) return undefined;
  const lane = index.laneTurns[here.lane] ?? new Int32Array();
  const other = lane[lastAtMost(lane, turn) + step];
  const there = other === undefined ? undefined : index.document.turns[other];
  if (!there || !belongsTogether(here, there)) return undefined;
  return { turn: other, by: "same-component", what: step < 0 ? "before that" : "then" };
}

const belongsTogether = (a: Turn, b: Turn): boolean =>
  a.turn === b.turn || (a.key !== undefined && a.key === b.key);

/** By lane, the first turn whose view has what was committed here. */
function readersOf(index: IncidentIndex, turn: number): Link[] {
  const revision = index.commitsOf.get(turn)?.at(-1)?.revision;
  if (revision === undefined) return [];
  const links = index.laneTurns.flatMap((turns, lane): Link[] => {
    const from = firstAtLeast(turns, turn + 1);
    const seen = index.laneRevisions[lane]?.subarray(from) ?? new Int32Array();
    const reader = turns[from + seen.findIndex((each) => each >= revision)];
    const before = index.laneRevisions[lane]?.[from - 1] ?? UNKNOWN;
    if (reader === undefined || reader <= turn || before >= revision) return [];
    return [{ turn: reader, by: "commit", what: `learns of revision ${revision}` }];
  });
  return links.toSorted((a, b) => (a.turn ?? 0) - (b.turn ?? 0));
}
