/**
 * Records what a document about a run needs beyond the trace: every turn with its final revision,
 * every commit at the moment it became durable, and which message led from which turn to which. A
 * message is identified by the event that carries it: its cause is the current turn, or the cause
 * of the current event. The run reads nothing from here, so a run with a witness is the same run.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Revision } from "../../core/model/ids.ts";
import type { Interest } from "../../core/observe/interest.ts";
import { type Astray, astrayIn } from "./astray.ts";
import { ClientProcess } from "../hosts/client-process.ts";
import type { ComponentProcess } from "../hosts/component-process.ts";
import type { Message } from "../hosts/message.ts";
import { PastState } from "../hosts/past-state.ts";
import { PlaneProcess } from "../hosts/plane-process.ts";
import type { Sim } from "../sim.ts";
import type { SimEvent } from "../sim-event.ts";
import { describeReply } from "./trace.ts";

interface Noted {
  /** The number of trace lines before it. */
  readonly line: number;
  readonly turn: number;
  readonly atMs: number;
  readonly component: string;
}

export interface TurnNote extends Noted {
  readonly kind: "turn";
  readonly input: string;
  /** The revision of its view afterwards; for a plane, how far it shows the log. */
  readonly revision: Revision;
  readonly hasMoved: boolean;
  /** Its input in words, where the trace has none for it. */
  readonly heard?: string;
  /** The differences between its view and the state at its revision; left out: as before. */
  readonly astray?: readonly Astray[];
}

export interface LandedNote extends Noted {
  readonly kind: "landed";
  readonly commit: Commit;
}

export interface ArrowNote {
  /** Turns by number. */
  readonly from: number;
  readonly to: number | undefined;
  readonly what: string;
  /** The beginning of the trace line about it. */
  readonly about: string | undefined;
}

export interface Witnessed {
  readonly notes: readonly (TurnNote | LandedNote)[];
  readonly arrows: readonly ArrowNote[];
  /** In the order of the cast. */
  readonly planes: readonly string[];
  readonly clients: readonly { readonly name: string; readonly interest: Interest | undefined }[];
}

/** The input that delivers the message of an event to a component. */
const GIVEN_AS: Readonly<Partial<Record<SimEvent["kind"], string>>> = {
  request: "request",
  "passed-on": "request",
  reply: "reply",
  deliver: "watch",
  listed: "listed",
  news: "followed",
};

/** If one of these causes nothing, the message was lost. */
const LOSABLE: ReadonlySet<string> = new Set(["request", "passed-on", "reply", "passed-back"]);

export class Witness {
  private readonly sim: Sim;
  private readonly past: PastState;
  private readonly notes: (TurnNote | LandedNote)[] = [];
  private readonly arrows: ArrowNote[] = [];
  private readonly causes = new WeakMap<SimEvent, number>();
  /** By the name of a component. */
  private readonly lastTurns = new Map<string, number>();
  private readonly revisions = new Map<string, Revision>();
  /** By the name of a plane: the turn since which it shows its current revision. */
  private readonly lastShowings = new Map<string, number>();
  private readonly suspects = new Set<ClientProcess>();
  private readonly believedAstray = new Map<string, string>();
  private event: SimEvent | undefined;
  private inherited: number | undefined;
  private current: number | undefined;
  /** The message at hand was given to its addressee. */
  private hasArrived = false;
  /** The message has caused something else: it was kept or sent on. */
  private isPassedOn = false;

  constructor(sim: Sim) {
    this.sim = sim;
    this.past = new PastState(sim.store.commits);
  }

  /** From now on, events and turns are about this event. */
  begin(event: SimEvent): void {
    this.settle();
    this.event = event;
    this.inherited = this.causes.get(event);
    this.current = undefined;
    this.hasArrived = false;
    this.isPassedOn = false;
  }

  /** It is kept for a paused component, and comes again. */
  hold(): void {
    this.isPassedOn = true;
  }

  sent(event: SimEvent): void {
    // A list shows the plane's state of this moment.
    const cause =
      event.kind === "listed"
        ? this.lastShowings.get(event.client.plane.name)
        : (this.current ?? this.inherited);
    if (cause !== undefined) this.causes.set(event, cause);
    if (this.current === undefined) this.isPassedOn = true;
  }

  /** It never became an event. */
  lost(what: "request" | "reply", message?: Message): void {
    const from = this.current ?? this.inherited;
    if (from === undefined) return;
    this.arrows.push({
      from,
      to: undefined,
      what: message === undefined ? what : nameOf(what, message),
      about: message && aboutOf(message),
    });
  }

  /** Faults hide objects from this client: its view is compared with the state from now on. */
  strays(client: ClientProcess): void {
    this.suspects.add(client);
  }

  took(
    process: ComponentProcess,
    input: string,
    effects: readonly { readonly kind: string }[],
  ): void {
    const { turns: turn } = this.sim;
    const { name } = process;
    const revision = this.revisionOf(process, effects);
    const hasMoved = revision !== this.revisions.get(name);
    this.revisions.set(name, revision);
    this.current = turn;
    this.lastTurns.set(name, turn);
    if (hasMoved) this.lastShowings.set(name, turn);
    const heard = this.receive(process, input, turn);
    const astray =
      process instanceof ClientProcess && this.suspects.has(process)
        ? this.lookAt(process)
        : undefined;
    this.notes.push({
      kind: "turn",
      ...this.place(name),
      input,
      revision,
      hasMoved,
      ...(heard === undefined ? {} : { heard }),
      ...(astray === undefined ? {} : { astray }),
    });
  }

  landed(plane: string, commit: Commit): void {
    this.notes.push({ kind: "landed", ...this.place(plane), commit });
  }

  /**
   * At the end, the clients that were never suspected are compared once, so that the last turn is
   * right in any case.
   */
  tell(): Witnessed {
    this.settle();
    const { everyPlane, everyClient } = this.sim.truth;
    for (const client of everyClient) {
      const astray = client.component && this.lookAt(client);
      const turn = this.lastTurns.get(client.name);
      if (astray === undefined || turn === undefined) continue;
      const at = this.notes.findLastIndex((note) => note.kind === "turn" && note.turn === turn);
      const note = this.notes[at];
      if (note?.kind === "turn") this.notes[at] = { ...note, astray };
    }
    return {
      notes: this.notes,
      arrows: this.arrows,
      planes: everyPlane.map(({ name }) => name),
      clients: everyClient.map(({ name, interest }) => ({ name, interest })),
    };
  }

  private place(component: string): Noted {
    const { trace, turns: turn, nowMs: atMs } = this.sim;
    return { line: trace?.lines.length ?? 0, turn, atMs, component };
  }

  private receive(process: ComponentProcess, input: string, turn: number): string | undefined {
    const { event } = this;
    if (event === undefined || this.hasArrived) return undefined;
    const isAddressee =
      ("client" in event && event.client === process) ||
      ("plane" in event && event.plane === process);
    if (!isAddressee || GIVEN_AS[event.kind] !== input) return undefined;
    this.hasArrived = true;
    const from = this.senderOf(event);
    if (from !== undefined && from !== turn) {
      this.arrows.push({ from, to: turn, what: whatOf(event), about: aboutEvent(event) });
    }
    return heardIn(event);
  }

  /**
   * A plane's host serves a stream when it is due, with everything that the plane shows by then.
   */
  private senderOf(event: SimEvent): number | undefined {
    if (event.kind !== "deliver") return this.inherited;
    return this.lastShowings.get(event.client.plane.name);
  }

  /** A message that caused neither a turn nor another message is recorded as lost. */
  private settle(): void {
    const { event, inherited } = this;
    this.event = undefined;
    const isDone = this.isPassedOn || this.current !== undefined;
    if (event === undefined || inherited === undefined || isDone) return;
    if (!LOSABLE.has(event.kind)) return;
    const about = aboutEvent(event);
    this.arrows.push({ from: inherited, to: undefined, what: whatOf(event), about });
  }

  private revisionOf(
    process: ComponentProcess,
    effects: readonly { readonly kind: string; readonly to?: unknown }[],
  ): Revision {
    if (process instanceof ClientProcess) return process.component?.view.revision ?? 0;
    let shown = process instanceof PlaneProcess ? process.published : 0;
    for (const { kind, to } of effects) {
      if (kind === "publish" && typeof to === "number" && to > shown) shown = to;
    }
    return shown;
  }

  /** The changes in the differences between its view and the state; undefined: none. */
  private lookAt(client: ClientProcess): readonly Astray[] | undefined {
    const { name, component } = client;
    if (component === undefined) return undefined;
    const { view } = component;
    const found = astrayIn(view, this.past.at(view.revision));
    if (found.length === 0 && client.blindness === undefined) this.suspects.delete(client);
    const mark = found.map(({ key, held }) => `${key} ${held?.meta.revision ?? 0}`).join("\n");
    if (mark === (this.believedAstray.get(name) ?? "")) return undefined;
    this.believedAstray.set(name, mark);
    return found;
  }
}

const nameOf = (what: string, { label, attempt }: Message): string =>
  `${what} ${label}${attempt > 1 ? ` (attempt ${attempt})` : ""}`;

/** As `link.ts` begins its lines. */
function aboutOf({ request, attempt }: Message): string {
  const operation =
    request.kind === "lookup" ? `lookup:${request.operation}` : request.command.intent.operation;
  return `${operation} (attempt ${attempt})`;
}

const aboutEvent = (event: SimEvent): string | undefined =>
  "message" in event ? aboutOf(event.message) : undefined;

function whatOf(event: SimEvent): string {
  switch (event.kind) {
    case "request":
    case "passed-on":
      return nameOf("request", event.message);
    case "reply":
      return nameOf("reply", event.message);
    case "passed-back":
      return "reply";
    case "deliver":
      return "watch";
    case "listed":
      return "list";
    default:
      return "log";
  }
}

function heardIn(event: SimEvent): string | undefined {
  switch (event.kind) {
    case "request":
      return `${aboutOf(event.message)} from ${event.message.client.name} has come`;
    case "passed-on":
      return `${aboutOf(event.message)} from ${event.message.client.name} has come by ${event.by.name}`;
    case "reply":
      return `hears: ${aboutOf(event.message)} ${describeReply(event.reply)}`;
    default:
      return undefined;
  }
}
