/** Runs the twin of a made fleet through the loss of a zone, and measures what that costs. */
import { runTwin } from "../../src/twin/run-twin.ts";
import { ownCpuMicros } from "../measure/process-usage.ts";
import { type FleetTask, makeFleet, nodeName, zoneOf } from "./make-fleet.ts";

export interface TwinTask extends FleetTask {
  readonly minutes: number;
}

export interface TwinFigures {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Turns that components took. */
  readonly events: number;
  readonly peakRssMiB: number;
  /** Workloads that lost replicas, and those that had as many again. */
  readonly lost: number;
  readonly recovered: number;
  /** Simulated time of the last recovery; left out: there was none. */
  readonly slowestMs?: number;
  readonly hash: string;
  readonly violations: readonly string[];
}

const SEED = 1;
const LOST_ZONE = zoneOf(0);
const MINUTE_MS = 60_000;

export function runTwinBench({ nodes, replicas, minutes }: TwinTask): TwinFigures {
  const fleet = makeFleet({ nodes, replicas });
  const lost = Array.from({ length: nodes }, (_, at) => at)
    .filter((at) => zoneOf(at) === LOST_ZONE)
    .map(nodeName);
  const scenario = {
    events: [{ atMs: 0, do: "lose", nodes: lost }],
    watchMs: minutes * MINUTE_MS,
    hasFaults: false,
  } as const;
  const beganMs = performance.now();
  const beganCpu = ownCpuMicros();
  const run = runTwin(fleet, scenario, SEED);
  const times = run.recoveries.flatMap(({ recoveredMs }) => recoveredMs ?? []);
  return {
    seconds: tenths((performance.now() - beganMs) / 1_000),
    cpuSeconds: tenths((ownCpuMicros() - beganCpu) / 1_000_000),
    events: run.events,
    peakRssMiB: Math.round(process.resourceUsage().maxRSS / 1_024),
    lost: run.recoveries.length,
    recovered: times.length,
    ...(times.length === 0 ? {} : { slowestMs: Math.max(...times) }),
    hash: run.hash,
    violations: run.violations,
  };
}

const tenths = (seconds: number): number => Math.round(seconds * 10) / 10;
