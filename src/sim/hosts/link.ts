/**
 * The network between clients and planes. Latencies and faults are keyed by sender, request and
 * attempt, so one message more or less does not change the others.
 */
import type { Reply } from "../../core/protocol/outcome.ts";
import type { ClientEffect, Request } from "../../core/kernel/component.ts";
import type { OperationId } from "../../core/model/ids.ts";
import type { ClientProcess } from "./client-process.ts";
import { between, hashText, keyed } from "../../core/kernel/keyed-hash.ts";
import type { Message } from "./message.ts";
import type { NodeMachine } from "./node-machine.ts";
import type { PlaneProcess } from "./plane-process.ts";
import type { Sim } from "../sim.ts";
import { steadyLabel } from "../faults/steady-label.ts";
import { describeReply } from "../report/trace.ts";
import { PATIENCE_MS, type WatchHost } from "./watch-host.ts";

const REQUEST = hashText("request-latency");
const REPLY = hashText("reply-latency");

/** Keeps renewals whose outcome will never be heard of from piling up. */
const RENEWALS_KEPT = 32;

export class Link {
  private readonly sim: Sim;
  private readonly watch: WatchHost;
  private hostCalls = 0;

  constructor(sim: Sim, watch: WatchHost) {
    this.sim = sim;
    this.watch = watch;
  }

  /** Sends a request; returns how long the sender is down right after it, 0 when it stays up. */
  send(
    client: ClientProcess,
    { call, request }: Extract<ClientEffect, { kind: "request" }>,
  ): number {
    const { sim } = this;
    const operation = operationOf(request);
    const steady = steadyLabel(operation);
    const label = request.kind === "lookup" ? `lookup:${steady}` : steady;
    const message: Message = {
      client,
      incarnation: client.incarnation,
      call,
      request,
      label,
      labelHash: hashText(label),
      attempt: request.attempt,
      isAnswered: false,
    };
    sim.hash.add(message.labelHash ^ message.attempt);
    if (client.isHostile) sim.checks.attacked(client.name, request);
    else sim.checks.requested(client.name, operation, request);
    if (client.machine !== undefined) this.noteRenewal(client.machine, request, operation);
    const waited = client.waitingSinceMs < 0 ? 0 : sim.nowMs - client.waitingSinceMs;
    if (!client.plane.up || waited >= PATIENCE_MS) this.watch.reattach(client);
    if (client.waitingSinceMs < 0) client.waitingSinceMs = sim.nowMs;
    const delay = between(
      keyed(sim.seed, REQUEST, client.nameHash, message.labelHash, message.attempt),
      1,
      10,
    );
    if (sim.injector.mayHitRequest(message, sim.nowMs)) return this.sendUnderFaults(message, delay);
    sim.trace?.say(
      client.name,
      `${nameOf(request)} (attempt ${message.attempt}) sent to ${client.plane.name}`,
    );
    this.dispatch(message, delay);
    return 0;
  }

  private noteRenewal({ renewals }: NodeMachine, request: Request, operation: OperationId): void {
    if (request.kind !== "command" || request.command.intent.kind !== "lease") return;
    if (!renewals.has(operation)) renewals.set(operation, this.sim.nowMs);
    if (renewals.size <= RENEWALS_KEPT) return;
    const oldest = renewals.keys().next().value;
    if (oldest !== undefined) renewals.delete(oldest);
  }

  private sendUnderFaults(message: Message, delay: number): number {
    const { sim } = this;
    const { injector } = sim;
    const { client, request, attempt } = message;
    const say = (what: string): void =>
      sim.trace?.say(
        client.name,
        `${nameOf(request)} (attempt ${attempt}) sent to ${client.plane.name}${what}`,
      );
    if (injector.onMessage("lose-request", message) !== undefined) {
      say("; the request was lost");
      sim.witness?.lost("request", message);
    } else {
      const late = injector.onMessage("delay-request", message);
      say(late === undefined ? "" : `; the request is delayed by ${late.byMs} ms`);
      this.dispatch(message, delay + (late?.byMs ?? 0));
      const twice = injector.onMessage("duplicate-request", message);
      if (twice !== undefined) {
        say(` again ${twice.afterMs} ms later: the request was duplicated`);
        this.dispatch(message, delay + twice.afterMs);
      }
    }
    return injector.onMessage("crash-after", message)?.downMs ?? 0;
  }

  private dispatch(message: Message, delay: number): void {
    const { sim } = this;
    const { client } = message;
    if (sim.partitions.isCut(client, client.plane, sim.nowMs)) {
      sim.trace?.say(
        client.name,
        `${nameOf(message.request)} did not get through: the link to ${client.plane.name} is cut`,
      );
      sim.witness?.lost("request", message);
      return;
    }
    sim.after(delay, { kind: "request", plane: client.plane, message });
  }

  /** A message arrives and gets a call number that no other message has. */
  arrive(plane: PlaneProcess, message: Message): number {
    const call = ++this.hostCalls;
    plane.inHand.set(call, message);
    return call;
  }

  /** The authority has decided, and everything that it rests on is durable. */
  decided(plane: PlaneProcess, call: number, reply: Reply): void {
    const { client, request } = plane.inHand.get(call) ?? {};
    if (client === undefined || request?.kind !== "lookup" || request.secrets === undefined) return;
    this.sim.checks.secretsAnswered(client.name, request.secrets, reply);
  }

  respond(plane: PlaneProcess, call: number, reply: Reply): void {
    const message = plane.inHand.get(call);
    if (message === undefined) return;
    plane.inHand.delete(call);
    const { sim } = this;
    const { client } = message;
    const fate = this.fateOfReply(plane, message);
    if (sim.trace !== undefined) {
      const kind = message.request.kind === "lookup" ? "asked for by" : "from";
      const text = `${nameOf(message.request)} (attempt ${message.attempt}) ${kind} ${client.name} ${describeReply(reply)}`;
      sim.trace.say(plane.name, text + fate.said);
    }
    if (fate.isLost) return sim.witness?.lost("reply", message);
    const draw = keyed(sim.seed, REPLY, client.nameHash, message.labelHash, message.attempt);
    sim.after(between(draw, 1, 10) + fate.delayMs, { kind: "reply", client, message, reply });
  }

  private fateOfReply(plane: PlaneProcess, message: Message): ReplyFate {
    const { sim } = this;
    if (sim.injector.mayHitReply(message, sim.nowMs)) {
      if (sim.injector.onMessage("lose-reply", message) !== undefined) return LOST;
      const late = sim.injector.onMessage("delay-reply", message);
      if (late !== undefined) {
        return {
          isLost: false,
          delayMs: late.byMs,
          said: `; the reply is delayed by ${late.byMs} ms`,
        };
      }
    }
    return sim.partitions.isCut(plane, message.client, sim.nowMs) ? CUT : ON_TIME;
  }

  /** Whether a client still waits for this reply. */
  accept(message: Message, reply: Reply): boolean {
    const { client } = message;
    if (!client.up || client.incarnation !== message.incarnation || message.isAnswered)
      return false;
    message.isAnswered = true;
    client.waitingSinceMs = -1;
    const operation = operationOf(message.request);
    if (client.isHostile) this.sim.checks.attackAnswered(client.name, operation, reply);
    else this.sim.checks.replied(client.name, operation, reply);
    if (reply.kind === "unavailable") this.watch.reattach(client);
    return true;
  }
}

interface ReplyFate {
  readonly isLost: boolean;
  readonly delayMs: number;
  readonly said: string;
}

const ON_TIME: ReplyFate = { isLost: false, delayMs: 0, said: "" };
const LOST: ReplyFate = { isLost: true, delayMs: 0, said: "; the reply was lost" };
const CUT: ReplyFate = {
  isLost: true,
  delayMs: 0,
  said: "; the reply did not get through: the link is cut",
};

const operationOf = (request: Request): OperationId =>
  request.kind === "lookup" ? request.operation : request.command.intent.operation;

/** In full, for people. */
const nameOf = (request: Request): string =>
  request.kind === "lookup" ? `lookup:${operationOf(request)}` : operationOf(request);
