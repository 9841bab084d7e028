/**
 * Sends the attacks of one sender, each at its time, with the credentials of one node or one user.
 * It sees every commit, knows how ids are made, sends anything and expects no answer. It cannot
 * speak as another sender, because the API sets the actor of a command from the caller's
 * credentials.
 */
import type { Command, Intent } from "../../core/protocol/command.ts";
import type { ClientEffect, ClientInput, Component, Request } from "../../core/kernel/component.ts";
import type { SecretsAsk } from "../../core/protocol/secrets-ask.ts";
import type { Turn } from "../../core/protocol/turn.ts";
import type { Actor } from "../../core/model/actor.ts";
import { type OperationId, operationId } from "../../core/model/ids.ts";
import { View } from "../../core/observe/view.ts";
import { OwesNothing } from "../world/owes-nothing.ts";
import { type Attack, type Attacker, ownOf, SPACING_MS, tenantOf } from "./attack.ts";
import type { Draw } from "./draw-spec.ts";
import { AGENT_LIES } from "./agent-attacks.ts";
import { USER_LIES } from "./user-attacks.ts";

export interface Lookup {
  readonly kind: "lookup";
  readonly operation: OperationId;
  readonly secrets?: SecretsAsk;
}
export type Said = Intent | Lookup;

/** The material for one message of an attack. */
export interface Scene {
  /** The node or the tenant of the sender. */
  readonly own: string;
  readonly view: View;
  /** Counts the messages of one attack. */
  readonly at: number;
  /** Unique to this message. */
  readonly operation: OperationId;
  /** Recent operations of others in the log. */
  readonly seen: readonly OperationId[];
  /** Operations that people are about to use. */
  readonly people: readonly OperationId[];
  /** The intents sent before. */
  readonly sent: readonly Intent[];
  /** Whether the attack targets this name. */
  readonly isAimedAt: (text: string) => boolean;
  /** One of them, by chance that depends on this message alone. */
  readonly pick: <T>(what: string, from: readonly T[]) => T | undefined;
  /** A number below `count`, by the same chance. */
  readonly draw: Draw;
}

export type Lie = (scene: Scene) => readonly Said[];

/** An operation that people will use, with its time. */
export interface PeoplesOperation {
  readonly atMs: number;
  readonly operation: OperationId;
}

const KEPT = 64;
const LIST_AGAIN_MS = 5_000;

interface Message {
  readonly atMs: number;
  readonly attack: Attack;
  readonly at: number;
}

export class HostileSender extends OwesNothing implements Component<ClientInput, ClientEffect> {
  readonly view = new View({ kinds: new Set(["Node", "Workload", "Replica"]), node: undefined });
  private readonly by: Attacker;
  private readonly actor: Actor;
  private readonly people: readonly PeoplesOperation[];
  private readonly startMs: number;
  private readonly messages: readonly Message[];
  private readonly seen: OperationId[] = [];
  private readonly sent: Intent[] = [];
  private next = 0;
  private calls = 0;
  private listDueMs = 0;
  private isListed = false;

  /** `startMs` is when the world began, on the sender's own clock. */
  constructor(of: {
    readonly by: Attacker;
    readonly attacks: readonly Attack[];
    readonly people: readonly PeoplesOperation[];
    readonly startMs: number;
  }) {
    super();
    this.by = of.by;
    this.people = of.people;
    this.startMs = of.startMs;
    this.actor = actorOf(of.by);
    this.messages = of.attacks
      .filter(({ by }) => by === of.by)
      .flatMap((attack) =>
        Array.from({ length: attack.times }, (_, at) => ({
          atMs: attack.atMs + at * SPACING_MS,
          attack,
          at,
        })),
      )
      .toSorted((a, b) => a.atMs - b.atMs);
  }

  receive(input: ClientInput, turn: Turn): readonly ClientEffect[] {
    switch (input.kind) {
      case "started":
        // Attacks that were due before a crash were sent, or are forgotten.
        while (this.isDue(turn)) this.next += 1;
        return this.ask(turn);
      case "listed":
        this.isListed = true;
        this.view.replace(input.objects, input.revision, input.epoch);
        return this.act(turn);
      case "watch":
        for (const { operation, actor } of input.commits) {
          if (actor.name !== this.actor.name) keep(this.seen, operation);
        }
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

  private ask(turn: Turn): readonly ClientEffect[] {
    this.listDueMs = turn.now + LIST_AGAIN_MS;
    return [{ kind: "list" }, { kind: "timer", atMs: this.listDueMs }];
  }

  private isDue(turn: Turn): boolean {
    const message = this.messages[this.next];
    return message !== undefined && this.startMs + message.atMs <= turn.now;
  }

  private act(turn: Turn): readonly ClientEffect[] {
    const effects: ClientEffect[] = [];
    while (this.isDue(turn)) {
      const message = this.messages[this.next] as Message;
      this.next += 1;
      for (const said of this.say(message, turn)) effects.push(this.send(said));
    }
    const next = this.messages[this.next];
    if (next !== undefined) effects.push({ kind: "timer", atMs: this.startMs + next.atMs });
    return effects;
  }

  private say({ attack, at, atMs }: Message, turn: Turn): readonly Said[] {
    const own = ownOf(this.by);
    const subject = `${attack.attack}@${attack.atMs}#${at}`;
    const isAimedAt = (text: string): boolean =>
      attack.of === undefined || text.includes(attack.of);
    const lie: Lie =
      attack.by === this.by && isOfUser(attack)
        ? USER_LIES[attack.attack]
        : AGENT_LIES[(attack as Extract<Attack, { by: `agent:${string}` }>).attack];
    return lie({
      own,
      view: this.view,
      at,
      operation: operationId(`hostile/${this.by}/${subject}`),
      seen: this.seen.filter(isAimedAt),
      people: this.people
        .filter((each) => each.atMs >= atMs && isAimedAt(each.operation))
        .map(({ operation }) => operation),
      sent: this.sent,
      isAimedAt,
      pick: (what, from) => from[turn.random(what, subject) % Math.max(1, from.length)],
      draw: (what, count) => turn.random(what, subject) % count,
    });
  }

  private send(said: Said): ClientEffect {
    const call = ++this.calls;
    return { kind: "request", call, request: this.requestOf(said) };
  }

  private requestOf(said: Said): Request {
    if (said.kind === "lookup") return { ...said, actor: this.actor, attempt: 1 };
    keep(this.sent, said);
    const { epoch, revision: basis } = this.view;
    const command: Command = { intent: said, epoch, basis, actor: this.actor };
    return { kind: "command", command, attempt: 1 };
  }
}

const isOfUser = (attack: Attack): attack is Extract<Attack, { by: `user:${string}` }> =>
  tenantOf(attack.by) !== undefined;

/** As the API would set it. */
export const actorOf = (by: Attacker): Actor =>
  tenantOf(by) === undefined ? { role: "agent", name: by } : { role: "user", name: ownOf(by) };

function keep<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > KEPT) list.shift();
}
