/**
 * What room held for preemptors takes off the columns. The columns themselves show what is there
 * now; on a node with reservations others may have no more than is left now *and* once those who
 * leave have left and those it is held for have come. The difference is taken off its row, and
 * worked out anew when something moves there.
 */
import type { Change } from "../../protocol/commit-record.ts";
import type { Replica, Reservation } from "../../model/objects.ts";
import { tightUse } from "../../observe/held-room.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import type { Fleet, Withheld } from "./fleet.ts";

const NOTHING_WITHHELD: Withheld = {
  cpuMillis: 0,
  memoryMiB: 0,
  deviceMillis: 0,
  replicas: 0,
  units: new Map(),
};

export class HeldRows {
  private readonly objects: ObjectIndex;
  /**
   * Whether the owner's bind to that very node was asked for: then its room is counted with the
   * bind.
   */
  private readonly isTaken: (held: Reservation) => boolean;
  /** By node: what its row lacks for it at present. */
  private readonly withheld = new Map<string, Withheld>();
  /** Nodes where something moved since. */
  private readonly stale = new Set<string>();

  constructor(objects: ObjectIndex, isTaken: (held: Reservation) => boolean) {
    this.objects = objects;
    this.isTaken = isTaken;
  }

  /** A bind to the node was asked for, or given up. */
  bindMoved(node: string): void {
    if (this.withheld.has(node)) this.stale.add(node);
  }

  /** Whether there is no reserved room, which is nearly always so. */
  get isEmpty(): boolean {
    return this.withheld.size === 0 && this.stale.size === 0;
  }

  follow({ before, after }: Change): void {
    const some = after ?? before;
    if (some?.kind === "Reservation") this.reservationMoved(some);
    if (this.isEmpty || some?.kind !== "Replica") return;
    for (const replica of [before, after]) {
      const node = (replica as Replica | undefined)?.status.node;
      if (node !== undefined && this.withheld.has(node)) this.stale.add(node);
    }
  }

  /** The columns were laid anew, from what is there now alone. */
  laid(nodes: Iterable<string>): void {
    this.withheld.clear();
    this.stale.clear();
    for (const node of nodes) if (this.objects.useOf(node).held.size > 0) this.stale.add(node);
  }

  /** Brings the columns up to date; the view must have folded everything that was followed. */
  settle(fleet: Fleet): void {
    if (this.stale.size === 0) return;
    for (const node of this.stale) this.settleRow(fleet, node);
    this.stale.clear();
  }

  private reservationMoved({ spec }: Reservation): void {
    if (spec.for !== "quota") this.stale.add(spec.room.node);
  }

  private settleRow(fleet: Fleet, node: string): void {
    const row = fleet.rowOf(node);
    if (row === undefined) return;
    const was = this.withheld.get(node) ?? NOTHING_WITHHELD;
    const hasHolds = this.objects.useOf(node).held.size > 0;
    const is = hasHolds ? this.withheldOf(fleet, row) : NOTHING_WITHHELD;
    if (hasHolds) this.withheld.set(node, is);
    else this.withheld.delete(node);
    fleet.withhold(row, was, -1);
    fleet.withhold(row, is, 1);
  }

  private withheldOf(fleet: Fleet, row: number): Withheld {
    const node = fleet.names[row] ?? "";
    const now = this.objects.useOf(node);
    const tight = tightUse(this.objects, node, this.isTaken);
    const units = new Map<number, number>();
    const end = fleet.unitStart[row + 1] ?? 0;
    for (let unit = fleet.unitStart[row] ?? 0; unit < end; unit += 1) {
      const id = fleet.unitIds[unit] ?? "";
      const used = now.devices.get(id)?.usedMillis ?? 0;
      const more = (tight.devices.get(id)?.usedMillis ?? 0) - used;
      if (more > 0) units.set(unit, more);
    }
    return {
      cpuMillis: tight.cpuMillis - now.cpuMillis,
      memoryMiB: tight.memoryMiB - now.memoryMiB,
      deviceMillis: tight.deviceMillis - now.deviceMillis,
      replicas: tight.replicas - now.replicas,
      units,
    };
  }
}
