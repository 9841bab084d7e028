/** A machine that is up when the run begins, with the processes that its replicas say it has. */
import { nodeKey } from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import type { Stage as ReplicaStage } from "../../core/model/stage.ts";
import { LEASE_MS } from "../../core/model/timing.ts";
import type { MachineProcess } from "../hosts/machine-process.ts";
import type { NodeMachine } from "../hosts/node-machine.ts";
import type { Stage } from "../staging.ts";
import { hasNeverReady } from "../world/never-ready.ts";

/** A bound replica has no process yet; the process of an unknown one may be gone. */
const WITH_PROCESS: ReadonlySet<ReplicaStage> = new Set([
  "starting",
  "ready",
  "serving",
  "running",
]);

/** False: the fleet says that it is off, or that nothing was heard of it. */
export function switchOn({ sim, nodes }: Stage, machine: NodeMachine): boolean {
  const { objects } = sim.truth;
  const node = objects.node(nodeKey(machine.name));
  const { health, session = 0 } = node?.status ?? {};
  if (health !== "ready" && health !== "suspect") return false;
  machine.state = "up";
  machine.boots = 1;
  machine.session = session;
  for (const replica of objects.replicasOn(machine.name).values()) {
    const { stage, session: own } = replica.status;
    if (!WITH_PROCESS.has(stage) || own !== session) continue;
    const process = processOf(replica, machine, sim.truth.world.startUpMs);
    machine.add(process);
    sim.checks.processStarted(process);
  }
  machine.leashMs = machine.agent.clock.read(sim.nowMs) + LEASE_MS;
  nodes.queueLeash(machine);
  return true;
}

function processOf(
  { key, meta, spec, status }: Replica,
  machine: NodeMachine,
  startUpMs: number,
): MachineProcess {
  const isStarting = status.stage === "starting";
  return {
    replica: key,
    uid: meta.uid,
    incarnation: status.incarnation,
    node: machine.name,
    leashed: spec.template.onDisconnect === "stop",
    asked: spec.template.ask.amounts,
    startedMs: 0,
    permittedAt: 1,
    readyMs: !isStarting ? 0 : hasNeverReady(spec.template) ? Infinity : startUpMs,
    failingProbes: 0,
    lapse: undefined,
    isStopping: false,
    isGone: false,
  };
}
