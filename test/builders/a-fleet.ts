/** Small fleets and asks in the terms of the columns, and what a policy would choose among them. */
import { type AskShape, Fleet, type Row } from "../../src/core/propose/fleet/fleet.ts";
import { hasRoom } from "../../src/core/propose/fleet/room.ts";
import type { ScoringPolicy } from "../../src/core/propose/policies/scoring-policy.ts";

export interface FleetRow {
  readonly cpuMillis?: number;
  readonly memoryMiB?: number;
  readonly cpuUsedMillis?: number;
  readonly memoryUsedMiB?: number;
  /** What is taken of each of its units. */
  readonly used?: readonly number[];
  readonly kind?: number;
}

/** Rows by name; each has 96 processors and 384 GiB unless it says otherwise. */
export const aFleet = (rows: Readonly<Record<string, FleetRow>>): Fleet =>
  new Fleet(Object.entries(rows).map(([name, row]) => aRow(name, row)));

function aRow(name: string, { used = [], kind = 0, ...amounts }: FleetRow): Row {
  return {
    name,
    cpuMillis: 96_000,
    memoryMiB: 393_216,
    cpuUsedMillis: 0,
    memoryUsedMiB: 0,
    replicasLeft: 100,
    deviceMillisLeft: used.reduce((left, millis) => left + 1000 - millis, 0),
    units: used.map((usedMillis, at) => ({ id: `${name}-${at}`, kind, usedMillis })),
    ...amounts,
  };
}

export const anAsk = (of: Partial<AskShape> = {}): AskShape => ({
  cpuMillis: 1_000,
  memoryMiB: 1_024,
  units: 0,
  unitMillis: 0,
  kinds: undefined,
  ...of,
});

export const aShare = (unitMillis: number, of: Partial<AskShape> = {}): AskShape =>
  anAsk({ units: 1, unitMillis, ...of });

export const wholeDevices = (units: number, of: Partial<AskShape> = {}): AskShape =>
  anAsk({ units, unitMillis: 1000, ...of });

/** The first of the best rows with room, by name. */
export function choose(policy: ScoringPolicy, fleet: Fleet, shape: AskShape): string | undefined {
  let best = -1;
  let highest = -Infinity;
  for (let row = 0; row < fleet.size; row += 1) {
    if (!hasRoom(fleet, row, shape)) continue;
    const score = policy.score(fleet, row, shape);
    if (score <= highest) continue;
    best = row;
    highest = score;
  }
  return fleet.names[best];
}

/** Tells a policy that so many of these have arrived. */
export function teach(policy: ScoringPolicy, count: number, shape: AskShape): void {
  for (let at = 0; at < count; at += 1) policy.arrived(shape);
}
