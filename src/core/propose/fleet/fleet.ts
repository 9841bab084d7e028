/**
 * The nodes of one scheduler's view as columns: what each has, what is left of it, unit by unit.
 * Scores and room checks walk typed arrays instead of objects, so that the cost of a decision is a
 * few cache lines and not a few thousand look-ups.
 *
 * A row is a node; rows are in the order of names, so that "the first of the best" never depends on
 * who arrived when. The fleet knows amounts and units only. Whether a node may be used at all is
 * asked of `feasibility/`, and whether it will be is the authority's to say.
 */
import type { Amounts } from "../../model/amounts.ts";

/** One device of a node. `kind` is an interned class and model. */
export interface Unit {
  readonly id: string;
  readonly kind: number;
  readonly usedMillis: number;
}

export interface Row {
  readonly name: string;
  readonly cpuMillis: number;
  readonly memoryMiB: number;
  readonly cpuUsedMillis: number;
  readonly memoryUsedMiB: number;
  /** How many more replicas it may hold. */
  readonly replicasLeft: number;
  /** What it has less what its replicas hold, devices that hang on it no longer included. */
  readonly deviceMillisLeft: number;
  readonly units: readonly Unit[];
}

/**
 * How much more a node has than before. Its devices are not in it: other units make another layout.
 */
export interface Resize {
  readonly cpuMillis: number;
  readonly memoryMiB: number;
  readonly replicas: number;
}

/** What one replica asks for, in the terms of the columns. */
export interface AskShape {
  readonly cpuMillis: number;
  readonly memoryMiB: number;
  /** Whole devices, or 1 for a share of one. */
  readonly units: number;
  /** What it takes of each of them: 1000 for a whole device, 0 when `units` is 0. */
  readonly unitMillis: number;
  /** Which kinds of unit will do, by kind; undefined takes any. */
  readonly kinds: Uint8Array | undefined;
}

/** Room without an owner that is not available. */
export interface Withheld {
  readonly cpuMillis: number;
  readonly memoryMiB: number;
  readonly deviceMillis: number;
  readonly replicas: number;
  /** By index of the unit. */
  readonly units: ReadonlyMap<number, number>;
}

/** One whole device. */
export const WHOLE_UNIT = 1_000;

/**
 * How many touches are remembered. A reader further behind looks at every row anew, which costs it
 * no more than reading that many touches would have.
 */
const TOUCHES_KEPT = 1 << 16;

export class Fleet {
  readonly size: number;
  readonly names: readonly string[];
  readonly unitIds: readonly string[];
  /**
   * Amounts are whole numbers of up to 2⁵³; in 32 bits a node of 2.2 million cores would be below
   * zero.
   */
  readonly cpuTotal: Float64Array;
  readonly memoryTotal: Float64Array;
  readonly cpuFree: Float64Array;
  readonly memoryFree: Float64Array;
  readonly replicasLeft: Int32Array;
  readonly deviceMillisLeft: Int32Array;
  /** The units of row r are those from unitStart[r] up to unitStart[r + 1]. */
  readonly unitStart: Int32Array;
  readonly unitKind: Uint16Array;
  readonly unitFree: Int16Array;
  /** Free thousandths of all units of a row, and how many of its units are idle. */
  readonly millisFree: Int32Array;
  readonly idleUnits: Int16Array;
  /** Grows when the node itself changed (its health, labels, taints), not only what it holds. */
  readonly nodeVersion: Int32Array;
  /** How many touches there have been. */
  touches = 0;
  private sumOfRows: Amounts | undefined;
  private readonly touched = new Int32Array(TOUCHES_KEPT);
  private readonly rows = new Map<string, number>();

  /** `rows` in the order in which ties are broken. */
  constructor(rows: readonly Row[]) {
    const size = rows.length;
    this.size = size;
    this.names = rows.map(({ name }) => name);
    const units = rows.flatMap((row) => row.units);
    this.unitIds = units.map(({ id }) => id);
    this.cpuTotal = new Float64Array(size);
    this.memoryTotal = new Float64Array(size);
    this.cpuFree = new Float64Array(size);
    this.memoryFree = new Float64Array(size);
    this.replicasLeft = new Int32Array(size);
    this.deviceMillisLeft = new Int32Array(size);
    this.nodeVersion = new Int32Array(size);
    this.unitStart = new Int32Array(size + 1);
    this.unitKind = Uint16Array.from(units, ({ kind }) => kind);
    this.unitFree = Int16Array.from(units, ({ usedMillis }) => WHOLE_UNIT - usedMillis);
    this.millisFree = new Int32Array(size);
    this.idleUnits = new Int16Array(size);
    let unit = 0;
    for (const [at, row] of rows.entries()) {
      this.rows.set(row.name, at);
      this.unitStart[at] = unit;
      unit += row.units.length;
      this.write(at, row);
    }
    this.unitStart[size] = unit;
    for (let at = 0; at < size; at += 1) this.sumUnits(at);
  }

  /** What all nodes have, taken or not. */
  get total(): Amounts {
    if (this.sumOfRows === undefined) {
      const [cpuMillis, memoryMiB] = [sumOf(this.cpuTotal), sumOf(this.memoryTotal)];
      const deviceMillis = this.unitKind.length * WHOLE_UNIT;
      this.sumOfRows = { cpuMillis, memoryMiB, deviceMillis };
    }
    return this.sumOfRows;
  }

  rowOf(name: string): number | undefined {
    return this.rows.get(name);
  }

  /**
   * Takes what the ask wants from a row, or gives it back with sign −1; `units` are indices of
   * units.
   */
  take(row: number, shape: AskShape, units: readonly number[], sign: 1 | -1): void {
    add(this.cpuFree, row, -sign * shape.cpuMillis);
    add(this.memoryFree, row, -sign * shape.memoryMiB);
    add(this.replicasLeft, row, -sign);
    add(this.deviceMillisLeft, row, -sign * shape.units * shape.unitMillis);
    for (const unit of units) add(this.unitFree, unit, -sign * shape.unitMillis);
    if (units.length > 0) this.sumUnits(row);
    this.touch(row);
  }

  /**
   * The node's room has changed, for all owners. Told as a difference, because the view may already
   * show replicas that the fleet has not been told of.
   */
  resize(row: number, by: Resize): void {
    add(this.cpuTotal, row, by.cpuMillis);
    add(this.cpuFree, row, by.cpuMillis);
    add(this.memoryTotal, row, by.memoryMiB);
    add(this.memoryFree, row, by.memoryMiB);
    add(this.replicasLeft, row, by.replicas);
    this.touch(row);
  }

  /** Takes room off a row that is held for somebody, or gives it back with sign −1. */
  withhold(row: number, what: Withheld, sign: 1 | -1): void {
    add(this.cpuFree, row, -sign * what.cpuMillis);
    add(this.memoryFree, row, -sign * what.memoryMiB);
    add(this.replicasLeft, row, -sign * what.replicas);
    add(this.deviceMillisLeft, row, -sign * what.deviceMillis);
    for (const [unit, millis] of what.units) add(this.unitFree, unit, -sign * millis);
    if (what.units.size > 0) this.sumUnits(row);
    this.touch(row);
  }

  /** The node's own object changed: whether it may be used at all has to be asked anew. */
  nodeChanged(row: number): void {
    add(this.nodeVersion, row, 1);
    this.touch(row);
  }

  /** Whether every touch from number `at` on can still be read. */
  remembers(at: number): boolean {
    return this.touches - at <= TOUCHES_KEPT;
  }

  touchedRow(at: number): number {
    return this.touched[at % TOUCHES_KEPT] ?? 0;
  }

  private touch(row: number): void {
    this.touched[this.touches % TOUCHES_KEPT] = row;
    this.touches += 1;
  }

  private write(at: number, row: Row): void {
    this.cpuTotal[at] = row.cpuMillis;
    this.memoryTotal[at] = row.memoryMiB;
    this.cpuFree[at] = row.cpuMillis - row.cpuUsedMillis;
    this.memoryFree[at] = row.memoryMiB - row.memoryUsedMiB;
    this.replicasLeft[at] = row.replicasLeft;
    this.deviceMillisLeft[at] = row.deviceMillisLeft;
  }

  private sumUnits(row: number): void {
    let free = 0;
    let idle = 0;
    const end = this.unitStart[row + 1] ?? 0;
    for (let unit = this.unitStart[row] ?? 0; unit < end; unit += 1) {
      const left = this.unitFree[unit] ?? 0;
      free += left;
      if (left === WHOLE_UNIT) idle += 1;
    }
    this.millisFree[row] = free;
    this.idleUnits[row] = idle;
  }
}

function sumOf(column: Float64Array): number {
  let sum = 0;
  for (const amount of column) sum += amount;
  return sum;
}

function add(column: Float64Array | Int32Array | Int16Array, at: number, amount: number): void {
  column[at] = (column[at] ?? 0) + amount;
}
