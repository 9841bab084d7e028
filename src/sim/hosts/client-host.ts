/**
 * Runs controllers, agents and the user: gives them their inputs, carries out their effects, keeps
 * their one timer, and discards their state when they crash.
 */
import type { AgentEffect, AgentInput } from "../../core/kernel/component.ts";
import type { ClientProcess } from "./client-process.ts";
import type { Link } from "./link.ts";
import type { MachineProcess } from "./machine-process.ts";
import type { Message } from "./message.ts";
import type { NodeMachine } from "./node-machine.ts";
import { RestingAgents } from "./resting-agents.ts";
import type { Sim } from "../sim.ts";
import type { ClientEvent } from "../sim-event.ts";
import { takeTurn } from "../take-turn.ts";
import { describeDecision } from "../report/trace.ts";
import type { WatchHost } from "./watch-host.ts";

/** Effects of agents alone, on the machine under them. */
export type MachineEffect = Extract<
  AgentEffect,
  { readonly kind: "start-process" | "probe-process" | "stop-process" | "leash" | "remember" }
>;

export interface Machines {
  carryOut(machine: NodeMachine, effect: MachineEffect): void;
  adopted(machine: NodeMachine): Extract<AgentInput, { kind: "adopted" }>;
  queueLeash(machine: NodeMachine): void;
  probeDelayMs(process: MachineProcess): number;
}

export class ClientHost {
  private readonly sim: Sim;
  private readonly watch: WatchHost;
  private readonly link: Link;
  private readonly machines: Machines;
  /** Left out: every agent takes each of its turns when it is due. */
  private rests: RestingAgents | undefined;

  constructor(of: { sim: Sim; watch: WatchHost; link: Link; machines: Machines }) {
    this.sim = of.sim;
    this.watch = of.watch;
    this.link = of.link;
    this.machines = of.machines;
  }

  /** From now on the turns of idle agents are put off. */
  letAgentsRest(): void {
    const { sim, watch, link, machines } = this;
    const rests = new RestingAgents({
      sim,
      send: (client, effect) => void link.send(client, effect),
      carryOut: (client, effect) => void this.carryOut(client, effect),
      queueTimer: (client) => this.queueTimer(client),
      queueLeash: (machine) => machines.queueLeash(machine),
      probeDelayMs: (process) => machines.probeDelayMs(process),
      listDelayMs: (client) => watch.listDelayMs(client),
    });
    this.rests = rests;
    // Of another leadership agents hear in several ways, and each in its own.
    const wakeAll = (): void => {
      for (const { agent } of sim.truth.nodes.values()) rests.wake(agent);
    };
    sim.onLead = () => sim.queue.push(sim.nowMs, { kind: "scene", act: wakeAll });
  }

  start(client: ClientProcess): void {
    client.beginIncarnation();
    client.component = client.create();
    client.timerOwnMs = undefined;
    client.timerQueuedMs = Infinity;
    client.waitingSinceMs = -1;
    client.listingSinceMs = -1;
    client.stream.close();
    client.stream.isScheduled = false;
    if (client.incarnation > 1) this.sim.trace?.say(client.name, "started again");
    if (client.machine !== undefined) this.give(client, this.machines.adopted(client.machine));
    this.give(client, STARTED);
  }

  /** Whatever was put off is done by now. */
  wake(client: ClientProcess): void {
    this.rests?.wake(client);
  }

  /** A crash clears the memory: state, timer, and the call numbers that match replies. */
  stop(client: ClientProcess): void {
    client.up = false;
    client.rest = undefined;
    client.component = undefined;
    this.sim.checks.clientStopped(client.name);
    client.stream.close();
  }

  crash(client: ClientProcess, downMs: number): void {
    this.sim.trace?.say(client.name, `crashed; back in ${downMs} ms`);
    this.stop(client);
    this.sim.after(downMs, { kind: "restart-client", client, incarnation: client.incarnation });
  }

  handle(event: ClientEvent): void {
    const { client } = event;
    if (client.machine?.state === "paused") {
      client.machine.held.push(event);
      this.sim.witness?.hold();
      return;
    }
    switch (event.kind) {
      case "timer":
        this.timerDue(client, event.incarnation);
        break;
      case "reply":
        if (this.link.accept(event.message, event.reply)) this.heard(client, event);
        break;
      case "deliver": {
        const input = this.watch.next(client, event.incarnation);
        if (input === undefined) break;
        this.sim.deliveries++;
        this.give(client, input);
        break;
      }
      case "listed":
        if (this.watch.accept(event)) this.give(client, event.input);
        break;
      case "list-again":
        this.watch.askAgain(event);
        break;
      case "restart-client":
        // An agent whose node is off comes back with its node.
        if (
          client.up ||
          client.incarnation !== event.incarnation ||
          client.machine?.state === "off"
        )
          break;
        this.start(client);
        break;
    }
  }

  private heard(client: ClientProcess, { message, reply }: HeardReply): void {
    if (this.rests?.replied(client, message, reply) === true) return;
    this.rests?.wake(client);
    this.give(client, { kind: "reply", call: callOf(client, message), reply });
    this.rests?.consider(client, message, reply);
  }

  give(client: ClientProcess, input: AgentInput): void {
    if (client.rest !== undefined) this.rests?.wake(client);
    const { component } = client;
    if (component === undefined) return;
    const { sim } = this;
    const { view } = component;
    const { revision, epoch } = view;
    if (sim.trace !== undefined) this.traceInput(client, input);
    const effects = takeTurn(sim, client, input);
    if (view.revision !== revision || view.epoch !== epoch) {
      sim.checks.viewMoved(client.name, view, revision, epoch);
    }
    sim.checks.decided(view, effects);
    for (const effect of effects) {
      if (!this.carryOut(client, effect)) return;
    }
  }

  /** False when the component died of it: later effects of the same turn never happen. */
  private carryOut(client: ClientProcess, effect: AgentEffect): boolean {
    switch (effect.kind) {
      case "request": {
        if (client.machine !== undefined) this.rests?.sent(client, effect.request);
        const downMs = this.link.send(client, effect);
        if (downMs === 0) return true;
        this.crash(client, downMs);
        return false;
      }
      case "list":
        this.watch.ask(client);
        return true;
      case "timer":
        client.timerOwnMs = effect.atMs;
        this.queueTimer(client);
        return true;
      case "decision":
        this.sim.trace?.say(client.name, describeDecision(effect.record), effect.record);
        return true;
      default:
        if (client.machine !== undefined) this.machines.carryOut(client.machine, effect);
        return true;
    }
  }

  /** Also called when a clock changes its rate: the same own time is then another true time. */
  queueTimer(client: ClientProcess): void {
    if (client.timerOwnMs === undefined || !client.up) return;
    // A timer in the past rings at the next millisecond: time passes for every component.
    const dueMs = Math.max(this.sim.nowMs + 1, client.trueTimeOf(client.timerOwnMs));
    client.timerDueMs = dueMs;
    if (dueMs >= client.timerQueuedMs) return;
    client.timerQueuedMs = dueMs;
    this.sim.queue.push(dueMs, { kind: "timer", client, incarnation: client.incarnation });
  }

  private timerDue(client: ClientProcess, incarnation: number): void {
    if (!client.up || client.incarnation !== incarnation) return;
    const { nowMs } = this.sim;
    if (nowMs >= client.timerQueuedMs) client.timerQueuedMs = Infinity;
    if (client.timerOwnMs === undefined) return;
    if (nowMs < client.timerDueMs) {
      this.queueTimer(client);
      return;
    }
    client.timerOwnMs = undefined;
    this.give(client, TIMER);
  }

  private traceInput(client: ClientProcess, input: AgentInput): void {
    const { trace } = this.sim;
    switch (input.kind) {
      case "watch":
        if (input.commits.length === 0) return;
        trace?.say(
          client.name,
          `saw ${input.commits.length} ${input.commits.length === 1 ? "commit" : "commits"} up to revision ${input.to}: ${input.commits.map(({ operation }) => operation).join(", ")}`,
        );
        return;
      case "listed":
        trace?.say(
          client.name,
          `was given a list of ${input.objects.length} objects as of revision ${input.revision}`,
        );
        return;
      default:
        return;
    }
  }
}

type HeardReply = Extract<ClientEvent, { readonly kind: "reply" }>;

/** The renewal that was under way when a rest ended was sent before the agent numbered its call. */
function callOf({ wokenCall }: ClientProcess, { call, request }: Message): number {
  if (wokenCall === undefined || request.kind !== "command") return call;
  return request.command.intent.operation === wokenCall.operation ? wokenCall.call : call;
}

const STARTED: AgentInput = { kind: "started" };
const TIMER: AgentInput = { kind: "timer" };
