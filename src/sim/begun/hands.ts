/**
 * What can be done to a world that has begun with a state: to its machines, to its control plane,
 * and by a person. Each takes effect at the moment of the call.
 */
import type { Intent } from "../../core/protocol/command.ts";
import type { ClientProcess } from "../hosts/client-process.ts";
import type { ScheduledFault } from "../faults/scheduled-faults.ts";
import type { Stage } from "../staging.ts";
import type { SimTruth } from "../truth.ts";
import type { Step } from "../world/user-script.ts";

/** Longer than any twin is watched. */
const DAY_MS = 86_400_000;

interface Reach {
  /** The steps of the person, who takes one after the other. */
  readonly steps: Step[];
  readonly secondScheduler: ClientProcess | undefined;
}

export class Hands {
  readonly truth: SimTruth;
  private readonly stage: Stage;
  private readonly reach: Reach;

  constructor(stage: Stage, reach: Reach) {
    this.truth = stage.sim.truth;
    this.stage = stage;
    this.reach = reach;
  }

  get nowMs(): number {
    return this.stage.sim.nowMs;
  }

  /** Queues an act; what happens now happens at the next millisecond at the earliest. */
  at(atMs: number, act: () => void): void {
    this.stage.sim.queue.push(Math.max(atMs, this.nowMs), { kind: "scene", act });
  }

  /** Of the control plane, with its own time. */
  fault(fault: ScheduledFault): void {
    this.stage.sim.queue.push(fault.atMs, { kind: "fault", fault });
  }

  /** Power is off: everything there ends at once. */
  lose(name: string): void {
    const machine = this.truth.nodes.get(name);
    if (machine !== undefined && machine.state !== "off") this.stage.nodes.switchOff(machine);
  }

  /** The agent is gone for good; what runs there goes on for as long as its leash lets it. */
  stopAgent(name: string): void {
    this.fault({ fault: "crash", component: `agent:${name}`, atMs: this.nowMs, downMs: DAY_MS });
  }

  /** Power is on again, with nothing running there. */
  restore(name: string): void {
    const machine = this.truth.nodes.get(name);
    if (machine !== undefined && machine.state === "off") this.stage.nodes.boot(machine);
  }

  restartLeader(downMs: number): void {
    const { planes } = this.stage;
    const leader = planes.leader();
    if (leader !== undefined) planes.crash(leader, downMs);
  }

  startSecondScheduler(): void {
    const { secondScheduler } = this.reach;
    if (secondScheduler?.up === false) this.stage.clients.start(secondScheduler);
  }

  slowStarts(byMs: number): void {
    this.stage.sim.startDelayMs += byMs;
  }

  /** A person sends it, after what was asked for before. */
  ask(intent: Intent, as: string): void {
    const { cast, clients } = this.stage;
    this.reach.steps.push({ atMs: 0, intent, as });
    clients.give(cast.user, { kind: "timer" });
  }
}
