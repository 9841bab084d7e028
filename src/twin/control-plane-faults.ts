/**
 * Faults of the control plane while it handles the events of a scenario: its leader restarts, its
 * controllers crash, hear late or miss events, and cannot reach it. Machines are left alone: a
 * scenario says itself what it loses.
 */
import type { ScheduledFault } from "../sim/faults/scheduled-faults.ts";
import { KeyedRandom } from "../sim/faults/keyed-random.ts";
import type { TwinScenario } from "./twin-run.ts";

const CONTROLLERS = "controllers";
/** What an event sets going is nearly always over by then. */
const AFTER_EVENT_MS = 120_000;

type Name =
  | "restart-leader"
  | "crash"
  | "watch-stall"
  | "watch-drop"
  | "watch-break"
  | "overload"
  | "partition";

const MOST: Readonly<Record<Name, number>> = {
  "restart-leader": 2,
  crash: 2,
  "watch-stall": 2,
  "watch-drop": 2,
  "watch-break": 1,
  overload: 1,
  partition: 2,
};

export function drawControlPlaneFaults(
  { events, watchMs }: TwinScenario,
  seed: number,
  fromMs: number,
): readonly ScheduledFault[] {
  const random = new KeyedRandom(seed, "control-plane-of-twin");
  const drawn: ScheduledFault[] = [];
  for (const [name, most] of Object.entries(MOST) as [Name, number][]) {
    const count = random.between(`${name} count`, 0, 0, most);
    for (let index = 0; index < count; index += 1) {
      const number = (what: string, least: number, greatest: number): number =>
        random.between(`${name} ${what}`, index, least, greatest);
      const event = events[number("event", 0, Math.max(0, events.length - 1))];
      const beginMs = Math.min(event?.atMs ?? 0, watchMs);
      const afterMs = number("time", 0, Math.min(AFTER_EVENT_MS, watchMs - beginMs));
      drawn.push(faultOf(name, fromMs + beginMs + afterMs, number));
    }
  }
  return drawn.toSorted((a, b) => a.atMs - b.atMs);
}

function faultOf(
  fault: Name,
  atMs: number,
  number: (what: string, least: number, most: number) => number,
): ScheduledFault {
  const to = CONTROLLERS;
  switch (fault) {
    case "restart-leader":
      return { fault, atMs, downMs: number("down", 10, 6_000) };
    case "crash":
      return { fault, component: CONTROLLERS, atMs, downMs: number("down", 10, 15_000) };
    case "watch-stall":
    case "watch-drop":
      return { fault, to, atMs, forMs: number("length", 100, 20_000) };
    case "watch-break":
      return { fault, to, atMs };
    case "overload":
      return { fault, atMs, forMs: number("length", 500, 5_000) };
    case "partition": {
      const ends = number("way", 0, 1) === 0 ? { from: to, to: "*" } : { from: "*", to };
      return { fault, ...ends, atMs, forMs: number("length", 500, 10_000) };
    }
  }
}
