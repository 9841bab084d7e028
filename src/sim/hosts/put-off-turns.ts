/** Takes the turns of an agent that rested, each at the time at which it was due. */
import type { AgentEffect, AgentInput } from "../../core/kernel/component.ts";
import { assert } from "../../core/model/assert.ts";
import type { Replica } from "../../core/model/objects.ts";
import type { AgentRest } from "./agent-rest.ts";
import type { Client, ClientProcess } from "./client-process.ts";
import type { MachineProcess } from "./machine-process.ts";
import type { RestHosts } from "./resting-agents.ts";

/** What is still to come, as foretold. */
interface Ahead {
  timerMs: number;
  timerOwnMs: number | undefined;
  answer: { readonly atMs: number; readonly call: number } | undefined;
  listMs: number;
  readonly probes: { readonly atMs: number; readonly process: MachineProcess }[];
}

type ListInput = Extract<AgentInput, { kind: "listed" }>;

export class PutOffTurns {
  private readonly hosts: RestHosts;

  constructor(hosts: RestHosts) {
    this.hosts = hosts;
  }

  take(client: ClientProcess, rest: AgentRest): void {
    client.rest = undefined;
    const { component } = client;
    const { sim } = this.hosts;
    if (component === undefined) return;
    const ahead: Ahead = {
      timerMs: Math.max(rest.sinceMs + 1, client.trueTimeOf(rest.timerOwnMs)),
      timerOwnMs: rest.timerOwnMs,
      answer: undefined,
      listMs: Infinity,
      probes: [],
    };
    for (;;) {
      const atMs = nextOf(ahead);
      if (atMs > sim.nowMs) break;
      const input = inputAt(atMs, ahead, component);
      client.turn.now = client.readClock(atMs);
      for (const effect of component.receive(input, client.turn)) {
        this.foretell(effect, atMs, { client, rest, ahead });
      }
    }
    this.goOn(client, ahead);
  }

  private foretell(
    effect: AgentEffect,
    atMs: number,
    { client, rest, ahead }: { client: ClientProcess; rest: AgentRest; ahead: Ahead },
  ): void {
    const { machine } = client;
    switch (effect.kind) {
      case "timer":
        ahead.timerOwnMs = effect.atMs;
        ahead.timerMs = Math.max(atMs + 1, client.trueTimeOf(effect.atMs));
        return;
      case "probe-process": {
        const process = machine?.find(effect);
        if (machine === undefined || process === undefined) break;
        const delayMs = this.hosts.probeDelayMs(process);
        ahead.probes.push({ atMs: atMs + delayMs, process });
        return;
      }
      case "list":
        client.lists += 1;
        ahead.listMs = atMs + this.hosts.listDelayMs(client);
        return;
      case "leash":
        // The leash was moved when the answer came.
        return;
      case "request":
        if (this.wasSent(effect, { client, rest, ahead })) return;
        break;
      default:
        break;
    }
    // Of this very moment: it is done now, and not in the agent's name.
    const isNow = atMs === this.hosts.sim.nowMs;
    assert(isNow, `The idle agent ${client.name} did something unforeseen: ${effect.kind}.`);
    this.hosts.carryOut(client, effect);
  }

  private wasSent(
    { call, request }: Extract<AgentEffect, { kind: "request" }>,
    { client, rest, ahead }: { client: ClientProcess; rest: AgentRest; ahead: Ahead },
  ): boolean {
    if (request.kind !== "command" || request.command.intent.kind !== "lease") return false;
    const { seq, operation } = request.command.intent;
    if (seq > rest.last.seq) return false;
    const atMs = rest.heardMs[seq - rest.firstSeq];
    if (atMs === undefined) client.wokenCall = { operation, call };
    else ahead.answer = { atMs, call };
    return true;
  }

  /** What has not come yet comes by the queue from here on. */
  private goOn(client: ClientProcess, ahead: Ahead): void {
    const { sim } = this.hosts;
    const { machine, incarnation } = client;
    client.timerOwnMs = ahead.timerOwnMs;
    this.hosts.queueTimer(client);
    if (machine === undefined) return;
    for (const { atMs, process } of ahead.probes) {
      sim.queue.push(atMs, {
        kind: "process-probed",
        node: machine,
        agentIncarnation: incarnation,
        process,
      });
    }
    if (ahead.listMs === Infinity) return;
    client.listingSinceMs = sim.nowMs;
    client.stream.close();
    const { plane, lists: list } = client;
    const objects = [...sim.truth.objects.replicasOn(machine.name).values()];
    const revision = sim.store.commits.length;
    const input: ListInput = { kind: "listed", objects, revision, epoch: plane.epoch };
    sim.queue.push(ahead.listMs, {
      kind: "listed",
      client,
      incarnation,
      list,
      input,
      isOfAnyAge: false,
    });
  }
}

function nextOf({ timerMs, answer, listMs, probes }: Ahead): number {
  let atMs = Math.min(timerMs, listMs, answer?.atMs ?? Infinity);
  for (const probe of probes) atMs = Math.min(atMs, probe.atMs);
  return atMs;
}

function inputAt(atMs: number, ahead: Ahead, component: Client): AgentInput {
  const { answer, probes, timerMs } = ahead;
  const { revision, epoch, objects } = component.view;
  if (answer?.atMs === atMs) {
    ahead.answer = undefined;
    const outcome = { kind: "committed", revision } as const;
    return { kind: "reply", call: answer.call, reply: { kind: "outcome", outcome, epoch } };
  }
  const probe = probes.findIndex((each) => each.atMs === atMs);
  if (probe >= 0) {
    const [answered] = probes.splice(probe, 1);
    assert(answered !== undefined, "A probe was answered that was not asked.");
    const { replica, incarnation } = answered.process;
    const event = {
      kind: "probed",
      replica,
      incarnation,
      ready: true,
      said: "it answers",
    } as const;
    return { kind: "process", event };
  }
  if (timerMs === atMs) {
    ahead.timerMs = Infinity;
    ahead.timerOwnMs = undefined;
    return { kind: "timer" };
  }
  ahead.listMs = Infinity;
  // Nothing has changed there since the rest began.
  const listed: Replica[] = [...objects.all("Replica").values()];
  return { kind: "listed", objects: listed, revision, epoch };
}
