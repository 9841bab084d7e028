/**
 * Fragmentation gradient descent as the published runs had it, as a control: it is told the whole
 * workload in advance and places where the free devices that a typical pod could not use grow
 * least.
 */
import { type AskShape, type Fleet, WHOLE_UNIT } from "../../src/core/propose/fleet/fleet.ts";
import { tightestUnits, unitFits } from "../../src/core/propose/fleet/room.ts";
import type { ScoringPolicy } from "../../src/core/propose/policies/scoring-policy.ts";

interface Typical {
  readonly shape: AskShape;
  readonly chance: number;
}

/** The commonest pods that make up this much of all are typical. */
const TYPICAL_SHARE = 0.95;

export function createToldFgd(all: readonly AskShape[]): ScoringPolicy {
  const typical = typicalOf(all);
  return {
    name: "told-fgd",
    version: 0,
    arrived: () => undefined,
    score: (fleet, row, shape) => best(typical, fleet, row, shape).score,
    units: (fleet, row, shape) => best(typical, fleet, row, shape).units,
  };
}

function typicalOf(all: readonly AskShape[]): readonly Typical[] {
  const counts = new Map<string, { shape: AskShape; count: number }>();
  for (const shape of all) {
    const kinds = shape.kinds?.join("") ?? "any";
    const name = [shape.cpuMillis, shape.units, shape.unitMillis, kinds].join(" ");
    const known = counts.get(name);
    if (known === undefined) counts.set(name, { shape, count: 1 });
    else known.count += 1;
  }
  const typical: Typical[] = [];
  let covered = 0;
  for (const [, { shape, count }] of [...counts].toSorted(byCount)) {
    if (covered >= TYPICAL_SHARE * all.length) break;
    covered += count;
    typical.push({ shape, chance: count / all.length });
  }
  return typical;
}

type Counted = readonly [name: string, entry: { readonly count: number }];

const byCount = ([nameA, a]: Counted, [nameB, b]: Counted): number =>
  b.count - a.count || (nameA < nameB ? -1 : 1);

function best(
  typical: readonly Typical[],
  fleet: Fleet,
  row: number,
  shape: AskShape,
): { readonly score: number; readonly units: readonly number[] } {
  const cpuFree = fleet.cpuFree[row] ?? 0;
  const holes = [
    ...fleet.unitFree.subarray(fleet.unitStart[row] ?? 0, fleet.unitStart[row + 1] ?? 0),
  ];
  const kind = fleet.unitKind[fleet.unitStart[row] ?? 0] ?? 0;
  const before = fragmentation(typical, { cpuFree, holes, kind });
  let found = { score: -1, units: [] as readonly number[] };
  for (const units of choices(fleet, row, shape)) {
    const after = [...holes];
    for (const unit of units) {
      const at = unit - (fleet.unitStart[row] ?? 0);
      after[at] = (after[at] ?? 0) - shape.unitMillis;
    }
    const left = { cpuFree: cpuFree - shape.cpuMillis, holes: after, kind };
    const gain = before - fragmentation(typical, left);
    const score = Math.floor(100 / (1 + Math.exp(-gain / 1000)));
    if (score > found.score) found = { score, units };
  }
  return found;
}

/** Every device with another hole is a choice for a share; whole devices are all alike. */
function* choices(fleet: Fleet, row: number, shape: AskShape): Generator<readonly number[]> {
  if (shape.units !== 1 || shape.unitMillis === WHOLE_UNIT) {
    yield tightestUnits(fleet, row, shape);
    return;
  }
  const seen = new Set<number>();
  const end = fleet.unitStart[row + 1] ?? 0;
  for (let unit = fleet.unitStart[row] ?? 0; unit < end; unit += 1) {
    const hole = fleet.unitFree[unit] ?? 0;
    if (seen.has(hole) || !unitFits(fleet, unit, shape)) continue;
    seen.add(hole);
    yield [unit];
  }
}

interface Left {
  readonly cpuFree: number;
  readonly holes: readonly number[];
  readonly kind: number;
}

/** Thousandths of free devices that the next typical pod could not use, on the mean. */
function fragmentation(typical: readonly Typical[], { cpuFree, holes, kind }: Left): number {
  const free = holes.reduce((sum, hole) => sum + hole, 0);
  let lost = 0;
  for (const { shape, chance } of typical) {
    let fitting = 0;
    let tooSmall = 0;
    for (const hole of holes) {
      if (hole >= shape.unitMillis) fitting += 1;
      else tooSmall += hole;
    }
    const isOfUse =
      shape.units > 0 &&
      cpuFree >= shape.cpuMillis &&
      fitting >= shape.units &&
      (shape.kinds === undefined || shape.kinds[kind] === 1);
    lost += chance * (isOfUse ? tooSmall : free);
  }
  return lost;
}
