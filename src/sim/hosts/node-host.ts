/**
 * The physical side of nodes: processes start, probe, exit and are killed; machines pause, crash
 * and boot. The leash belongs to the machine and not to the agent: it kills even without a live
 * agent.
 */
import type { AgentEffect, AgentInput } from "../../core/kernel/component.ts";
import { KILL_GRACE_MS } from "../../core/model/timing.ts";
import type { ClientHost, MachineEffect } from "./client-host.ts";
import { between, hashText, keyed } from "../../core/kernel/keyed-hash.ts";
import type { MachineProcess, ProcessName } from "./machine-process.ts";
import { failsAt } from "../world/failing-indexes.ts";
import { hasNeverReady } from "../world/never-ready.ts";
import type { NodeMachine } from "./node-machine.ts";
import type { Sim } from "../sim.ts";
import type { NodeEvent } from "../sim-event.ts";

const SPAWN = hashText("spawn-latency");
const PROBE = hashText("probe-latency");
const STOP = hashText("stop-latency");
const REAP = hashText("reap-latency");

/**
 * Exit codes as a shell shows them: killed by the leash, ended on request, a failure of its own.
 */
const KILLED = 137;
const STOPPED = 143;
const FAILED = 1;
const SUCCEEDED = 0;

/** As a service manager would start it again. */
const AGENT_RESTART_MS = 100;

/** How long a process may take to end after it was asked to. */
const STOP_MAX_MS = 1_000;

export class NodeHost {
  private readonly sim: Sim;
  private readonly clients: () => ClientHost;

  /** `clients` is a function because the two hosts need each other. */
  constructor(sim: Sim, clients: () => ClientHost) {
    this.sim = sim;
    this.clients = clients;
  }

  adopted(node: NodeMachine): Extract<AgentInput, { kind: "adopted" }> {
    const { session, epoch, machine } = node;
    const processes = node
      .all()
      .map(({ replica, uid, incarnation, permittedAt, leashed, asked }) => ({
        replica,
        uid,
        incarnation,
        permittedAt,
        leashed,
        asked,
      }));
    node.isTakenForShort = node.shortUntilMs > 0;
    return { kind: "adopted", session, epoch, machine, processes };
  }

  carryOut(node: NodeMachine, effect: MachineEffect): void {
    switch (effect.kind) {
      case "start-process":
        this.startProcess(node, effect);
        break;
      case "probe-process":
        this.probe(node, effect);
        break;
      case "stop-process":
        this.stopProcess(node, effect);
        break;
      case "leash":
        node.leashMs = effect.untilMs - node.agent.offsetMs;
        this.queueLeash(node);
        break;
      case "remember":
        node.session = effect.session;
        node.epoch = effect.epoch;
        break;
    }
  }

  handle(event: NodeEvent): void {
    const { node } = event;
    if (node.state === "paused") {
      node.held.push(event);
      return;
    }
    if (node.state === "off") return;
    switch (event.kind) {
      case "process-event":
        if (node.agent.incarnation !== event.agentIncarnation) break;
        this.clients().give(node.agent, { kind: "process", event: event.event });
        break;
      case "process-probed":
        this.probed(event);
        break;
      case "process-ends":
        if (!event.process.isGone) this.end(node, event.process, event.code);
        break;
      case "leash":
        if (node.boots === event.boots) this.leashDue(node);
        break;
    }
  }

  private startProcess(
    node: NodeMachine,
    effect: Extract<AgentEffect, { kind: "start-process" }>,
  ): void {
    const { sim } = this;
    const { replica, uid, incarnation, permittedAt, leashed } = effect;
    // The name is the identity: a second order to start an existing process is the same order.
    if (node.find(effect) !== undefined) return;
    if (leashed && node.isLeashOver(sim.nowMs)) {
      sim.trace?.say(
        node.agent.name,
        `process of ${replica} incarnation ${incarnation} was not started: the leash is over`,
      );
      this.tell(node, { kind: "exited", replica, incarnation, code: KILLED }, 1);
      return;
    }
    const { startUpMs, batchRunMs } = sim.truth.world;
    const slowMs =
      sim.startDelayMs + (sim.injector.onProcess("slow-start", effect, sim.nowMs)?.byMs ?? 0);
    const process: MachineProcess = {
      replica,
      uid,
      incarnation,
      node: node.name,
      leashed,
      asked: effect.template.ask.amounts,
      startedMs: sim.nowMs,
      permittedAt,
      readyMs: hasNeverReady(effect.template) ? Infinity : sim.nowMs + startUpMs + slowMs,
      failingProbes: sim.injector.onProcess("failing-probe", effect, sim.nowMs)?.times ?? 0,
      lapse: this.lapseOf(effect),
      isStopping: false,
      isGone: false,
    };
    node.add(process);
    sim.trace?.say(node.agent.name, `process of ${replica} incarnation ${incarnation} started`);
    this.checked(node)?.processStarted(process);
    this.tell(
      node,
      { kind: "alive", replica, incarnation },
      between(this.draw(SPAWN, process), 1, 5),
    );
    const held = sim.truth.objects.replica(replica);
    if (held?.spec.type === "batch") {
      sim.after(startUpMs + slowMs + batchRunMs, {
        kind: "process-ends",
        node,
        process,
        code: failsAt(effect.template, held.spec.index, incarnation) ? FAILED : SUCCEEDED,
      });
    }
    const exit = sim.injector.onProcess("process-exit", effect, sim.nowMs);
    if (exit !== undefined)
      sim.after(exit.afterMs, { kind: "process-ends", node, process, code: FAILED });
  }

  private probe(node: NodeMachine, name: ProcessName): void {
    const process = node.find(name);
    const { replica, incarnation } = name;
    if (process === undefined) {
      const said = "its process is not running";
      this.tell(node, { kind: "probed", replica, incarnation, ready: false, said }, 1);
      return;
    }
    this.sim.after(this.probeDelayMs(process), {
      kind: "process-probed",
      node,
      agentIncarnation: node.agent.incarnation,
      process,
    });
  }

  probeDelayMs(process: ProcessName): number {
    return between(this.draw(PROBE, process), 1, 5);
  }

  private probed({
    node,
    agentIncarnation,
    process,
  }: Extract<NodeEvent, { kind: "process-probed" }>): void {
    if (node.agent.incarnation !== agentIncarnation) return;
    let ready = !process.isGone && this.sim.nowMs >= process.readyMs;
    if (ready && process.failingProbes > 0) {
      process.failingProbes--;
      ready = false;
    }
    const { replica, incarnation, lapse } = process;
    if (ready && lapse !== undefined && lapse.times > 0 && this.sim.nowMs >= lapse.fromMs) {
      lapse.times--;
      ready = false;
    }
    const said = ready ? "it answers" : `it answered no at ${this.sim.nowMs}`;
    this.clients().give(node.agent, {
      kind: "process",
      event: { kind: "probed", replica, incarnation, ready, said },
    });
  }

  private lapseOf(name: ProcessName): MachineProcess["lapse"] {
    const { nowMs, injector } = this.sim;
    const lapse = injector.onProcess("readiness-lapse", name, nowMs);
    return lapse && { fromMs: nowMs + lapse.afterMs, times: lapse.times };
  }

  private stopProcess(node: NodeMachine, name: ProcessName): void {
    const process = node.find(name);
    if (process === undefined) {
      // An agent that stops an ended process hears that it has ended.
      this.tell(
        node,
        { kind: "exited", replica: name.replica, incarnation: name.incarnation, code: STOPPED },
        1,
      );
      return;
    }
    if (process.isStopping) return;
    process.isStopping = true;
    const delay = between(this.draw(STOP, process), 1, STOP_MAX_MS);
    this.sim.after(delay, { kind: "process-ends", node, process, code: STOPPED });
  }

  private end(node: NodeMachine, process: MachineProcess, code: number): void {
    const { replica, incarnation } = process;
    process.isGone = true;
    node.remove(process);
    this.sim.trace?.say(
      node.agent.name,
      `process of ${replica} incarnation ${incarnation} ended with code ${code}`,
    );
    this.checked(node)?.processEnded(process);
    this.tell(node, { kind: "exited", replica, incarnation, code }, 1);
  }

  private tell(
    node: NodeMachine,
    event: Extract<AgentInput, { kind: "process" }>["event"],
    delay: number,
  ): void {
    this.sim.after(delay, {
      kind: "process-event",
      node,
      agentIncarnation: node.agent.incarnation,
      event,
    });
  }

  /** Also called when the clock changes its pace. */
  queueLeash(node: NodeMachine): void {
    if (node.leashMs === undefined || node.state === "off") return;
    const dueMs = Math.max(this.sim.nowMs + 1, node.agent.clock.trueTimeOf(node.leashMs));
    if (dueMs >= node.leashQueuedMs) return;
    node.leashQueuedMs = dueMs;
    this.sim.queue.push(dueMs, { kind: "leash", node, boots: node.boots });
  }

  private leashDue(node: NodeMachine): void {
    const { sim } = this;
    if (sim.nowMs >= node.leashQueuedMs) node.leashQueuedMs = Infinity;
    if (!node.isLeashOver(sim.nowMs)) {
      this.queueLeash(node);
      return;
    }
    for (const process of node.all()) {
      if (!process.leashed) continue;
      // The kill is certain, but the kernel may need the whole grace period to reap; safety must
      // hold that long.
      const delay = between(this.draw(REAP, process), 0, KILL_GRACE_MS);
      sim.after(delay, { kind: "process-ends", node, process, code: KILLED });
    }
  }

  pause(node: NodeMachine, forMs: number): void {
    this.clients().wake(node.agent);
    this.sim.trace?.say(node.agent.name, `the node is paused for ${forMs} ms`);
    node.state = "paused";
    node.pauses++;
    this.sim.after(forMs, { kind: "resume", node, pauses: node.pauses });
  }

  /** The leash is enforced before the node resumes: a process past it never runs again. */
  resume(node: NodeMachine): void {
    const { sim } = this;
    sim.trace?.say(node.agent.name, "the node goes on after its pause");
    if (node.isLeashOver(sim.nowMs)) {
      for (const process of node.all()) {
        if (process.leashed) this.end(node, process, KILLED);
      }
    }
    node.state = "up";
    node.leashQueuedMs = Infinity;
    this.queueLeash(node);
    const held = node.held.splice(0);
    for (const event of held) {
      sim.witness?.begin(event);
      if ("client" in event) this.clients().handle(event);
      else this.handle(event);
    }
  }

  /** Hardware is missing for a while. The agent notices at its start, so it is restarted. */
  shrink(node: NodeMachine, untilMs: number): void {
    node.shortUntilMs = Math.max(node.shortUntilMs, untilMs);
    this.sim.trace?.say(node.agent.name, "half of the machine and all devices are missing");
    this.clients().crash(node.agent, AGENT_RESTART_MS);
  }

  /** All hardware is back after its time; an agent that believes otherwise is restarted. */
  mend(node: NodeMachine): void {
    if (node.shortUntilMs <= this.sim.nowMs) node.shortUntilMs = 0;
    const isWrong = node.isTakenForShort && node.shortUntilMs === 0;
    if (!isWrong || node.state !== "up" || !node.agent.up) return;
    this.clients().crash(node.agent, AGENT_RESTART_MS);
  }

  crash(node: NodeMachine, downMs: number): void {
    const { sim } = this;
    sim.trace?.say(node.agent.name, `the node crashed; back in ${downMs} ms`);
    this.goDown(node);
    sim.after(downMs, { kind: "boot", node, boots: node.boots });
  }

  private checked({ name }: NodeMachine): Sim["checks"] | undefined {
    return this.sim.truth.isLying(name) ? undefined : this.sim.checks;
  }

  private goDown(node: NodeMachine): void {
    node.state = "off";
    node.leashMs = undefined;
    node.leashQueuedMs = Infinity;
    node.held.length = 0;
    for (const process of node.all()) {
      process.isGone = true;
      node.remove(process);
      this.checked(node)?.processEnded(process);
    }
    this.clients().stop(node.agent);
  }

  /** For good: the provider has taken the machine back. */
  switchOff(node: NodeMachine): void {
    const { sim } = this;
    sim.trace?.say(node.agent.name, "the machine was taken away");
    this.goDown(node);
  }

  boot(node: NodeMachine): void {
    if (node.isTakenAway) return;
    node.state = "up";
    node.boots++;
    // A boot is a new session by itself: an agent that remembered the old one must not speak for
    // it.
    node.session++;
    this.clients().start(node.agent);
  }

  private draw(site: number, { replica, incarnation }: ProcessName): number {
    return keyed(this.sim.seed, site, hashText(replica), incarnation, 0);
  }
}
