/** Who takes part in a run: two planes, the controllers, the user, and a machine with an agent per node. */
import { ConvergeNode } from "../core/agent/converge-node.ts";
import type { Controller } from "../core/controller.ts";
import { createDrainNode } from "../core/correct/drain-node.ts";
import { createNodeHealth } from "../core/correct/node-health.ts";
import { createReclaimLeak } from "../core/correct/reclaim-leak.ts";
import { createReleaseLost } from "../core/correct/release-lost.ts";
import { createAdmit } from "../core/propose/admit.ts";
import { createPlace } from "../core/propose/place.ts";
import { Runner } from "../core/runner.ts";
import { type Client, ClientProcess } from "./client-process.ts";
import { DriftingClock } from "./clock.ts";
import { NodeMachine } from "./node-machine.ts";
import { PlaneProcess } from "./plane-process.ts";
import type { Sim } from "./sim.ts";
import { User } from "./user.ts";
import { userScript } from "./user-script.ts";

export interface Cast {
  readonly planes: readonly [PlaneProcess, PlaneProcess];
  readonly clients: readonly ClientProcess[];
  readonly user: ClientProcess;
  /** True time each machine is switched on for the first time. */
  readonly firstBoots: readonly { readonly node: NodeMachine; readonly atMs: number }[];
}

export function createCast(sim: Sim): Cast {
  const { seed, truth } = sim;
  const { world } = truth;
  let index = 0;
  const plane = (name: string): PlaneProcess =>
    new PlaneProcess({ index: index++, name, clock: new DriftingClock(), seed });
  const planes = [plane("plane-1"), plane("plane-2")] as const;
  const client = (
    name: string,
    create: (process: () => ClientProcess) => Client,
  ): ClientProcess => {
    const process: ClientProcess = new ClientProcess({
      index: index++,
      name,
      clock: new DriftingClock(),
      seed,
      create: () => create(() => process),
      plane: planes[0],
    });
    process.interest = process.create().view.interest;
    sim.router.register(process);
    truth.everyClient.push(process);
    return process;
  };
  for (const [name, create] of controllers(world.schedulers)) {
    client(name, () => new Runner({ name, controller: create() }));
  }
  const steps = userScript(world);
  const user = client(
    "user",
    (process) => new User(steps, process().readClock(sim.nowMs) - sim.nowMs),
  );
  const firstBoots = machinesOf(sim).map(({ name, atMs }) => {
    const agent = client(`agent:${name}`, () => new ConvergeNode({ node: name }));
    const node = new NodeMachine(name, agent);
    agent.machine = node;
    truth.nodes.set(name, node);
    return { node, atMs };
  });
  return { planes, clients: truth.everyClient, user, firstBoots };
}

function controllers(schedulers: number): readonly (readonly [string, () => Controller])[] {
  const places = Array.from(
    { length: schedulers },
    (_, at) => [`place-${at + 1}`, createPlace] as const,
  );
  return [
    ["admit", createAdmit],
    ...places,
    ["node-health", createNodeHealth],
    ["release-lost", createReleaseLost],
    ["reclaim-leak", createReclaimLeak],
    ["drain-node", createDrainNode],
  ];
}

/** A node that is added later is switched on when it is added. */
function machinesOf({ truth }: Sim): readonly { readonly name: string; readonly atMs: number }[] {
  const { nodes, timeline } = truth.world;
  const machines = new Map(nodes.map(({ name }) => [name, 0]));
  for (const { atMs, action } of timeline) {
    if (action.do === "add-node" && !machines.has(action.node.name))
      machines.set(action.node.name, atMs);
  }
  return [...machines].map(([name, atMs]) => ({ name, atMs }));
}
