/**
 * One person with roles: it does what the world says at its time, under its own credential, and
 * never again. A request that is lost stays lost, and one that comes late meets other roles than
 * those it was sent under.
 */
import type { ClientEffect, ClientInput, Component } from "../../core/kernel/component.ts";
import { operationId } from "../../core/model/ids.ts";
import type { Actor } from "../../core/model/actor.ts";
import { View } from "../../core/observe/view.ts";
import type { Command } from "../../core/protocol/command.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Turn } from "../../core/protocol/turn.ts";
import { OwesNothing } from "../world/owes-nothing.ts";
import { actorOfPerson, type Person, type PersonAct } from "./person-act.ts";
import { PERSON_SAYS } from "./person-says.ts";

const SEEN = new Set([
  "Node",
  "Tenant",
  "PriorityClass",
  "Policy",
  "PolicyRevision",
  "Role",
  "RoleBinding",
  "ClusterRole",
  "ClusterRoleBinding",
] as const);
const LIST_AGAIN_MS = 5_000;

export class PersonWithRoles extends OwesNothing implements Component<ClientInput, ClientEffect> {
  readonly view = new View({ kinds: SEEN, node: undefined });
  private readonly who: Person;
  private readonly actor: Actor;
  private readonly acts: readonly PersonAct[];
  private readonly startMs: number;
  private next = 0;
  private calls = 0;
  private listDueMs = 0;
  private isListed = false;
  /** The clock of the plane that leads, minus its own. */
  private aheadMs = 0;

  /** `startMs` is when the world began, on the person's own clock. */
  constructor(who: Person, acts: readonly PersonAct[], startMs: number) {
    super();
    this.who = who;
    this.actor = actorOfPerson(who);
    this.acts = acts.filter(({ by }) => by === who).toSorted((a, b) => a.atMs - b.atMs);
    this.startMs = startMs;
  }

  receive(input: ClientInput, turn: Turn): readonly ClientEffect[] {
    switch (input.kind) {
      case "started":
        // Acts that were due before a crash were sent, or are forgotten.
        while (this.dueMs() <= turn.now) this.next += 1;
        return this.ask(turn);
      case "listed":
        this.isListed = true;
        this.view.replace(input.objects, input.revision, input.epoch);
        return this.act(turn);
      case "watch":
        this.readClock(input.commits, turn);
        this.view.follow(input.commits, input.to, input.epoch);
        return [];
      case "reply":
        if (input.reply.kind !== "unavailable" && input.reply.epoch > this.view.epoch) {
          this.view.epoch = input.reply.epoch;
        }
        return [];
      case "timer":
        return this.isListed ? this.act(turn) : this.ask(turn);
    }
  }

  private readClock(commits: readonly Commit[], { now }: Turn): void {
    const last = commits.at(-1);
    if (last !== undefined) this.aheadMs = last.atMs - now;
  }

  private ask(turn: Turn): readonly ClientEffect[] {
    this.listDueMs = turn.now + LIST_AGAIN_MS;
    return [{ kind: "list" }, { kind: "timer", atMs: this.listDueMs }];
  }

  private dueMs(): number {
    const act = this.acts[this.next];
    return act === undefined ? Number.POSITIVE_INFINITY : this.startMs + act.atMs;
  }

  private act(turn: Turn): readonly ClientEffect[] {
    const effects: ClientEffect[] = [];
    while (this.dueMs() <= turn.now) {
      const request = this.requestOf(this.acts[this.next] as PersonAct, turn);
      this.next += 1;
      if (request !== undefined) effects.push(request);
    }
    const dueMs = this.dueMs();
    if (dueMs < Number.POSITIVE_INFINITY) effects.push({ kind: "timer", atMs: dueMs });
    return effects;
  }

  private requestOf({ does, atMs }: PersonAct, turn: Turn): ClientEffect | undefined {
    // Not its place among the acts: another act less leaves this one as it is.
    const subject = `${does}@${atMs}`;
    const intent = PERSON_SAYS[does]({
      who: this.who,
      view: this.view,
      operation: operationId(`person/${this.who}/${subject}`),
      nowMs: turn.now + this.aheadMs,
      pick: (what, from) => from[turn.random(what, subject) % Math.max(1, from.length)],
      draw: (what, count) => turn.random(what, subject) % count,
    });
    if (intent === undefined) return undefined;
    const { epoch, revision: basis } = this.view;
    const command: Command = { intent, epoch, basis, actor: this.actor };
    this.calls += 1;
    return { kind: "request", call: this.calls, request: { kind: "command", command, attempt: 1 } };
  }
}
