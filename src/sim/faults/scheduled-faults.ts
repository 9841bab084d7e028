/**
 * Faults with a time of their own. The swarm draws them before the run begins, each keyed by its
 * name and number, so that one more crash moves no partition.
 */
import { DRIFT_PARTS_PER_THOUSAND } from "../../core/model/timing.ts";
import type { Fault } from "./fault.ts";
import { namesInWorld, planeNames } from "./fault-target.ts";
import { KeyedRandom } from "./keyed-random.ts";
import type { SharedLogFault } from "../hosts/plane-hosting.ts";
import { pausePattern } from "./pause-patterns.ts";
import type { FaultSource } from "../report/run-result.ts";
import { amongPlanes, drawSharedLogFault, SHARED_LOG_FAULTS } from "./shared-faults.ts";
import { drawRealPartitions } from "../swarm/swarm-partitioned-regions.ts";
import type { World } from "../world/world.ts";

export type ScheduledFault = Extract<Fault, { readonly atMs: number }>;
type UsualName = Exclude<ScheduledFault["fault"], SharedLogFault["fault"]>;

const NAMES: readonly UsualName[] = [
  "watch-stall",
  "watch-drop",
  "watch-break",
  "stale-list",
  "crash",
  "restart-leader",
  "second-leader",
  "partition",
  "clock",
  "node-crash",
  "node-pause",
  "hardware-loss",
  "overload",
  "blind-agent",
];

export const isScheduled = (fault: Fault): fault is ScheduledFault => "atMs" in fault;

export function drawScheduled(
  seed: number,
  rates: FaultSource["rates"],
  world: World,
): ScheduledFault[] {
  const random = new KeyedRandom(seed, "scheduled-faults");
  const names = namesInWorld(world);
  const nodes = [...names.nodes].toSorted();
  const planes = planeNames(world);
  const isShared = (world.planes ?? 1) > 1;
  const agents = nodes.map((node) => `agent:${node}`);
  const controllers = [...names.components].filter(
    (name) => name !== "*" && !planes.includes(name) && !name.startsWith("agent:"),
  );
  const cast = { nodes, agents, controllers: controllers.toSorted(), planes };
  const drawn: ScheduledFault[] = [];
  const untilMs = world.faultsUntilMs;
  for (const name of NAMES) {
    const count = rates[name] ?? 0;
    for (let index = 0; index < count; index++) {
      const usual = drawOne(name, cast, { random, index, untilMs });
      const fault = isShared ? amongPlanes(usual, { random, index, planes }) : usual;
      drawn.push(fault, ...companionOf(fault, random, index));
      drawn.push(...pausePattern(usual, { random, index, world }));
    }
  }
  for (const name of isShared ? SHARED_LOG_FAULTS : []) {
    for (let index = 0; index < (rates[name] ?? 0); index++) {
      const atMs = random.between(`${name} time`, index, 0, untilMs - 1);
      drawn.push(drawSharedLogFault(name, atMs, { random, index, planes }));
    }
  }
  // Only if the swarm draws at all: a scenario lists its faults.
  if (Object.keys(rates).length > 0) drawn.push(...drawRealPartitions(seed, world));
  return drawn.toSorted((a, b) => a.atMs - b.atMs);
}

/** A stale replica harms only a client that lists from it, so this fault makes a client list. */
function companionOf(
  fault: ScheduledFault,
  random: KeyedRandom,
  index: number,
): readonly ScheduledFault[] {
  if (fault.fault !== "stale-list") return [];
  const atMs = fault.atMs + random.between("companion time", index, 0, Math.floor(fault.forMs / 2));
  if (random.chance("companion", index, 50)) return [{ fault: "watch-break", to: fault.to, atMs }];
  const downMs = random.between("companion down", index, 10, Math.floor(fault.forMs / 2));
  const crash = { fault: "crash", component: fault.to, atMs, downMs } as const;
  if (random.chance("companion stall", index, 50)) return [crash];
  // With the stream cut off as well, the client has only the old list until it lists again.
  const { to, forMs } = fault;
  return [crash, { fault: "watch-stall", to, atMs, forMs }];
}

interface Cast {
  readonly nodes: readonly string[];
  readonly agents: readonly string[];
  readonly controllers: readonly string[];
  readonly planes: readonly string[];
}

interface Draw {
  readonly random: KeyedRandom;
  readonly index: number;
  readonly untilMs: number;
}

function drawOne(name: UsualName, cast: Cast, { random, index, untilMs }: Draw): ScheduledFault {
  const number = (what: string, min: number, max: number): number =>
    random.between(`${name} ${what}`, index, min, max);
  const one = (what: string, from: readonly string[]): string =>
    from[number(what, 0, from.length - 1)] ?? "user";
  // Half of all faults hit a controller: there are few of them, and every replica depends on each.
  const client = (): string =>
    one("client", number("side", 0, 1) === 0 ? cast.controllers : cast.agents);
  const atMs = number("time", 0, untilMs - 1);
  switch (name) {
    case "watch-stall":
    case "watch-drop":
      return { fault: name, to: client(), atMs, forMs: number("length", 100, 20_000) };
    case "watch-break":
      return { fault: name, to: client(), atMs };
    case "stale-list": {
      const behind = number("behind", 1, 200);
      return { fault: name, to: client(), atMs, forMs: number("length", 1_000, 40_000), behind };
    }
    case "crash":
      return { fault: name, component: client(), atMs, downMs: number("down", 10, 15_000) };
    case "restart-leader":
      return { fault: name, atMs, downMs: number("down", 10, 6_000) };
    case "second-leader":
      return { fault: name, atMs };
    case "overload":
      return { fault: name, atMs, forMs: number("length", 2_000, 40_000) };
    case "partition":
      return {
        fault: name,
        ...ends(number, one, cast),
        atMs,
        forMs: number("length", 500, 30_000),
      };
    case "clock": {
      const all = [...cast.planes, ...cast.agents, ...cast.controllers];
      const offsetMs = number("offset", -50_000, 50_000);
      const driftPerThousand = number("drift", -DRIFT_PARTS_PER_THOUSAND, DRIFT_PARTS_PER_THOUSAND);
      return { fault: name, component: one("who", all), atMs, offsetMs, driftPerThousand };
    }
    case "node-crash":
      return {
        fault: name,
        node: one("node", cast.nodes),
        atMs,
        downMs: number("down", 200, 40_000),
      };
    case "node-pause":
    case "hardware-loss":
    case "blind-agent":
      return {
        fault: name,
        node: one("node", cast.nodes),
        atMs,
        forMs: number("length", 200, 40_000),
      };
  }
}

/** One client and one plane, or all components at one end; either direction. */
function ends(
  number: (what: string, min: number, max: number) => number,
  one: (what: string, from: readonly string[]) => string,
  cast: Cast,
): { readonly from: string; readonly to: string } {
  const client = one("client", number("side", 0, 2) === 0 ? cast.controllers : cast.agents);
  const wide = number("width", 0, 9);
  const near = wide === 0 ? "*" : client;
  const far = wide <= 4 ? one("plane", cast.planes) : "*";
  return number("direction", 0, 1) === 0 ? { from: near, to: far } : { from: far, to: near };
}
