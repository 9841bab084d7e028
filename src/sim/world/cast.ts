/**
 * The participants of a run: the planes, the controllers, the user, and a machine with an agent per
 * node.
 */
import { allControllers } from "../../core/all-controllers.ts";
import { ControllerGroup } from "../../core/controller-group.ts";
import { Runner } from "../../core/runner/runner.ts";
import { RECOVERY_BUDGET_COMPONENTS, isBudgeted } from "./budgeted.ts";
import type { Client, ClientProcess } from "../hosts/client-process.ts";
import { POOL_COMPONENTS, PROVISIONER } from "../faults/fault-target.ts";
import { Gauge } from "./gauge.ts";
import { attackersOf } from "../hostile/attack.ts";
import { HostileSender } from "../hostile/hostile-sender.ts";
import { type AddClient, Hiring } from "./hiring.ts";
import { MachineProvider, machinesOfPools } from "./machine-provider.ts";
import type { NodeMachine } from "../hosts/node-machine.ts";
import { clientNameOf, peopleOf } from "../roles/person-act.ts";
import { PersonWithRoles } from "../roles/person.ts";
import type { PlaneProcess } from "../hosts/plane-process.ts";
import { createProvisioner } from "./provisioner.ts";
import type { Sim } from "../sim.ts";
import { hasOwners, OWNER_COMPONENTS } from "./owned.ts";
import { idleInRole } from "./regional-components.ts";
import { User } from "./user.ts";
import { userScript } from "./user-script.ts";
import type { World, WorldNode } from "./world.ts";

export interface Cast {
  readonly planes: readonly PlaneProcess[];
  readonly clients: readonly ClientProcess[];
  readonly user: ClientProcess;
  /** True time at which each machine is first switched on. */
  readonly firstBoots: readonly { readonly node: NodeMachine; readonly atMs: number }[];
  readonly provider: MachineProvider;
}

export function createCast(sim: Sim): Cast {
  const { truth } = sim;
  const { world } = truth;
  const hiring = new Hiring(sim);
  const { planes, client } = hiring;
  const isScaled = world.autoscalers !== undefined;
  addControllers(world, client);
  const steps = userScript(world);
  const user = client(
    "user",
    (process) => new User(steps, process().readClock(sim.nowMs) - sim.nowMs),
  );
  const machine = (of: WorldNode): NodeMachine => hiring.machine(of.name, of.spec);
  const firstBoots = machinesOf(sim).map((each) => ({ node: machine(each), atMs: each.atMs }));
  if (isScaled) {
    client("gauge", (process) => new Gauge(world, process().readClock(sim.nowMs) - sim.nowMs));
  }
  const provider = new MachineProvider(sim);
  if (world.nodePools !== undefined) {
    // These machines are off until a provisioner asks for them.
    for (const each of machinesOfPools(world)) machine(each);
    client(PROVISIONER, (process) => {
      const offsetMs = process().readClock(sim.nowMs) - sim.nowMs;
      const controller = createProvisioner(world, provider, offsetMs);
      return new Runner({ name: PROVISIONER, controller });
    });
  }
  // Last, so that all other components keep their numbers.
  addAttackers(sim, steps, client);
  addPeople(sim, client);
  addNeighbour(sim, client);
  return { planes, clients: truth.everyClient, user, firstBoots, provider };
}

function addControllers(world: World, client: AddClient): void {
  // A component without work in a world is left out: it costs nothing and moves no other draws.
  const idle = new Set<string>([
    ...(world.people === undefined ? ["expire-binding"] : []),
    ...(world.autoscalers === undefined ? ["scale"] : []),
    ...(world.nodePools === undefined ? POOL_COMPONENTS : []),
    ...(isBudgeted(world) ? [] : RECOVERY_BUDGET_COMPONENTS),
    ...(hasOwners(world) ? [] : OWNER_COMPONENTS),
    ...idleInRole(world),
  ]);
  const controllers = allControllers(world.schedulers).filter(([name]) => !idle.has(name));
  if (world.controllersShareView) {
    const created = (): Client => {
      const made = controllers.map(([name, create]) => [name, create()] as const);
      return new ControllerGroup({ name: "controllers", controllers: made });
    };
    client("controllers", created);
  } else {
    for (const [name, create] of controllers) {
      client(name, () => new Runner({ name, controller: create() }));
    }
  }
}

function addAttackers(sim: Sim, steps: ReturnType<typeof userScript>, client: AddClient): void {
  const { attacks = [] } = sim.truth.world;
  const people = steps.map(({ atMs, intent }) => ({ atMs, operation: intent.operation }));
  for (const by of attackersOf(attacks)) {
    const create = (process: () => ClientProcess): Client => {
      const startMs = process().readClock(sim.nowMs) - sim.nowMs;
      return new HostileSender({ by, attacks, people, startMs });
    };
    client(`hostile:${by}`, create, { isHostile: true });
  }
}

function addPeople(sim: Sim, client: AddClient): void {
  const { people = [] } = sim.truth.world;
  for (const who of peopleOf(people)) {
    const create = (process: () => ClientProcess): Client =>
      new PersonWithRoles(who, people, process().readClock(sim.nowMs) - sim.nowMs);
    client(clientNameOf(who), create, { isHostile: true });
  }
}

function addNeighbour(sim: Sim, client: AddClient): void {
  const { neighbour } = sim.truth.world;
  if (neighbour === undefined) return;
  client("neighbour", (process) => new User(neighbour, process().readClock(sim.nowMs) - sim.nowMs));
}

/** A node that is added later is switched on when it is added. */
function machinesOf({ truth }: Sim): readonly (WorldNode & { readonly atMs: number })[] {
  const { nodes, timeline } = truth.world;
  const machines = new Map(nodes.map((node) => [node.name, { ...node, atMs: 0 }]));
  for (const { atMs, action } of timeline) {
    if (action.do === "add-node" && !machines.has(action.node.name))
      machines.set(action.node.name, { ...action.node, atMs });
  }
  return [...machines.values()];
}
