/**
 * Carries out faults that have a time, and ends all of them when the world heals. A fault that
 * finds nothing to hit (its component is down already, say) has not fired and is not written down.
 */
import { Blindness } from "./blindness.ts";
import type { ClientHost } from "./client-host.ts";
import type { ClientProcess } from "./client-process.ts";
import type { ComponentProcess } from "./component-process.ts";
import type { NodeHost } from "./node-host.ts";
import type { NodeMachine } from "./node-machine.ts";
import { EVERYBODY } from "../faults/partitions.ts";
import type { PlaneHosting } from "./plane-hosting.ts";
import type { PlaneProcess } from "./plane-process.ts";
import type { ScheduledFault } from "../faults/scheduled-faults.ts";
import type { Sim } from "../sim.ts";
import type { WatchHost } from "./watch-host.ts";

type FaultOf<N> = Extract<ScheduledFault, { readonly fault: N }>;

export class FaultHost {
  private readonly sim: Sim;
  private readonly planes: ReadonlyMap<string, PlaneProcess>;
  private readonly clients: ReadonlyMap<string, ClientProcess>;
  private readonly hosts: {
    planes: PlaneHosting;
    clients: ClientHost;
    nodes: NodeHost;
    watch: WatchHost;
  };

  constructor(of: {
    sim: Sim;
    planes: readonly PlaneProcess[];
    clients: readonly ClientProcess[];
    hosts: { planes: PlaneHosting; clients: ClientHost; nodes: NodeHost; watch: WatchHost };
  }) {
    this.sim = of.sim;
    this.planes = new Map(of.planes.map((plane) => [plane.name, plane]));
    this.clients = new Map(of.clients.map((client) => [client.name, client]));
    this.hosts = of.hosts;
  }

  happen(fault: ScheduledFault): void {
    if (this.sim.nowMs >= this.sim.truth.world.faultsUntilMs || !this.strike(fault)) return;
    this.sim.injector.fire(fault);
  }

  /** Whether it hit anything. */
  private strike(fault: ScheduledFault): boolean {
    switch (fault.fault) {
      case "watch-stall":
      case "watch-drop":
      case "watch-break":
      case "stale-list":
        return this.strikeWatch(fault);
      case "crash":
        return this.crash(fault);
      case "restart-leader": {
        const leader = this.hosts.planes.leader();
        if (leader !== undefined) this.hosts.planes.crash(leader, fault.downMs);
        return leader !== undefined;
      }
      case "second-leader":
        return this.hosts.planes.bringIn();
      case "overload":
        this.sim.trace?.say("world", `every request is turned away for ${fault.forMs} ms`);
        this.sim.overloadedUntilMs = Math.max(this.sim.overloadedUntilMs, this.until(fault.forMs));
        return true;
      case "blind-agent":
        return this.blind(fault);
      case "partition":
        return this.cut(fault);
      case "clock":
        return this.turnClock(fault);
      case "node-crash":
      case "node-pause":
      case "hardware-loss":
        return this.strikeNode(fault);
      default:
        return this.hosts.planes.strike(fault, (forMs) => this.until(forMs));
    }
  }

  private strikeWatch(
    fault: FaultOf<"watch-stall" | "watch-drop" | "watch-break" | "stale-list">,
  ): boolean {
    const client = this.clients.get(fault.to);
    if (client === undefined || !client.up) return false;
    this.sim.trace?.say(
      client.name,
      `${fault.fault}${"forMs" in fault ? ` for ${fault.forMs} ms` : ""}`,
    );
    switch (fault.fault) {
      case "watch-stall":
        client.stalledUntilMs = Math.max(client.stalledUntilMs, this.until(fault.forMs));
        break;
      case "watch-drop":
        client.droppingUntilMs = Math.max(client.droppingUntilMs, this.until(fault.forMs));
        break;
      case "stale-list":
        client.staleUntilMs = this.until(fault.forMs);
        client.staleBehind = fault.behind;
        break;
      case "watch-break":
        // The host is told and lists on its behalf: the component's next news is the list.
        this.hosts.watch.ask(client);
        break;
    }
    return true;
  }

  private blind({ node, forMs }: FaultOf<"blind-agent">): boolean {
    const agent = this.sim.truth.nodes.get(node)?.agent;
    if (agent === undefined) return false;
    this.sim.trace?.say(agent.name, `is not shown what is bound to ${node} for ${forMs} ms`);
    agent.blindness ??= new Blindness(node);
    this.sim.witness?.strays(agent);
    agent.blindness.untilMs = Math.max(agent.blindness.untilMs, this.until(forMs));
    return true;
  }

  private crash({ component, downMs }: FaultOf<"crash">): boolean {
    const plane = this.planes.get(component);
    if (plane !== undefined) {
      const wasUp = plane.up;
      if (wasUp) this.hosts.planes.crash(plane, downMs);
      return wasUp;
    }
    const client = this.clients.get(component);
    if (client === undefined || !client.up || client.machine?.state === "paused") return false;
    this.hosts.clients.crash(client, downMs);
    return true;
  }

  private cut(fault: FaultOf<"partition">): boolean {
    const from = this.indexOf(fault.from);
    const to = this.indexOf(fault.to);
    if (from === undefined || to === undefined) return false;
    this.sim.trace?.say(fault.from, `cannot reach ${fault.to} for ${fault.forMs} ms`);
    this.sim.partitions.add({ from, to, untilMs: this.until(fault.forMs) });
    return true;
  }

  private indexOf(name: string): number | undefined {
    return name === "*" ? EVERYBODY : this.process(name)?.index;
  }

  private process(name: string): ComponentProcess | undefined {
    return this.planes.get(name) ?? this.clients.get(name);
  }

  private turnClock({ component, offsetMs, driftPerThousand }: FaultOf<"clock">): boolean {
    const process = this.process(component);
    if (process === undefined) return false;
    this.sim.trace?.say(
      component,
      `its clock drifts by ${driftPerThousand} ‰ and steps by ${offsetMs} ms at its next start`,
    );
    process.nextOffsetMs = offsetMs;
    this.drift(process, driftPerThousand);
    return true;
  }

  private drift(process: ComponentProcess, perThousand: number): void {
    const client = this.clients.get(process.name);
    if (client !== undefined) this.hosts.clients.wake(client);
    process.clock.setDrift(this.sim.nowMs, perThousand);
    if (client === undefined) return;
    this.hosts.clients.queueTimer(client);
    if (client.machine !== undefined) this.hosts.nodes.queueLeash(client.machine);
  }

  private strikeNode(fault: FaultOf<"node-crash" | "node-pause" | "hardware-loss">): boolean {
    const { nodes } = this.hosts;
    const node = this.sim.truth.nodes.get(fault.node);
    if (node === undefined || node.boots === 0) return false;
    switch (fault.fault) {
      case "node-pause":
        if (node.state !== "up") return false;
        nodes.pause(node, fault.forMs);
        return true;
      case "hardware-loss":
        if (node.state !== "up" || !node.agent.up) return false;
        nodes.shrink(node, this.until(fault.forMs));
        return true;
      case "node-crash":
        if (node.state === "off") return false;
        nodes.crash(node, fault.downMs);
        return true;
    }
  }

  /** When a window of faults that begins now is over; windows end with the time of faults. */
  private until(forMs: number): number {
    const { nowMs, truth } = this.sim;
    const untilMs = Math.min(nowMs + forMs, truth.world.faultsUntilMs);
    this.sim.queue.push(untilMs, { kind: "window-ends" });
    return untilMs;
  }

  /** Some window is over: streams that were held up go on. */
  windowEnds(): void {
    const { nowMs } = this.sim;
    this.sim.partitions.forgetEnded(nowMs);
    this.hosts.planes.windowEnds();
    for (const node of this.sim.truth.nodes.values()) this.hosts.nodes.mend(node);
    for (const client of this.clients.values()) {
      if (client.blindness !== undefined && client.blindness.untilMs <= nowMs) {
        client.blindness = undefined;
      }
      if (client.droppingUntilMs !== 0 && client.droppingUntilMs <= nowMs)
        this.hosts.watch.endDrop(client);
      this.hosts.watch.kick(client);
    }
  }

  /**
   * From here on nothing goes wrong any more: what follows shows whether the system finds its way
   * back.
   */
  heal(): void {
    const { sim, hosts } = this;
    sim.trace?.say("world", "heals: no more faults");
    sim.partitions.endAll();
    for (const process of [...this.planes.values(), ...this.clients.values()]) {
      process.nextOffsetMs = process.offsetMs;
      this.drift(process, 0);
    }
    for (const node of sim.truth.nodes.values()) {
      node.shortUntilMs = 0;
      this.recover(node);
    }
    for (const client of this.clients.values()) {
      client.stalledUntilMs = 0;
      client.staleUntilMs = 0;
      if (!client.up && client.machine === undefined) hosts.clients.start(client);
    }
    hosts.planes.heal();
    this.windowEnds();
  }

  private recover(node: NodeMachine): void {
    const { nodes, clients } = this.hosts;
    if (node.state === "paused") nodes.resume(node);
    // A node that has never booted is not broken: it has not been added yet.
    if (node.state === "off" && node.boots > 0) nodes.boot(node);
    if (node.state === "up" && !node.agent.up) clients.start(node.agent);
  }
}
