/**
 * Writes the document of a stretch of a plane's recording while it is played again: what each
 * component was given, what it concluded and asked for, what was refused, and what became durable.
 * Callers from outside have lanes of their own; what they sent and heard is known from the plane's
 * side only, and stands at the plane's time.
 */
import type { Commit } from "../core/protocol/commit-record.ts";
import type { Reply } from "../core/protocol/outcome.ts";
import type {
  AuthorityEffect,
  AuthorityInput,
  ClientEffect,
  ClientInput,
  Request,
} from "../core/kernel/component.ts";
import type { Revision } from "../core/model/ids.ts";
import type { Interest } from "../core/observe/interest.ts";
import type { ObjectIndex } from "../core/observe/object-index.ts";
import { describeDecision, describeReply } from "../sim/report/trace.ts";
import { pointsOf } from "./points-of.ts";
import { commitText } from "./commit-text.ts";
import { IncidentBuilder, keyIn, shownDecision, type TurnOf } from "./incident-builder.ts";
import type { Lane } from "./incident-document.ts";
import { ShownRows } from "./shown-rows.ts";

export interface TurnPlace {
  readonly turn: number;
  readonly component: string;
  readonly atMs: number;
}

export interface PlaneTurn {
  readonly input: AuthorityInput;
  readonly effects: readonly AuthorityEffect[];
  readonly published: readonly Commit[];
  readonly revision: Revision;
}

export interface ClientTurn {
  readonly input: ClientInput;
  readonly effects: readonly ClientEffect[];
  readonly revision: Revision;
  readonly interest: Interest;
}

export class ChapterScribe {
  readonly builder = new IncidentBuilder();
  readonly rows: ShownRows;
  private readonly epochMs: number;
  /** The name under which the plane is called from outside. */
  private readonly outside: string;
  /** By sender and call: the entry of the request, then that of the answer. */
  private readonly asked = new Map<string, number>();
  private readonly callers = new Map<string, Lane>();
  private readonly answered = new Map<string, number>();
  /** The entry since which the plane shows what it shows. */
  private shown: number | undefined;

  constructor(of: { objects: ObjectIndex; epochMs: number; outside: string }) {
    this.rows = new ShownRows(of.objects);
    this.epochMs = of.epochMs;
    this.outside = of.outside;
  }

  planeTurn(at: TurnPlace, { input, effects, published, revision }: PlaneTurn): void {
    this.given(at, input, revision);
    for (const effect of effects) {
      if (effect.kind === "publish") this.published(at, published, revision);
      else if (effect.kind === "respond") this.respond(at, effect, revision);
      else if (effect.kind === "resigned") {
        const text = "resigned: another holds the log";
        this.builder.mark(this.plane(at, { what: "start", text, revision }), "lead", text);
      }
    }
  }

  clientTurn(at: TurnPlace, { input, effects, revision, interest }: ClientTurn): void {
    const lane: Lane = {
      name: at.component,
      kind: "controller",
      kinds: [...interest.kinds].toSorted(),
    };
    const told = this.told(at, lane, input, revision);
    for (const effect of effects) {
      if (effect.kind === "decision") {
        const { record } = effect;
        const what = { what: "decide", text: describeDecision(record), key: record.key } as const;
        this.add(controller(record.controller), at, { ...what, decision: shownDecision(record) });
      } else if (effect.kind === "request") {
        const { call, request } = effect;
        const sender = senderOf(request) ?? at.component;
        const text = `${nameOf(request)} sent`;
        const entry = this.add(controller(sender), at, { what: "send", text });
        this.asked.set(callOf(at.component, call), entry);
      } else if (effect.kind === "list" && told === undefined) {
        this.add(lane, at, { what: "start", text: "starts, and asks for a list", revision });
      }
    }
  }

  diverged(at: { readonly turn: number; readonly component: string }, text: string): void {
    const { turns } = this.builder;
    let entry = turns.findLastIndex(({ turn }) => turn === at.turn);
    if (entry < 0) {
      const last = turns.at(-1)?.atMs ?? 0;
      const lane = this.builder.lane({ name: at.component, kind: "controller" });
      entry = this.builder.add(lane, { turn: at.turn, atMs: last, what: "other", text });
    }
    this.builder.mark(entry, "divergence", text);
  }

  private given(at: TurnPlace, input: AuthorityInput, revision: Revision): void {
    if (input.kind === "request") return this.requested(at, input, revision);
    const text = givenText(input, revision);
    if (text === undefined) return undefined;
    const leads = input.kind === "claimed" || input.kind === "took-over";
    const what = leads || input.kind === "started" ? "start" : "other";
    const entry = this.plane(at, { what, text, revision });
    if (leads) this.builder.mark(entry, "lead", `${at.component}: ${text}`);
    return undefined;
  }

  private requested(
    at: TurnPlace,
    { from, call, request }: Extract<AuthorityInput, { kind: "request" }>,
    revision: Revision,
  ): void {
    const name = nameOf(request);
    const id = callOf(from, call);
    let sent = this.asked.get(id);
    this.asked.delete(id);
    if (from === this.outside) {
      const caller = callerLane(request);
      this.callers.set(id, caller);
      sent = this.add(caller, at, { what: "send", text: `${name} sent` });
    }
    const by = senderOf(request) ?? from;
    const text = `${name} from ${by} has come`;
    const entry = this.plane(at, { what: "see", text, revision });
    if (sent !== undefined)
      this.builder.arrows.push({ from: sent, to: entry, what: `request ${name}` });
  }

  private respond(
    at: TurnPlace,
    { to, call, reply }: Extract<AuthorityEffect, { kind: "respond" }>,
    revision: Revision,
  ): void {
    const id = callOf(to, call);
    const caller = this.callers.get(id);
    this.callers.delete(id);
    const whom = caller?.name ?? to;
    const text = `answers ${whom}: ${describeReply(reply)}`;
    const entry = this.plane(at, { what: isRejection(reply) ? "refuse" : "send", text, revision });
    if (to !== this.outside) this.answered.set(id, entry);
    else if (caller !== undefined) {
      const heard = this.add(caller, at, { what: "see", text: `hears: ${describeReply(reply)}` });
      this.builder.arrows.push({ from: entry, to: heard, what: "reply" });
    }
  }

  private published(at: TurnPlace, commits: readonly Commit[], revision: Revision): void {
    const rows = this.rows.changedBy(commits);
    for (const [index, commit] of commits.entries()) {
      const { operation, actor } = commit;
      const key = commit.changes[0]?.key;
      const turn = this.plane(at, {
        what: "commit",
        text: commitText(commit),
        revision: index === commits.length - 1 ? revision : commit.revision,
        ...(key === undefined ? {} : { key }),
      });
      this.builder.commits.push({
        revision: commit.revision,
        turn,
        operation,
        actor: actor.name,
        changes: rows[index] ?? [],
      });
      for (const text of pointsOf(commit)) this.builder.mark(turn, "point", text);
      this.shown = turn;
    }
  }

  private told(
    at: TurnPlace,
    lane: Lane,
    input: ClientInput,
    revision: Revision,
  ): number | undefined {
    if (input.kind === "timer" || input.kind === "started") return undefined;
    const what = { what: "see", text: toldText(input), revision } as const;
    const entry = this.add(lane, at, what);
    const from =
      input.kind === "reply" ? this.answered.get(callOf(lane.name, input.call)) : this.shown;
    const message = input.kind === "listed" ? "list" : input.kind;
    if (from !== undefined) this.builder.arrows.push({ from, to: entry, what: message });
    if (input.kind === "reply") this.answered.delete(callOf(lane.name, input.call));
    return entry;
  }

  private plane(at: TurnPlace, turn: Omit<TurnOf, "turn" | "atMs">): number {
    return this.add({ name: at.component, kind: "plane" }, at, turn);
  }

  private add(lane: Lane, { turn, atMs }: TurnPlace, of: Omit<TurnOf, "turn" | "atMs">): number {
    const key = of.key ?? keyIn(of.text);
    return this.builder.add(this.builder.lane(lane), {
      turn,
      atMs: atMs - this.epochMs,
      ...of,
      ...(key === undefined ? {} : { key }),
    });
  }
}

const controller = (name: string): Lane => ({ name, kind: "controller" });

const callOf = (name: string, call: number): string => `${name} ${call}`;

const nameOf = (request: Request): string =>
  request.kind === "lookup" ? `lookup:${request.operation}` : request.command.intent.operation;

const senderOf = (request: Request): string | undefined =>
  request.kind === "command" ? request.command.actor.name : undefined;

function callerLane(request: Request): Lane {
  const actor = request.kind === "lookup" ? request.actor : request.command.actor;
  if (actor === undefined) return { name: "outside", kind: "user" };
  const { role, name } = actor;
  return { name, kind: role === "agent" ? "agent" : "user" };
}

const isRejection = (reply: Reply): boolean =>
  reply.kind === "outcome" &&
  (reply.outcome.kind === "refused" || reply.outcome.kind === "conflict");

function givenText(input: AuthorityInput, revision: Revision): string | undefined {
  switch (input.kind) {
    case "started":
      return "started";
    case "claimed":
      return `claimed the log under epoch ${input.epoch} at revision ${revision}`;
    case "took-over":
      return `leads under epoch ${input.epoch} from revision ${input.end}`;
    case "followed":
      return `follows the log to revision ${revision}`;
    case "lapsed":
      return "its lease on the log may have ended";
    case "stalled":
      return "stood still until now, so every node gets its full time again";
    case "appended":
      // Durable state is told commit by commit.
      return input.result === "durable" ? undefined : `an append was answered ${input.result}`;
    case "request":
      return undefined;
  }
}

function toldText(input: Exclude<ClientInput, { kind: "timer" | "started" }>): string {
  switch (input.kind) {
    case "listed":
      return `was given a list of ${input.objects.length} objects as of revision ${input.revision}`;
    case "watch": {
      const { commits, to } = input;
      if (commits.length === 0) return `nothing that concerns it up to revision ${to}`;
      const operations = commits.map(({ operation }) => operation).join(", ");
      return `saw ${commits.length} ${commits.length === 1 ? "commit" : "commits"} up to revision ${to}: ${operations}`;
    }
    case "reply":
      return `hears: ${describeReply(input.reply)}`;
  }
}
