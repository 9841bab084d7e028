/**
 * A run that begins with a state instead of an empty log: its objects are the first commit, the
 * processes of bound replicas run already, and agents find them as after an agent's own restart.
 * Nothing heals and nothing is drawn: what happens to this world is up to the one who begins it.
 */
import { allControllers } from "../../core/all-controllers.ts";
import { ControllerGroup } from "../../core/controller-group.ts";
import { between, hashText, keyed } from "../../core/kernel/keyed-hash.ts";
import { operationId } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { RENEW_EVERY_MS } from "../../core/model/timing.ts";
import { Runner } from "../../core/runner/runner.ts";
import type { ClientProcess } from "../hosts/client-process.ts";
import type { Sim } from "../sim.ts";
import type { Stage, Staging } from "../staging.ts";
import type { Cast } from "../world/cast.ts";
import { Gauge } from "../world/gauge.ts";
import { Hiring } from "../world/hiring.ts";
import { MachineProvider } from "../world/machine-provider.ts";
import { User } from "../world/user.ts";
import type { Step } from "../world/user-script.ts";
import { Hands } from "./hands.ts";
import { switchOn } from "./running-machine.ts";

export interface Beginning {
  /** The reading of every clock when the run begins. */
  readonly clocksFromMs: number;
  /** In the log when the run begins. */
  readonly objects: readonly AnyObject[];
  /** The run ends then. */
  readonly untilMs: number;
  /** Turns of agents to which nothing happens are put off; the rest of the run is the same. */
  readonly agentsRest: boolean;
  /** Queues what happens to the world. */
  play(hands: Hands): void;
}

const FIRST_START = hashText("first-start-of-begun");
const CONTROLLERS_START_MS = 100;

export class BegunStaging implements Staging {
  private readonly beginning: Beginning;
  private readonly steps: Step[] = [];
  private secondScheduler: ClientProcess | undefined;

  constructor(beginning: Beginning) {
    this.beginning = beginning;
  }

  cast(sim: Sim): Cast {
    const { beginning, steps } = this;
    const hiring = new Hiring(sim, beginning.clocksFromMs);
    const { planes, client } = hiring;
    const named = allControllers(2);
    client("controllers", () => {
      const first = named.filter(([name]) => name !== SECOND_SCHEDULER);
      const controllers = first.map(([name, create]) => [name, create()] as const);
      return new ControllerGroup({ name: "controllers", controllers });
    });
    const user = client("user", () => new User(steps, 0));
    for (const [name, create] of named) {
      if (name !== SECOND_SCHEDULER) continue;
      this.secondScheduler = client(name, () => new Runner({ name, controller: create() }));
    }
    for (const object of beginning.objects) {
      if (object.kind === "Node") hiring.machine(object.meta.name, object.spec);
    }
    const { world } = sim.truth;
    if (world.autoscalers !== undefined) {
      client("gauge", (process) => new Gauge(world, process().readClock(sim.nowMs) - sim.nowMs));
    }
    const provider = new MachineProvider(sim);
    return { planes, clients: sim.truth.everyClient, user, firstBoots: [], provider };
  }

  prepare({ sim }: Stage): void {
    const { objects, clocksFromMs, untilMs } = this.beginning;
    const changes = objects.map((after) => ({ key: after.key, before: undefined, after }));
    sim.checks.whileBeginning(() => {
      sim.land({
        revision: 1,
        epoch: 0,
        atMs: clocksFromMs,
        operation: operationId("begin"),
        actor: { role: "user", name: "beginning" },
        command: "put",
        basis: 0,
        evidence: undefined,
        changes,
      });
    });
    sim.queue.push(untilMs, { kind: "end" });
  }

  start(stage: Stage): void {
    const { sim, cast } = stage;
    const { queue, seed, checks } = sim;
    for (const client of cast.clients) {
      if (client.machine !== undefined || client === this.secondScheduler) continue;
      const draw = keyed(seed, FIRST_START, client.nameHash, 0, 0);
      const atMs = between(draw, 1, CONTROLLERS_START_MS);
      queue.push(atMs, { kind: "restart-client", client, incarnation: 0 });
    }
    checks.whileBeginning(() => {
      for (const node of sim.truth.nodes.values()) {
        if (!switchOn(stage, node)) continue;
        // Agents of a fleet renew at all times of a round, not in step.
        const draw = keyed(seed, FIRST_START, node.agent.nameHash, 0, 0);
        const atMs = between(draw, 1, RENEW_EVERY_MS);
        queue.push(atMs, { kind: "restart-client", client: node.agent, incarnation: 0 });
      }
    });
    if (this.beginning.agentsRest) stage.clients.letAgentsRest();
    const { steps, secondScheduler } = this;
    this.beginning.play(new Hands(stage, { steps, secondScheduler }));
  }
}

const SECOND_SCHEDULER = "place-2";
