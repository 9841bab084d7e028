/**
 * A plane that goes on from an older state of its log, as after `berth restore`: later epochs and
 * revisions than any that were forgotten, and the machines with what really runs there.
 */
import { between, hashText, keyed } from "../../core/kernel/keyed-hash.ts";
import { type Epoch, operationId } from "../../core/model/ids.ts";
import { RENEW_EVERY_MS } from "../../core/model/timing.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import { drawScheduled } from "../faults/scheduled-faults.ts";
import type { MachineProcess } from "../hosts/machine-process.ts";
import type { NodeMachine } from "../hosts/node-machine.ts";
import type { Sim } from "../sim.ts";
import type { Stage, Staging } from "../staging.ts";
import { createCast } from "../world/cast.ts";

const FIRST_START = hashText("first-start-of-restored");
const BOOT = hashText("boot-of-restored");

/** No leadership that was forgotten comes near. */
const EPOCHS_LATER = 1_000;
const REVISIONS_LATER = 10;

export interface Restore {
  readonly atMs: number;
  /** What the backup has. */
  readonly commits: readonly Commit[];
  /** The run that ends. */
  readonly before: Sim;
}

export function restoredStaging(of: Restore): Staging {
  return {
    cast: createCast,
    prepare: (stage) => prepare(stage, of),
    start: (stage) => start(stage, of),
  };
}

function prepare({ sim }: Stage, { atMs, commits, before }: Restore): void {
  const { queue, options, store, checks } = sim;
  const { world, faults, seed } = options;
  sim.nowMs = atMs;
  sim.truth.nowMs = atMs;
  checks.whileBeginning(() => {
    for (const commit of commits) {
      store.epoch = commit.epoch;
      sim.land(commit);
    }
    const until = before.store.commits.length + REVISIONS_LATER;
    for (let at = store.commits.length; at < until; at++) sim.land(nothing(at + 1, store.epoch));
  });
  store.epoch = before.store.epoch + EPOCHS_LATER;
  for (const fault of drawScheduled(seed, faults.rates, world)) {
    if (fault.atMs > atMs) queue.push(fault.atMs, { kind: "fault", fault });
  }
  if (world.faultsUntilMs > atMs) queue.push(world.faultsUntilMs, { kind: "heal" });
}

const nothing = (revision: number, epoch: Epoch): Commit => ({
  revision,
  epoch,
  atMs: 0,
  operation: operationId(`restored/${revision}`),
  actor: { role: "user", name: "restore" },
  command: "lead",
  basis: revision - 1,
  evidence: undefined,
  changes: [],
});

function start({ sim, cast, nodes }: Stage, { atMs, before }: Restore): void {
  const { queue, seed, truth, checks } = sim;
  for (const client of cast.clients) {
    if (client.machine !== undefined) continue;
    const delay = between(keyed(seed, FIRST_START, client.nameHash, atMs, 0), 1, 100);
    queue.push(atMs + delay, { kind: "restart-client", client, incarnation: 0 });
  }
  for (const node of truth.nodes.values()) {
    const old = before.truth.nodes.get(node.name);
    const isOn = old !== undefined && old.state !== "off";
    const draw = keyed(seed, BOOT, node.agent.nameHash, atMs, 0);
    if (isOn) {
      checks.whileBeginning(() => takeOver({ sim, before }, node, old));
      nodes.queueLeash(node);
      const delay = between(draw, 1, RENEW_EVERY_MS);
      queue.push(atMs + delay, { kind: "restart-client", client: node.agent, incarnation: 0 });
    } else {
      node.session = old?.session ?? 0;
      node.boots = old?.boots ?? 0;
      const bootMs = cast.firstBoots.find((boot) => boot.node === node)?.atMs ?? 0;
      const dueMs = Math.max(bootMs, atMs) + between(draw, 1, RENEW_EVERY_MS);
      queue.push(dueMs, { kind: "boot", node, boots: node.boots });
    }
  }
}

/** The machine notices nothing: what runs there goes on, and its leash ends when it would have. */
function takeOver(
  { sim, before }: { readonly sim: Sim; readonly before: Sim },
  node: NodeMachine,
  old: NodeMachine,
): void {
  const { nowMs, truth, checks } = sim;
  const { startUpMs, batchRunMs } = truth.world;
  node.state = "up";
  node.session = old.session;
  node.epoch = old.epoch;
  node.boots = old.boots;
  if (old.leashMs !== undefined) {
    const leftMs = old.leashMs - old.agent.clock.read(nowMs);
    node.leashMs = node.agent.clock.read(nowMs) + leftMs;
  }
  for (const process of old.all()) {
    process.isStopping = false;
    node.add(process);
    if (isKnown(sim, process)) checks.processStarted(process);
    else truth.forgotten.add(process);
    // Services never end by themselves.
    if (before.truth.objects.replica(process.replica)?.spec.type !== "batch") continue;
    const endMs = process.startedMs + startUpMs + batchRunMs;
    sim.queue.push(Math.max(nowMs + 1, endMs), { kind: "process-ends", node, process, code: 0 });
  }
}

/** The rules of one log say nothing about a process that the log has forgotten. */
function isKnown({ truth }: Sim, { replica, incarnation, node }: MachineProcess): boolean {
  const { status } = truth.objects.replica(replica) ?? {};
  return status?.incarnation === incarnation && status.node === node;
}
