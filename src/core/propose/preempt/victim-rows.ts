/**
 * For all replicas that ask for the same with the same class: what each node would cost. Worked out
 * for every node once and then only for those where something moved, so that the least disturbing
 * of all nodes is found without looking at all their replicas each time, and without passing any
 * node over.
 */
import { nodeKey } from "../../model/ids.ts";
import type { PriorityClassSpec, Replica } from "../../model/objects.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { type Choice, chooseVictims, type Outlook } from "./choose-victims.ts";

const NOTHING = 0;
const POSSIBLE = 1;
const BUDGET = 2;

export class VictimRows {
  readonly fleet: Fleet;
  /** How much of the planner's list of moved nodes has been read. */
  movesSeen: number;
  private readonly objects: ObjectIndex;
  private readonly by: PriorityClassSpec;
  private readonly outlook: Uint8Array;
  private readonly highest: Int32Array;
  private readonly budgeted: Int32Array;
  private readonly victims: Int32Array;
  private readonly sum: Float64Array;
  private readonly sinceMs: Float64Array;

  constructor(options: {
    readonly fleet: Fleet;
    readonly objects: ObjectIndex;
    readonly replica: Replica;
    readonly by: PriorityClassSpec;
    readonly moves: number;
  }) {
    const { size } = options.fleet;
    this.fleet = options.fleet;
    this.objects = options.objects;
    this.by = options.by;
    this.movesSeen = options.moves;
    this.outlook = new Uint8Array(size);
    this.highest = new Int32Array(size);
    this.budgeted = new Int32Array(size);
    this.victims = new Int32Array(size);
    this.sum = new Float64Array(size);
    this.sinceMs = new Float64Array(size);
    for (let row = 0; row < size; row += 1) this.lookAt(row, options.replica);
  }

  /** Something moved on this node. */
  moved(node: string, replica: Replica): void {
    const row = this.fleet.rowOf(node);
    if (row !== undefined) this.lookAt(row, replica);
  }

  /**
   * The node whose victims matter least, of those that may be used; the first by name among equals.
   */
  best(mayUse: (row: number) => boolean): number | undefined {
    let best: number | undefined;
    for (let row = 0; row < this.fleet.size; row += 1) {
      if (this.outlook[row] !== POSSIBLE) continue;
      if (best !== undefined && !this.isLess(row, best)) continue;
      if (mayUse(row)) best = row;
    }
    return best;
  }

  /** Whether some node would do if workloads could spare more of their replicas. */
  isBudgetInTheWay(mayUse: (row: number) => boolean): boolean {
    for (let row = 0; row < this.fleet.size; row += 1) {
      if (this.outlook[row] === BUDGET && mayUse(row)) return true;
    }
    return false;
  }

  choose(row: number, replica: Replica): Choice | undefined {
    const outlook = this.ask(row, replica);
    return typeof outlook === "string" ? undefined : outlook;
  }

  private ask(row: number, replica: Replica): Outlook {
    const { objects, by } = this;
    const node = objects.node(nodeKey(this.fleet.names[row] ?? ""));
    return node === undefined ? "nothing" : chooseVictims({ objects, node, replica, by });
  }

  private lookAt(row: number, replica: Replica): void {
    const outlook = this.ask(row, replica);
    if (typeof outlook === "string") {
      this.outlook[row] = outlook === "budget" ? BUDGET : NOTHING;
      return;
    }
    this.outlook[row] = POSSIBLE;
    this.highest[row] = outlook.highest;
    this.budgeted[row] = outlook.budgeted;
    this.victims[row] = outlook.victims.length;
    this.sum[row] = outlook.sum;
    this.sinceMs[row] = outlook.sinceMs;
  }

  /** In the order of [PE9]; ties are broken by the name, which is the row. */
  private isLess(a: number, b: number): boolean {
    for (const column of [this.highest, this.budgeted, this.victims, this.sum]) {
      const difference = (column[a] ?? 0) - (column[b] ?? 0);
      if (difference !== 0) return difference < 0;
    }
    return (this.sinceMs[a] ?? 0) > (this.sinceMs[b] ?? 0);
  }
}
