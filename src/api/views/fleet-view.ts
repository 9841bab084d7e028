/** One row a node: how it is, who holds it back, and what of it is held, kept and free. */
import type { Commit } from "../../core/protocol/commit-record.ts";
import { AMOUNT_NAMES, type AmountName } from "../../core/model/amounts.ts";
import { nodeKey } from "../../core/model/ids.ts";
import type { Node, Replica } from "../../core/model/objects.ts";
import { addTo, type Balance, zeroBalance } from "../../core/observe/accounts/account.ts";
import { nodeRoom, reclaimableClasses } from "../../core/rules/capacity-classes.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { isSpare } from "../../core/rules/recovery/spare-rooms.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { healthWord, readyCondition } from "../kinds/status/node-status.ts";
import type { View } from "./view.ts";
import type { DrainCell, FleetRow, PartsCell } from "./view-rows.ts";

export class FleetView implements View {
  private readonly objects: ObjectIndex;
  private isReclaimable: (priorityClass: string) => boolean;

  constructor({ objects }: Pick<PlanePort, "objects">) {
    this.objects = objects;
    this.isReclaimable = reclaimableClasses(objects);
  }

  keys(): readonly string[] {
    return [...this.objects.all("Node").values()].map(({ meta }) => meta.name);
  }

  row(key: string): FleetRow | undefined {
    const node = this.objects.node(nodeKey(key));
    if (node === undefined) return undefined;
    const { meta, spec, status } = node;
    const { cpu, memory, devices, leaving } = this.parts(node);
    return [
      meta.name,
      spec.region,
      spec.zone,
      healthWord(node),
      status.healthSinceMs,
      status.health === "ready" ? "" : readyCondition(node).message,
      spec.cordons.map(({ holder, reason }) => ({ by: holder, why: reason })),
      drainOf(node),
      spec.supply ?? "hard",
      cpu,
      memory,
      devices,
      this.objects.useOf(meta.name).replicas,
      leaving,
    ];
  }

  *touched(commits: readonly Commit[]): Iterable<string> {
    for (const { changes } of commits) {
      for (const { before, after } of changes) {
        const some = after ?? before;
        if (some?.kind === "Node") yield some.meta.name;
        else if (some?.kind === "Replica") {
          yield* nodesOf(before as Replica | undefined, after as Replica | undefined);
        } else if (some?.kind === "Reservation" && some.spec.for !== "quota") {
          yield some.spec.room.node;
        } else if (some?.kind === "PriorityClass") {
          // What may be preempted may be another's work now, on any node.
          this.isReclaimable = reclaimableClasses(this.objects);
          yield* this.keys();
        }
      }
    }
  }

  private parts(node: Node): {
    readonly cpu: PartsCell;
    readonly memory: PartsCell;
    readonly devices: PartsCell;
    readonly leaving: number;
  } {
    const committed = zeroBalance();
    const reclaimable = zeroBalance();
    let leaving = 0;
    for (const { spec, status } of this.objects.replicasOn(node.meta.name).values()) {
      const { ask, priorityClass } = spec.template;
      addTo(this.isReclaimable(priorityClass) ? reclaimable : committed, ask.amounts, 1);
      if (status.stopping !== undefined) leaving += 1;
    }
    const { recovery, free } = nodeRoom(this.objects, node);
    const promised = this.promised(node.meta.name);
    const part = (name: AmountName): PartsCell => {
      // Room whose last holder has not left yet is counted with that holder.
      const reserved = Math.min(free[name], promised[name]);
      const left = free[name] - reserved;
      const held = [committed[name], reclaimable[name]] as const;
      return [node.spec.capacity[name], ...held, reserved, recovery[name], left];
    };
    const [cpu, memory, devices] = AMOUNT_NAMES.map(part) as [PartsCell, PartsCell, PartsCell];
    return { cpu, memory, devices, leaving };
  }

  private promised(node: string): Balance {
    const sum = zeroBalance();
    for (const held of this.objects.useOf(node).held.values()) {
      if (!isSpare(held)) addTo(sum, held.spec.amounts, 1);
    }
    return sum;
  }
}

/** Stage reports are by far the most frequent change, and no row shows a stage. */
function* nodesOf(before: Replica | undefined, after: Replica | undefined): Iterable<string> {
  const was = before?.status;
  const is = after?.status;
  const isSame =
    was?.node === is?.node &&
    was?.incarnation === is?.incarnation &&
    before?.meta.uid === after?.meta.uid &&
    (was?.stopping === undefined) === (is?.stopping === undefined);
  if (isSame) return;
  if (was?.node !== undefined) yield was.node;
  if (is?.node !== undefined && is.node !== was?.node) yield is.node;
}

function drainOf({ spec, status }: Node): DrainCell | null {
  if (!spec.draining) return null;
  const { holder = "", reason = "", deadlineMs } = spec.drain ?? {};
  const { sinceMs, overMs } = status.drain ?? {};
  return {
    by: holder,
    why: reason,
    since: sinceMs ?? null,
    deadline: sinceMs === undefined || deadlineMs === undefined ? null : sinceMs + deadlineMs,
    over: overMs ?? null,
  };
}
