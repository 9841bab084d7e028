/**
 * The provider that a provisioner speaks to: it keeps the machines of pools switched off until they
 * are asked for. It remembers its orders across crashes of the others, and carries out a repeated
 * order once.
 */
import { poolNodeName } from "../../core/observe/pool-nodes.ts";
import { poolNodeSpec } from "../../core/model/node/node-pool.ts";
import type { NodeMachine } from "../hosts/node-machine.ts";
import type { Sim } from "../sim.ts";
import type { World, WorldNode, WorldNodePool } from "./world.ts";

/**
 * Per pool. More than a run asks for: a machine that did not come is not asked for again under the
 * same name.
 */
export const MACHINES_OF_A_POOL = 24;

/** The machines that pools of this world may be given. */
export const machinesOfPools = ({ nodePools = [] }: World): readonly WorldNode[] =>
  nodePools.flatMap(({ name, spec }) =>
    Array.from({ length: MACHINES_OF_A_POOL }, (_, at) => ({
      name: poolNodeName(name, at + 1),
      labels: spec.labels ?? {},
      spec: nodeSpecOf(name, spec),
    })),
  );

const nodeSpecOf = (name: string, spec: WorldNodePool["spec"]): WorldNode["spec"] =>
  poolNodeSpec({ meta: { name }, spec });

export class MachineProvider {
  private readonly sim: Sim;
  private readonly asked = new Set<string>();
  /** Switches off a running machine; set by the host of the machines. */
  switchOff: (machine: NodeMachine) => void = () => undefined;

  constructor(sim: Sim) {
    this.sim = sim;
  }

  has(name: string): boolean {
    return this.machine(name) !== undefined;
  }

  /** Switches it on after a while, once. */
  create(name: string, afterMs: number): void {
    const machine = this.machine(name);
    if (machine === undefined || this.asked.has(name)) return;
    this.asked.add(name);
    this.sim.after(Math.max(1, afterMs), { kind: "boot", node: machine, boots: machine.boots });
  }

  /** Switches it off for good. */
  delete(name: string): void {
    const machine = this.machine(name);
    if (machine === undefined || machine.isTakenAway) return;
    machine.isTakenAway = true;
    if (machine.state !== "off") this.switchOff(machine);
  }

  isGone(name: string): boolean {
    return this.machine(name)?.isTakenAway ?? true;
  }

  private machine(name: string): NodeMachine | undefined {
    return this.sim.truth.nodes.get(name);
  }
}
