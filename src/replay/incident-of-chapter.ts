/**
 * The incident document of one chapter of a recording, or of a stretch of it. The chapter is played
 * from its beginning, because nothing else leads to the state of its components; only the stretch
 * is written down.
 */
import type { Revision } from "../core/model/ids.ts";
import { OutsideCalls } from "../host/outside-calls.ts";
import type { Entry } from "../host/recording/entry.ts";
import { ChapterBase } from "../incident/chapter-base.ts";
import { ChapterScribe } from "../incident/chapter-scribe.ts";
import type { IncidentDocument } from "../incident/incident-document.ts";
import { firstDifference } from "./compare-effects.ts";
import { RecordingUnreadable } from "./recording-unreadable.ts";
import {
  chaptersIn,
  type Divergence,
  type OpenChapter,
  openChapter,
  playChapter,
  readEntry,
  type ReplayReport,
} from "./replay-recording.ts";
import type { Played } from "./stage.ts";

export interface ChapterStretch {
  /** Turns by number; left out: from the first, to the last. */
  readonly fromTurn?: number | undefined;
  readonly untilTurn?: number | undefined;
  /** The turns before and after the one in which this revision was shown. */
  readonly around?: Revision | undefined;
  /** How many turns at most; left out: all of them. Of a stretch that is longer, the newest. */
  readonly turns?: number | undefined;
}

export interface OfChapter extends ChapterStretch {
  readonly folder: string;
  /** By its number; left out: the newest. */
  readonly chapter?: number | undefined;
  readonly version: string;
  readonly again: string;
}

export interface ChapterIncident {
  readonly document: IncidentDocument;
  readonly report: ReplayReport;
}

export function incidentOfChapter(of: OfChapter): ChapterIncident {
  const { folder } = of;
  const name = chapterNamed(folder, of.chapter);
  const open = openChapter(folder, name);
  const wanted = stretchOf(open, of);
  const first = write(open, wanted, of);
  const { diverged, turns } = first.report;
  if (!diverged || turns >= wanted.from) return first;
  // It went another way before the stretch began: the requested stretch does not exist, for this
  // reason.
  const from = Math.max(1, turns - (of.turns ?? wanted.until - wanted.from));
  return write(openChapter(folder, name), { from, until: turns }, of);
}

/** Which file the chapter of this number is. */
export function chapterNamed(folder: string, number: number | undefined): string {
  const chapters = chaptersIn(folder);
  const name =
    number === undefined ? chapters.at(-1) : chapters.find((each) => numberOf(each) === number);
  if (name !== undefined) return name;
  const there = chapters.map(numberOf).join(", ");
  throw new RecordingUnreadable(
    `Cannot replay chapter ${number}: the recording has the chapters ${there}. Choose one of them.`,
  );
}

const numberOf = (name: string): number => Number(/\d+/.exec(name)?.[0] ?? 0);

interface Stretch {
  readonly from: number;
  readonly until: number;
}

function write(open: OpenChapter, { from, until }: Stretch, of: OfChapter): ChapterIncident {
  const { log } = open.stage;
  const epochMs = entryAt(open, from)?.[1] ?? 0;
  const { objects } = log;
  const scribe = new ChapterScribe({ objects, epochMs, outside: OutsideCalls.SENDER });
  const base = new ChapterBase(objects, scribe.rows);
  const report = playChapter(open, {
    untilTurn: until,
    before: (turn) => {
      if (turn === from) base.take(log.revision);
    },
    after: (at, played) => {
      if (at.turn < from) return;
      // What a claim has read was there before everything that is told.
      const snapshot = snapshotIn(played);
      if (snapshot !== undefined && scribe.builder.commits.length === 0) base.takeOver(snapshot);
      if (played.by === "plane") scribe.planeTurn(at, played);
      else scribe.clientTurn(at, played);
    },
  });
  const { firstDivergence: found } = report;
  if (found !== null && report.turns >= from) {
    scribe.diverged(found, `Diverged: ${differenceIn(found)}.`);
  }
  return { document: documentOf({ open, scribe, base, of, epochMs, from, report }), report };
}

/** The first field that differs, where the turn could be played. */
function differenceIn({ effects, expected, got }: Divergence): string {
  const first = firstDifference(effects);
  if (first === undefined) return `expected ${expected}, got ${got}`;
  return `${first.field}: expected ${first.expected}, got ${first.got}`;
}

function documentOf(on: {
  readonly open: OpenChapter;
  readonly scribe: ChapterScribe;
  readonly base: ChapterBase;
  readonly of: OfChapter;
  readonly epochMs: number;
  readonly from: number;
  readonly report: ReplayReport;
}): IncidentDocument {
  const { open, scribe, base, of, from, report } = on;
  const { rows, leftOut: objects } = base.rowsFor(scribe.builder);
  const document = scribe.builder.build({
    source: {
      kind: "recording",
      title: `plane ${open.start.plane}, chapter ${numberOf(open.name)}`,
      version: of.version,
      again: of.again,
      epochMs: on.epochMs,
      violation: undefined,
    },
    base: rows,
    baseRevision: base.revision,
  });
  const turns = from - 1 + Math.max(0, countOf(open) - report.turns);
  if (turns === 0 && objects === 0) return document;
  const stretch = `These are the turns ${from} to ${report.turns} of ${countOf(open)}.`;
  const few = objects === 0 ? "" : " Of objects only those are shown that something here is about.";
  return {
    ...document,
    leftOut: { turns, ...(objects > 0 ? { objects } : {}), why: `${stretch}${few}` },
  };
}

function snapshotIn(played: Played): Parameters<ChapterBase["takeOver"]>[0] | undefined {
  if (played.by !== "plane") return undefined;
  const { input } = played;
  return input.kind === "claimed" || input.kind === "followed" ? input.snapshot : undefined;
}

const entryAt = ({ lines }: OpenChapter, turn: number): Entry | undefined =>
  readEntry(lines[turn - 1] ?? "");

/** Half a line at the end is none. */
function countOf({ lines }: OpenChapter): number {
  return lines.findLastIndex((line) => line.endsWith("]")) + 1;
}

function stretchOf(open: OpenChapter, of: ChapterStretch): Stretch {
  const count = countOf(open);
  if (of.around !== undefined) {
    const middle = turnOf(open, of.around);
    const half = Math.ceil((of.turns ?? AROUND) / 2);
    return { from: Math.max(1, middle - half), until: Math.min(count, middle + half) };
  }
  const until = Math.min(count, of.untilTurn ?? count);
  const from = Math.max(1, of.fromTurn ?? 1, of.turns === undefined ? 1 : until - of.turns + 1);
  if (from <= until) return { from, until };
  throw new RecordingUnreadable(
    `Cannot show the turns ${from} to ${until} of ${open.name}: it has the turns 1 to ${count}.`,
  );
}

/** Both sides of a moment: some seconds of a busy plane. */
const AROUND = 2_000;

/** The turn in which controllers were first shown the revision. They are shown everything. */
function turnOf(open: OpenChapter, revision: Revision): number {
  let first: number | undefined;
  let last: number | undefined;
  for (const [index, line] of open.lines.entries()) {
    if (!line.includes('"kind":"watch"') && !line.includes('"kind":"listed"')) continue;
    const input = readEntry(line)?.[2];
    const to =
      input?.kind === "watch" ? input.to : input?.kind === "listed" ? input.revision : undefined;
    if (to === undefined) continue;
    first ??= to;
    last = to;
    if (to >= revision && revision >= first) return index + 1;
  }
  const range =
    first === undefined ? "shows no revision" : `shows the revisions ${first} to ${last}`;
  throw new RecordingUnreadable(`Cannot find revision ${revision}: ${open.name} ${range}.`);
}
