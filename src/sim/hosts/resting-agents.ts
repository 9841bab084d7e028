/**
 * Agents to which nothing happens cost next to nothing. All that such an agent hears is known
 * beforehand: its own timers, probes that succeed, renewals that are committed. So its turns are
 * put off. Its renewals are sent in its name, at their times and with their contents, so that the
 * control plane sees the same as ever. As soon as something else concerns the agent, it takes the
 * turns that were put off, at the times at which they were due, and goes on like any other. If
 * nothing ever does, they are never taken.
 *
 * Put-off turns must come out as they were foretold: an effect that nothing here has foretold stops
 * the run.
 */
import { INVENTORY_EVERY_MS } from "../../core/agent/inventory.ts";
import { ConvergeNode } from "../../core/agent/converge-node.ts";
import type { AgentEffect, Request } from "../../core/kernel/component.ts";
import { assert } from "../../core/model/assert.ts";
import type { Epoch } from "../../core/model/ids.ts";
import { LEASE_MS, RENEW_EVERY_MS } from "../../core/model/timing.ts";
import type { Reply } from "../../core/protocol/outcome.ts";
import type { Command, IntentOf } from "../../core/protocol/command.ts";
import { leaseOperation } from "../../core/protocol/operations.ts";
import type { Sim } from "../sim.ts";
import type { ClientProcess } from "./client-process.ts";
import type { MachineProcess } from "./machine-process.ts";
import type { Message } from "./message.ts";
import type { NodeMachine } from "./node-machine.ts";
import { PutOffTurns } from "./put-off-turns.ts";
import type { AgentRest } from "./agent-rest.ts";

/** An agent without an answer sends its next renewal after this time. */
const ANSWER_MS = 1_000;

export interface RestHosts {
  readonly sim: Sim;
  send(client: ClientProcess, effect: Extract<AgentEffect, { kind: "request" }>): void;
  carryOut(client: ClientProcess, effect: AgentEffect): void;
  queueTimer(client: ClientProcess): void;
  queueLeash(machine: NodeMachine): void;
  probeDelayMs(process: MachineProcess): number;
  listDelayMs(client: ClientProcess): number;
}

type LeaseCommand = Command & { readonly intent: IntentOf<"lease"> };

export class RestingAgents {
  private readonly hosts: RestHosts;
  private readonly turns: PutOffTurns;

  constructor(hosts: RestHosts) {
    this.hosts = hosts;
    this.turns = new PutOffTurns(hosts);
  }

  /** Every request of an agent goes by here, for the time of its last inventory. */
  sent(client: ClientProcess, request: Request): void {
    const lease = leaseIn(request);
    if (lease?.intent.inventory === undefined) return;
    client.inventoryMs = lease.intent.clock?.nowMs ?? client.inventoryMs;
  }

  /** After the answer to a renewal: from here on everything may be foretold. */
  consider(client: ClientProcess, { request }: Message, reply: Reply): void {
    const { machine, component, timerOwnMs } = client;
    const last = leaseIn(request);
    if (last === undefined || !isCommitted(reply) || machine === undefined) return;
    if (!(component instanceof ConvergeNode) || timerOwnMs === undefined) return;
    if (!isQuiet(client, machine, component)) return;
    const { sim } = this.hosts;
    const rest: AgentRest = {
      sinceMs: sim.nowMs,
      timerOwnMs,
      firstSeq: last.intent.seq + 1,
      epoch: component.view.epoch,
      basis: component.view.revision,
      known: knownTo(component),
      kept: component.processes.living({ leashed: false }),
      last: last.intent,
      asOf: component.view.revision,
      outstanding: undefined,
      heardMs: [],
    };
    client.rest = rest;
    client.timerOwnMs = undefined;
    this.queueRenewal(client, rest);
  }

  /** The answer to a renewal that was sent in its name. False: the agent itself must hear it. */
  replied(client: ClientProcess, message: Message, reply: Reply): boolean {
    const { rest, machine } = client;
    if (rest === undefined || machine === undefined) return false;
    const { operation } = leaseIn(message.request)?.intent ?? {};
    const isForetold = isCommitted(reply, rest.epoch) && operation === rest.outstanding;
    if (!isForetold) return false;
    const { sim } = this.hosts;
    rest.outstanding = undefined;
    rest.heardMs.push(sim.nowMs);
    machine.leashMs = sentOf(rest) + LEASE_MS - client.offsetMs;
    this.hosts.queueLeash(machine);
    this.queueRenewal(client, rest);
    return true;
  }

  /** Something concerns the agent. */
  wake(client: ClientProcess): void {
    if (client.rest !== undefined) this.turns.take(client, client.rest);
  }

  private queueRenewal(client: ClientProcess, rest: AgentRest): void {
    const { sim } = this.hosts;
    const dueMs = client.trueTimeOf(sentOf(rest) + RENEW_EVERY_MS);
    sim.queue.push(Math.max(sim.nowMs + 1, dueMs), {
      kind: "scene",
      act: () => {
        if (client.rest === rest) this.renew(client, rest);
      },
    });
  }

  private renew(client: ClientProcess, rest: AgentRest): void {
    const { sim } = this.hosts;
    const { machine } = client;
    if (machine === undefined) return;
    const nowMs = client.readClock(sim.nowMs);
    const { session, seq: lastSeq, clock } = rest.last;
    const seq = lastSeq + 1;
    const { drivers: said } = machine.machine;
    const drivers = said === undefined ? {} : { drivers: said };
    const isListed = nowMs >= (client.inventoryMs ?? 0) + INVENTORY_EVERY_MS;
    const intent: IntentOf<"lease"> = {
      kind: "lease",
      operation: leaseOperation(machine.name, session, seq),
      node: machine.name,
      session,
      seq,
      kept: rest.kept,
      clock: { startedMs: clock?.startedMs ?? nowMs, nowMs },
      ...(isListed ? { inventory: { asOf: rest.asOf, replicas: rest.known, ...drivers } } : {}),
    };
    rest.last = intent;
    rest.outstanding = intent.operation;
    const actor = { role: "agent", name: client.name } as const;
    const command = { intent, epoch: rest.epoch, basis: rest.basis, actor };
    const request = { kind: "command", attempt: 1, command } as const;
    this.hosts.send(client, { kind: "request", call: 0, request });
    const { operation } = intent;
    sim.queue.push(Math.max(sim.nowMs + 1, client.trueTimeOf(nowMs + ANSWER_MS)), {
      kind: "scene",
      act: () => {
        if (client.rest === rest && rest.outstanding === operation) this.wake(client);
      },
    });
  }
}

const sentOf = ({ last }: AgentRest): number => {
  assert(last.clock !== undefined, "An agent renewed its lease without the time of its clock.");
  return last.clock.nowMs;
};

function leaseIn(request: Request): LeaseCommand | undefined {
  if (request.kind !== "command" || request.command.intent.kind !== "lease") return undefined;
  return request.command as LeaseCommand;
}

/** Under a certain leadership, if one is named. */
const isCommitted = (reply: Reply, epoch?: Epoch): boolean =>
  reply.kind === "outcome" &&
  reply.outcome.kind === "committed" &&
  (epoch === undefined || reply.epoch === epoch);

/** All that it runs serves, it waits for nothing, and nothing is on its way to it. */
function isQuiet(client: ClientProcess, machine: NodeMachine, agent: ConvergeNode): boolean {
  const { stream } = client;
  if (machine.state !== "up" || machine.shortUntilMs > 0 || client.blindness !== undefined) {
    return false;
  }
  if (client.waitingSinceMs >= 0 || client.listingSinceMs >= 0) return false;
  if (!stream.isOpen || stream.isScheduled || stream.hasUpTo(Infinity)) return false;
  if (agent.machine.notes.length > 0 || agent.owed().length > 0) return false;
  const replicas = agent.view.objects.all("Replica");
  let count = 0;
  for (const [key, { incarnation, phase, failing }] of agent.processes.entries()) {
    count += 1;
    if (phase !== "ready" || failing !== undefined || agent.isTracking(key)) return false;
    const stage = replicas.get(key)?.status.stage;
    if (stage !== "serving" && stage !== "running") return false;
    const process = machine.find({ replica: key, incarnation });
    if (process === undefined || process.isStopping || process.failingProbes > 0) return false;
    if (process.lapse !== undefined) return false;
  }
  return count === replicas.size;
}

function knownTo(agent: ConvergeNode): AgentRest["known"] {
  return [...agent.view.objects.all("Replica").keys()].toSorted();
}
