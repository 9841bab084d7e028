/** The document of a simulated run that had a witness. */
import type { AnyObject } from "../core/model/objects.ts";
import { ObjectIndex } from "../core/observe/object-index.ts";
import { factsOf } from "../sim/report/facts-of.ts";
import type { RunResult, TraceLine } from "../sim/report/run-result.ts";
import type { ArrowNote, LandedNote, TurnNote, Witnessed } from "../sim/report/witness.ts";
import { commitText } from "./commit-text.ts";
import { IncidentBuilder, keyIn, shownDecision } from "./incident-builder.ts";
import type { IncidentDocument, Lane, LaneKind, Shown, Turn } from "./incident-document.ts";
import { lineKind, markOf } from "./line-kind.ts";
import { ShownRows } from "./shown-rows.ts";

export interface OfRun {
  readonly title: string;
  readonly version: string;
  readonly again: string;
  /** What the run began with, as its first commit; left out: with an empty log. */
  readonly base?: readonly AnyObject[];
}

/** Where in the document the entries of one turn are. */
interface Entries {
  readonly first: number;
  readonly all: number[];
}

export function documentOfRun(result: RunResult, { base = [], ...of }: OfRun): IncidentDocument {
  const { witnessed, violation } = result;
  if (witnessed === undefined) throw new Error("the run had no witness");
  const scribe = new RunScribe(witnessed);
  const rows = scribe.begin(base);
  scribe.write(result.trace);
  if (violation !== undefined) {
    const { rule, message, atMs, key } = violation;
    scribe.violated({ text: `${rule} is violated: ${message}`, atMs, key, turn: result.events });
  }
  return scribe.builder.build({
    source: {
      kind: "simulation",
      ...of,
      epochMs: undefined,
      violation: violation && { rule: violation.rule, text: violation.message },
    },
    base: rows,
    baseRevision: base.length === 0 ? 0 : 1,
  });
}

class RunScribe {
  readonly builder = new IncidentBuilder();
  private readonly witnessed: Witnessed;
  private readonly objects = new ObjectIndex();
  private readonly rows = new ShownRows(this.objects);
  private readonly ends: ReadonlySet<number>;
  private readonly revisions = new Map<string, number>();
  private readonly takenBy = new Map<number, string>();
  private readonly byTurn = new Map<number, Entries>();

  constructor(witnessed: Witnessed) {
    this.witnessed = witnessed;
    for (const lane of lanesOf(witnessed)) this.builder.lane(lane);
    this.ends = new Set(witnessed.arrows.flatMap(({ from, to }) => [from, ...(to ? [to] : [])]));
  }

  begin(base: readonly AnyObject[]): readonly Shown[] {
    for (const after of base) this.objects.fold({ key: after.key, before: undefined, after });
    return base.map((object) => this.rows.of(object));
  }

  write(trace: readonly TraceLine[]): void {
    let line = 0;
    for (const note of this.witnessed.notes) {
      for (; line < note.line; line++) this.said(trace[line]);
      if (note.kind === "landed") this.landed(note);
      else this.took(note, trace[line]);
    }
    for (; line < trace.length; line++) this.said(trace[line]);
    for (const arrow of this.witnessed.arrows) this.arrow(arrow);
  }

  violated(of: { text: string; atMs: number; turn: number; key: string | undefined }): void {
    const { text, key, ...at } = of;
    const lane = this.builder.lane({ name: "checker", kind: "checker" });
    const turn = { ...at, what: "violate", text, ...(key === undefined ? {} : { key }) } as const;
    this.builder.mark(this.builder.add(lane, turn), "violation", text);
  }

  private said(line: TraceLine | undefined): void {
    if (line === undefined) return;
    const { turn, atMs, component, text, decision } = line;
    const what = lineKind(line);
    const key = decision?.key ?? keyIn(text);
    const revision = this.revisions.get(component);
    const at = this.add(component, {
      turn,
      atMs,
      what,
      text,
      ...(revision === undefined ? {} : { revision }),
      ...(key === undefined ? {} : { key }),
      ...(decision === undefined ? {} : { decision: shownDecision(decision) }),
    });
    const mark = markOf(line);
    if (mark !== undefined) this.builder.mark(at, mark, `${component}: ${text}`);
  }

  /**
   * A turn has an entry of its own unless the trace has just said what it was given, or will say
   * what it did.
   */
  private took(note: TurnNote, next: TraceLine | undefined): void {
    const { turn, atMs, component, revision, astray } = note;
    this.revisions.set(component, revision);
    this.takenBy.set(turn, component);
    const shown = astray?.map(({ key, held }) => ({
      key,
      cells: held && factsOf(held, undefined),
    }));
    const more = { revision, ...(shown === undefined ? {} : { astray: shown }) };
    const last = this.builder.turns.length - 1;
    const before = this.builder.turns[last];
    if (before?.what === "see" && before.turn === turn - 1 && this.isOf(before, component)) {
      this.builder.turns[last] = { ...before, turn, ...more };
      this.belongs(turn, last, component);
      return;
    }
    const isTold = next?.turn === turn && next.component === component && note.heard === undefined;
    const isEnd = this.ends.has(turn) && !isTold;
    if (!note.hasMoved && !isEnd && shown === undefined) return;
    const text = note.heard ?? textOf(note);
    const what = note.input === "started" ? "start" : SEEN.has(note.input) ? "see" : "other";
    const key = keyIn(text);
    this.add(component, { turn, atMs, what, text, ...more, ...(key === undefined ? {} : { key }) });
  }

  private landed({ turn, atMs, component, commit }: LandedNote): void {
    for (const change of commit.changes) this.objects.fold(change);
    const [changes = []] = this.rows.changedBy([commit]);
    const { revision, operation, actor } = commit;
    const key = commit.changes[0]?.key;
    const at = this.add(component, {
      turn,
      atMs,
      what: "commit",
      text: commitText(commit),
      ...(key === undefined ? {} : { key }),
    });
    this.builder.commits.push({ revision, turn: at, operation, actor: actor.name, changes });
  }

  private arrow({ from, to, what, about }: ArrowNote): void {
    const source = this.entry(from, about, "send");
    const target = to === undefined ? undefined : this.entry(to, about, "see");
    if (source === undefined || (to !== undefined && target === undefined)) return;
    this.builder.arrows.push({ from: source, to: target, what });
  }

  /**
   * Of the entries of a turn: what it was given and what it shows come first, what it sent is named
   * later.
   */
  private entry(turn: number, about: string | undefined, end: "send" | "see"): number | undefined {
    const entries = this.byTurn.get(turn);
    if (entries === undefined || end === "see" || about === undefined) return entries?.first;
    const { turns } = this.builder;
    const named = entries.all.findLast((at) => turns[at]?.text.startsWith(about));
    return named ?? entries.all.at(-1);
  }

  private add(component: string, turn: Omit<Turn, "lane">): number {
    const at = this.builder.add(this.builder.lane(laneOf(component)), turn);
    if (turn.what !== "commit" && turn.what !== "fault") this.belongs(turn.turn, at, component);
    return at;
  }

  /** Others may speak while a turn is the last one; only its own component's words are about it. */
  private belongs(turn: number, at: number, component: string): void {
    if (this.takenBy.get(turn) !== component) return;
    const entries = this.byTurn.get(turn);
    if (entries === undefined) this.byTurn.set(turn, { first: at, all: [at] });
    else entries.all.push(at);
  }

  private isOf({ lane }: Turn, component: string): boolean {
    return this.builder.laneNamed(component) === lane;
  }
}

const SEEN: ReadonlySet<string> = new Set(["watch", "listed", "reply", "request", "followed"]);

function textOf({ input, revision, astray }: TurnNote): string {
  switch (input) {
    case "watch":
      return `nothing that concerns it up to revision ${revision}`;
    case "followed":
      return `follows the log to revision ${revision}`;
    case "appended":
      return `shows the log to revision ${revision}`;
    case "started":
      return "starts";
    case "adopted":
      return "finds what runs on its node";
    case "claimed":
      return `has read the log to revision ${revision}`;
    default:
      return astray === undefined ? input : `${input}: its view is not what it should be`;
  }
}

function lanesOf({ planes, clients }: Witnessed): readonly Lane[] {
  return [
    ...planes.map(laneOf),
    ...clients.map(({ name, interest }) => ({
      ...laneOf(name),
      ...(interest === undefined ? {} : { kinds: [...interest.kinds].toSorted() }),
      ...(interest?.node === undefined ? {} : { node: interest.node }),
    })),
  ];
}

const laneOf = (name: string): Lane => ({ name, kind: kindOf(name) });

function kindOf(name: string): LaneKind {
  if (name.startsWith("plane-")) return "plane";
  if (name.startsWith("agent:")) return "agent";
  if (name === "user") return "user";
  return name === "world" || name === "*" ? "fault" : "controller";
}
