/**
 * The machine under one agent: what runs there, what survives there, and when the leash ends. Pure
 * state; `node-host.ts` decides when things happen to it.
 */
import type { Epoch, ObjectKey } from "../../core/model/ids.ts";
import type { Machine } from "../../core/model/node/machine.ts";
import type { ClientProcess } from "./client-process.ts";
import type { MachineProcess, ProcessName } from "./machine-process.ts";
import type { ClientEvent, NodeEvent } from "../sim-event.ts";

export class NodeMachine {
  readonly name: string;
  readonly agent: ClientProcess;
  /** What it has when nothing is broken. */
  private readonly whole: Machine;
  /** Part of its hardware is missing until this true time; 0 when none is. */
  shortUntilMs = 0;
  /**
   * The agent of this moment was started while hardware was missing, and believes what it found
   * then.
   */
  isTakenForShort = false;
  state: "off" | "up" | "paused" = "off";
  /** Durable: survive every crash. A boot is a new session, whatever the agent makes of it. */
  session = 0;
  epoch: Epoch = 0;
  /** Counts boots and pauses, so that the end of an earlier outage does not end a later one. */
  boots = 0;
  pauses = 0;
  /** On the machine's clock; undefined when no leash was ever set since boot. */
  leashMs: number | undefined;
  /** When the earliest queued look at the leash happens, true time. */
  leashQueuedMs = Infinity;
  /** True time the agent's last committed renewal was sent. */
  leaseSentMs: number | undefined;
  /** First sending of each renewal that has not been seen committed. */
  readonly renewals = new Map<string, number>();
  /** Of a pool: it was given back, and is never switched on again. */
  isTakenAway = false;
  /** Inputs that arrived while paused, in order. */
  readonly held: (ClientEvent | NodeEvent)[] = [];
  private readonly byReplica = new Map<ObjectKey, MachineProcess[]>();

  constructor(name: string, agent: ClientProcess, whole: Machine) {
    this.name = name;
    this.agent = agent;
    this.whole = whole;
  }

  /** What there really is at this moment. */
  get machine(): Machine {
    if (this.shortUntilMs === 0) return this.whole;
    const { cpuMillis, memoryMiB } = this.whole.capacity;
    const capacity = { cpuMillis: cpuMillis >> 1, memoryMiB: memoryMiB >> 1 };
    return { ...this.whole, capacity, deviceIds: [] };
  }

  find({ replica, incarnation }: ProcessName): MachineProcess | undefined {
    return this.byReplica.get(replica)?.find((process) => process.incarnation === incarnation);
  }

  add(process: MachineProcess): void {
    const incarnations = this.byReplica.get(process.replica);
    if (incarnations === undefined) this.byReplica.set(process.replica, [process]);
    else incarnations.push(process);
  }

  remove(process: MachineProcess): void {
    const incarnations = this.byReplica.get(process.replica) ?? [];
    const rest = incarnations.filter((other) => other !== process);
    if (rest.length === 0) this.byReplica.delete(process.replica);
    else this.byReplica.set(process.replica, rest);
  }

  /**
   * Everything that exists on the machine, frozen or not; a copy, because processes end while it is
   * read.
   */
  all(): readonly MachineProcess[] {
    return [...this.byReplica.values()].flat();
  }

  isLeashOver(trueMs: number): boolean {
    return this.leashMs === undefined || this.agent.clock.read(trueMs) >= this.leashMs;
  }
}
