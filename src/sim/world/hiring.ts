/**
 * Makes the participants of a run, each with its number, its clock and its place in the truth. The
 * numbers follow the order in which they are made.
 */
import { driversOfMachine } from "./drivers-of-machine.ts";
import { ConvergeNode } from "../../core/agent/converge-node.ts";
import { hashText } from "../../core/kernel/keyed-hash.ts";
import type { NodeSpec } from "../../core/model/objects.ts";
import { DriftingClock } from "../faults/clock.ts";
import { planeNames } from "../faults/fault-target.ts";
import { type Client, ClientProcess } from "../hosts/client-process.ts";
import { NodeMachine } from "../hosts/node-machine.ts";
import { PlaneProcess } from "../hosts/plane-process.ts";
import type { Sim } from "../sim.ts";

export type AddClient = (
  name: string,
  create: (process: () => ClientProcess) => Client,
  more?: { readonly isHostile?: boolean },
) => ClientProcess;

export class Hiring {
  readonly planes: readonly PlaneProcess[];
  private readonly sim: Sim;
  private readonly clocksFromMs: number | undefined;
  private index = 0;

  /** `clocksFromMs` is the reading of every clock when the run begins; left out: any. */
  constructor(sim: Sim, clocksFromMs?: number) {
    this.sim = sim;
    this.clocksFromMs = clocksFromMs;
    const { truth, seed } = sim;
    this.planes = planeNames(truth.world).map(
      (name) => new PlaneProcess({ index: this.index++, name, clock: this.clock(), seed }),
    );
    truth.everyPlane.push(...this.planes);
  }

  readonly client: AddClient = (name, create, { isHostile = false } = {}) => {
    const { sim } = this;
    const process: ClientProcess = new ClientProcess({
      index: this.index++,
      name,
      clock: this.clock(),
      seed: sim.seed,
      create: () => create(() => process),
      plane: this.homeOf(name),
      isHostile,
    });
    process.interest = process.create().view.interest;
    sim.router.register(process);
    sim.truth.everyClient.push(process);
    return process;
  };

  /** A machine with its agent, switched off. */
  machine(name: string, { capacity, pools }: Pick<NodeSpec, "capacity" | "pools">): NodeMachine {
    const agent = this.client(`agent:${name}`, () => new ConvergeNode({ node: name }));
    const deviceIds = pools.flatMap(({ ids }) => ids);
    const drivers = driversOfMachine(name);
    const machine = { capacity, deviceIds, notes: [] };
    const of = drivers === undefined ? machine : { ...machine, drivers };
    const node = new NodeMachine(name, agent, of);
    agent.machine = node;
    this.sim.truth.nodes.set(name, node);
    return node;
  }

  private clock(): DriftingClock {
    return new DriftingClock(this.clocksFromMs);
  }

  /** If several planes run, clients begin at any of them. */
  private homeOf(name: string): PlaneProcess {
    const { planes = 1 } = this.sim.truth.world;
    const home = this.planes[(hashText(name) >>> 0) % planes];
    return home ?? (this.planes[0] as PlaneProcess);
  }
}
