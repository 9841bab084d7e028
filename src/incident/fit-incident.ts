/**
 * Makes a document small enough: the turns that matter are kept, and omissions are stated. What
 * matters is where the marks are and what is about the same object; then what is newest. Which
 * objects have rows gives way before turns do, and renewals of leases before anything else.
 */
import type { IncidentDocument, Mark, Shown, ShownCommit, Turn } from "./incident-document.ts";

export interface Fitting {
  readonly maxSize: number;
  /** In whatever unit; it need not be exact, but must not grow when a document gets smaller. */
  readonly sizeOf: (document: IncidentDocument) => number;
  /** What is made too long, for people: "The page". */
  readonly what: string;
}

/** Which objects have rows, from all of them to the fewest. */
type Rows = "all" | "no-leases" | "of-turns" | "of-violation";
const ROWS: readonly Rows[] = ["all", "no-leases", "of-turns", "of-violation"];
/**
 * With so many turns a person sees what led to what; only below them other rows are given up for
 * more.
 */
const ENOUGH_TURNS = 3_000;
/** More than a megabyte ever holds; trying them would only take time. */
const AT_MOST = 60_000;
/** Turns next to a violation or a divergence, before and after it, that tell how it came to it. */
const NEAR = 150;

export function fitIncident(document: IncidentDocument, fitting: Fitting): IncidentDocument {
  if (fitting.sizeOf(document) <= fitting.maxSize) return document;
  const whole = new Whole(document);
  const order = byWeight(document);
  let best: IncidentDocument | undefined;
  for (const rows of ROWS) {
    const kept = mostThatFits(whole, { order, rows, fitting });
    if (kept !== undefined && kept.turns.length > (best?.turns.length ?? 0)) best = kept;
    if ((best?.turns.length ?? 0) >= Math.min(ENOUGH_TURNS, order.length)) break;
  }
  return best ?? cut(whole, { order: order.slice(0, 1), rows: "of-violation", fitting });
}

/** What people open a document for. */
const DECISIVE_MARKS: ReadonlySet<Mark["kind"]> = new Set(["violation", "divergence", "point"]);

interface Choice {
  /** Indexes of turns, what matters most first. */
  readonly order: readonly number[];
  readonly rows: Rows;
  readonly fitting: Fitting;
}

/** What is asked of the whole document at every try. */
class Whole {
  readonly document: IncidentDocument;
  /** How many objects have rows. */
  readonly objects: number;
  /** By replica: the nodes it was on. */
  readonly nodesOf = new Map<string, Set<string>>();
  /** What the violation, or the divergence, is about. */
  readonly decisive: readonly string[];

  constructor(document: IncidentDocument) {
    this.document = document;
    const { base, commits, marks, turns } = document;
    this.objects = countKeys(document);
    for (const row of base) this.note(row.key, row.cells);
    for (const { changes } of commits) for (const { key, cells } of changes) this.note(key, cells);
    this.decisive = marks.flatMap(({ kind, turn }) =>
      DECISIVE_MARKS.has(kind) ? (turns[turn]?.key ?? []) : [],
    );
  }

  private note(key: string, cells: Shown["cells"] | undefined): void {
    const node = cells?.["node"];
    if (typeof node !== "string") return;
    const nodes = this.nodesOf.get(key) ?? new Set();
    this.nodesOf.set(key, nodes.add(`Node//${node}`));
  }
}

/** The first guess: few enough to be packed in no time. */
const FIRST_GUESS = 1_000;
/** Each packs a whole document; after so many the rest is a few turns more or less. */
const TRIES = 6;

/**
 * Packing is what takes time, so each try is where a line through the last two would meet the
 * limit.
 */
function mostThatFits(whole: Whole, choice: Choice): IncidentDocument | undefined {
  const { order, fitting } = choice;
  let kept: IncidentDocument | undefined;
  let low = 0;
  let high = Math.min(order.length, AT_MOST) + 1;
  let last = { count: 0, size: 0 };
  let count = Math.min(FIRST_GUESS, high - 1);
  for (let tries = 0; tries < TRIES && count > low && count < high; tries++) {
    const tried = cut(whole, { ...choice, order: order.slice(0, count) });
    const size = fitting.sizeOf(tried);
    if (size <= fitting.maxSize) {
      kept = tried;
      low = count;
    } else high = count;
    const slope = (size - last.size) / (count - last.count || 1);
    const wanted = slope <= 0 ? 0 : count + Math.floor((fitting.maxSize * AIM - size) / slope);
    last = { count, size };
    const isBetween = wanted > low && wanted < high;
    count = isBetween ? wanted : Math.floor((low + high) / 2);
  }
  return kept;
}

/** A little below the limit: what is just above it would be of no use. */
const AIM = 0.98;

/** All turns, what matters most first. */
function byWeight({ turns, marks, arrows }: IncidentDocument): readonly number[] {
  const decisive = marks.filter(({ kind }) => DECISIVE_MARKS.has(kind));
  const key = decisive.map(({ turn }) => turns[turn]?.key).find((found) => found !== undefined);
  const weights = turns.map((turn) => weightOf(turn, key));
  for (const { turn } of marks) weights[turn] = Math.min(weights[turn] ?? 0, MARKED);
  for (const { turn } of decisive) {
    for (let at = Math.max(0, turn - NEAR); at <= turn + NEAR && at < turns.length; at++) {
      weights[at] = Math.min(weights[at] ?? 0, NEAR_BY);
    }
    weights[turn] = DECISIVE;
  }
  // The other end of a message that is kept: who sent it is as much of the story.
  for (const { from, to } of arrows) {
    if (to === undefined) continue;
    const both = Math.min(weights[from] ?? OTHER, weights[to] ?? OTHER);
    if (both > ABOUT_KEY) continue;
    weights[from] = Math.min(weights[from] ?? OTHER, LINKED);
    weights[to] = Math.min(weights[to] ?? OTHER, LINKED);
  }
  return [...turns.keys()].toSorted((a, b) => (weights[a] ?? 0) - (weights[b] ?? 0) || b - a);
}

const DECISIVE = 0;
const NEAR_BY = 1;
const ABOUT_KEY = 2;
const MARKED = 3;
const LINKED = 4;
const OTHER = 5;
const ROUTINE = 6;

function weightOf({ key, what, text }: Turn, violated: string | undefined): number {
  if (violated !== undefined && (key === violated || text.includes(violated))) return ABOUT_KEY;
  const isRoutine = key?.startsWith("Lease/") === true || text.includes("lease/");
  return isRoutine || what === "other" || text.startsWith("nothing that concerns")
    ? ROUTINE
    : OTHER;
}

function cut(whole: Whole, { order, rows, fitting }: Choice): IncidentDocument {
  const { document } = whole;
  const kept = order.toSorted((a, b) => a - b);
  const at = new Map(kept.map((from, to) => [from, to]));
  const turns = keptTurns(document, at);
  const wanted = wantedKeys(whole, turns, rows);
  const start = startOf(document, turns, kept[0] ?? 0);
  const until = kept.at(-1) ?? 0;
  const { base, commits } = cutLog(document, { start, until, wanted, at, rows });
  const objects = whole.objects - countKeys({ base, commits });
  return {
    ...document,
    turns,
    arrows: document.arrows.flatMap(({ from, to, what }) => {
      const source = at.get(from);
      const target = to === undefined ? undefined : at.get(to);
      if (source === undefined || (to !== undefined && target === undefined)) return [];
      return [{ from: source, to: target, what }];
    }),
    base,
    baseRevision: start,
    commits,
    marks: document.marks.flatMap((mark) => {
      const turn = at.get(mark.turn);
      return turn === undefined ? [] : [{ ...mark, turn }];
    }),
    leftOut: {
      turns: document.turns.length - turns.length + (document.leftOut?.turns ?? 0),
      ...(objects > 0 ? { objects: objects + (document.leftOut?.objects ?? 0) } : {}),
      why: whyOf(document, rows, fitting),
    },
  };
}

/**
 * What somebody holds wrongly since a turn that is left out is said at the next one that is not.
 */
function keptTurns({ turns }: IncidentDocument, at: ReadonlyMap<number, number>): readonly Turn[] {
  const owed = new Map<number, NonNullable<Turn["astray"]>>();
  return turns.flatMap((turn, index) => {
    const { lane } = turn;
    if (turn.astray !== undefined) owed.set(lane, turn.astray);
    if (!at.has(index)) return [];
    const astray = owed.get(lane);
    owed.delete(lane);
    return [astray === undefined ? turn : { ...turn, astray }];
  });
}

function whyOf({ leftOut }: IncidentDocument, rows: Rows, { what }: Fitting): string {
  const turns = `${what} would be too long: kept are the turns at the marks, those about the same object, and the newest.`;
  const objects = {
    all: "",
    "no-leases": " Leases are left out.",
    "of-turns": " Of objects only those are shown that a turn is about.",
    "of-violation":
      " Of objects only the one is shown that the violation is about, with its node and its quota.",
  }[rows];
  return `${leftOut === undefined ? "" : `${leftOut.why} `}${turns}${objects}`;
}

/**
 * Commits up to here are before everything that is kept, and before what anybody there believes.
 */
function startOf(
  { commits, baseRevision = 0 }: IncidentDocument,
  turns: readonly Turn[],
  first: number,
): number {
  const before = commits.findLast(({ turn }) => turn !== undefined && turn < first)?.revision;
  let lowest = before ?? baseRevision;
  // A component that has just started has seen nothing, and is not what the log is kept for.
  for (const { revision = 0 } of turns) if (revision > 0) lowest = Math.min(lowest, revision);
  return Math.max(baseRevision, lowest);
}

function cutLog(
  { base, commits }: IncidentDocument,
  of: {
    readonly start: number;
    readonly until: number;
    readonly rows: Rows;
    readonly wanted: (key: string) => boolean;
    readonly at: ReadonlyMap<number, number>;
  },
): { readonly base: readonly Shown[]; readonly commits: readonly ShownCommit[] } {
  const { start, until, wanted, at } = of;
  const rows = new Map(base.map((row) => [row.key, row]));
  for (const { revision, changes } of commits) {
    if (revision > start) break;
    for (const { key, cells } of changes) {
      if (cells === undefined) rows.delete(key);
      else rows.set(key, { key, cells });
    }
  }
  return {
    base: [...rows.values()].filter(({ key }) => wanted(key)),
    commits: commits
      // What became true after the last turn that is kept, no component can know.
      .filter(({ revision, turn }) => revision > start && (turn === undefined || turn <= until))
      .map(({ turn, changes, ...commit }) => ({
        ...commit,
        turn: turn === undefined ? undefined : at.get(turn),
        changes: changes.filter(({ key }) => wanted(key)),
      }))
      // Where there is room for one object only, there is none for a list of everything else.
      .filter(
        ({ turn, changes }) =>
          of.rows !== "of-violation" || turn !== undefined || changes.length > 0,
      ),
  };
}

function wantedKeys(
  { decisive, nodesOf }: Whole,
  turns: readonly Turn[],
  rows: Rows,
): (key: string) => boolean {
  if (rows === "all") return () => true;
  if (rows === "no-leases") return (key) => !key.startsWith("Lease/");
  const keys = new Set(decisive);
  if (rows === "of-turns") {
    for (const { key } of turns) if (key !== undefined && !key.startsWith("Lease/")) keys.add(key);
  }
  // What they rest on: the nodes they were on, and what their tenants may use.
  // What is added meanwhile rests on nothing.
  for (const key of keys) {
    const [kind, tenant] = key.split("/");
    for (const node of nodesOf.get(key) ?? []) keys.add(node);
    if (kind === "Replica") keys.add(`Quota/${tenant}/default`);
  }
  return (key) => keys.has(key);
}

function countKeys({ base, commits }: Pick<IncidentDocument, "base" | "commits">): number {
  const keys = new Set(base.map(({ key }) => key));
  for (const { changes } of commits) for (const { key } of changes) keys.add(key);
  return keys.size;
}
