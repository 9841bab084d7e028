/**
 * What there is and what it is good for, in three classes that never mix (QT9). Hard: machines that
 * are there, and what of them is held for good, reserved or kept for recovery. Reclaimable: what is
 * held by work that a higher class may preempt. Soft: machines that are only forecast, to which
 * nothing is ever committed.
 *
 * A region's row comes from two accounts that are kept apart, the nodes' and the tenants', and is
 * asserted to add up.
 */
import { assert } from "../model/assert.ts";
import { whyHeldBack } from "./feasibility/schedulable.ts";
import { AMOUNT_NAMES, type Amounts } from "../model/amounts.ts";
import type { Node } from "../model/objects.ts";
import { classOf, mayPreempt } from "../model/preemption.ts";
import { addTo, type Balance, zeroBalance } from "../observe/accounts/account.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import { isSpare } from "./recovery/spare-rooms.ts";

export interface CapacityRow {
  readonly hard: {
    /** What the machines have. */
    readonly capacity: Amounts;
    /** Held beyond what its machine has, since that shrank or is only a forecast now. */
    readonly overcommitted: Amounts;
    /** In use by replicas that cannot be preempted. */
    readonly committed: Amounts;
    /** Held for replicas on their way to a node; no region has it yet. */
    readonly reserved: Amounts;
    /** Kept free for replicas that lose their node (RV2). */
    readonly recovery: Amounts;
    /** Free on any machine. */
    readonly free: Amounts;
  };
  /** Held by replicas that a higher class may preempt. */
  readonly reclaimable: Amounts;
  /** What forecast machines would have. */
  readonly soft: Amounts;
  /** Of what is free: unavailable for now, since its machine is silent, cordoned or held back. */
  readonly outOfReach: Amounts;
}

export interface CapacityClasses {
  readonly total: CapacityRow;
  /** By region, in the order of their names. */
  readonly regions: ReadonlyMap<string, CapacityRow>;
}

interface Sums {
  readonly hard: { readonly [Part in keyof CapacityRow["hard"]]: Balance };
  readonly reclaimable: Balance;
  readonly soft: Balance;
  readonly outOfReach: Balance;
}

export function capacityClasses(objects: ObjectIndex): CapacityClasses {
  const sums = new Map<string, Sums>();
  for (const node of objects.all("Node").values()) countNode(objects, node, sumsOf(sums, node));
  countHeld(objects, sums);
  countVanished(sums.get(NOWHERE));
  const regions = new Map([...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const total = emptyRow();
  for (const [region, row] of regions) {
    assertAddsUp(region, row);
    for (const part of HARD_PARTS) addTo(total.hard[part], row.hard[part], 1);
    addTo(total.reclaimable, row.reclaimable, 1);
    addTo(total.soft, row.soft, 1);
    addTo(total.outOfReach, row.outOfReach, 1);
  }
  for (const tenant of objects.tenantsWithAccount()) {
    addTo(total.hard.reserved, objects.accountOf(tenant).reserved, 1);
  }
  return { total, regions };
}

function countNode(objects: ObjectIndex, node: Node, sums: Sums): void {
  const { supply, capacity } = node.spec;
  addTo(supply === "soft" ? sums.soft : sums.hard.capacity, capacity, 1);
  const { overcommitted, recovery, free } = nodeRoom(objects, node);
  addTo(sums.hard.overcommitted, overcommitted, 1);
  addTo(sums.hard.recovery, recovery, 1);
  addTo(sums.hard.free, free, 1);
  if (whyHeldBack(node) !== undefined) addTo(sums.outOfReach, free, 1);
}

/** The free room of one node, and its overcommitment. */
export function nodeRoom(
  objects: ObjectIndex,
  { meta, spec }: Node,
): Pick<CapacityRow["hard"], "overcommitted" | "recovery" | "free"> {
  const use = objects.useOf(meta.name);
  const kept = zeroBalance();
  for (const held of use.held.values()) if (isSpare(held)) addTo(kept, held.spec.amounts, 1);
  const found = { overcommitted: zeroBalance(), recovery: zeroBalance(), free: zeroBalance() };
  for (const name of AMOUNT_NAMES) {
    // Whatever a forecast may still hold from when it was a machine has no hard capacity under it.
    const room = (spec.supply === "soft" ? 0 : spec.capacity[name]) - use[name];
    if (room < 0) {
      found.overcommitted[name] = -room;
      continue;
    }
    // A machine that shrank may have less than is kept on it: the missing part is not reserved.
    found.recovery[name] = Math.min(room, kept[name]);
    found.free[name] = room - found.recovery[name];
  }
  return found;
}

/** Which classes' work some other class may preempt. */
export function reclaimableClasses(objects: ObjectIndex): (priorityClass: string) => boolean {
  const classes = objects.all("PriorityClass");
  const specs = [...classes.values()].map(({ spec }) => spec);
  const known = new Map<string, boolean>();
  return (name) => {
    let isReclaimable = known.get(name);
    if (isReclaimable === undefined) {
      const held = classOf(classes, name);
      isReclaimable = specs.some((by) => mayPreempt(by, held));
      known.set(name, isReclaimable);
    }
    return isReclaimable;
  };
}

function countHeld(objects: ObjectIndex, sums: Map<string, Sums>): void {
  const isReclaimable = reclaimableClasses(objects);
  for (const [region, byClass] of objects.quotaUsage.held) {
    for (const [name, amounts] of byClass) {
      const row = sums.get(region) ?? emptyRow();
      sums.set(region, row);
      addTo(isReclaimable(name) ? row.reclaimable : row.hard.committed, amounts, 1);
    }
  }
}

/** What replicas hold of nodes that were deleted under them is in no region (OB9). */
const NOWHERE = "";

function countVanished(row: Sums | undefined): void {
  if (row === undefined) return;
  const { hard, reclaimable } = row;
  for (const name of AMOUNT_NAMES) {
    const spent = hard.committed[name] + reclaimable[name] + hard.recovery[name] + hard.free[name];
    const beyond = spent - hard.capacity[name] - hard.overcommitted[name];
    if (beyond > 0) hard.overcommitted[name] += beyond;
  }
}

const HARD_PARTS = [
  "capacity",
  "overcommitted",
  "committed",
  "reserved",
  "recovery",
  "free",
] as const satisfies readonly (keyof CapacityRow["hard"])[];

const emptyRow = (): Sums => ({
  hard: {
    capacity: zeroBalance(),
    overcommitted: zeroBalance(),
    committed: zeroBalance(),
    reserved: zeroBalance(),
    recovery: zeroBalance(),
    free: zeroBalance(),
  },
  reclaimable: zeroBalance(),
  soft: zeroBalance(),
  outOfReach: zeroBalance(),
});

function sumsOf(sums: Map<string, Sums>, { spec }: Node): Sums {
  const row = sums.get(spec.region) ?? emptyRow();
  sums.set(spec.region, row);
  return row;
}

function assertAddsUp(region: string, { hard, reclaimable }: CapacityRow): void {
  for (const name of AMOUNT_NAMES) {
    const there = hard.capacity[name] + hard.overcommitted[name];
    const spent = hard.committed[name] + reclaimable[name] + hard.recovery[name] + hard.free[name];
    assert(
      there === spent,
      `Capacity of region ${region} does not add up: ${name} ${there} exists, ${spent} is accounted for.`,
    );
  }
}
