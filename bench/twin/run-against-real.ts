/**
 * Loses nodes of a real fleet, measures by the log of its plane how long the recovery took, and
 * runs the twin of the fleet as it was before through the same loss.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PROBE_STARTING_MS } from "../../src/core/agent/process-table.ts";
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import type { AnyObject } from "../../src/core/model/objects.ts";
import { RECOVERY_STAGES } from "../../src/core/model/recovery.ts";
import { RENEW_EVERY_MS } from "../../src/core/model/timing.ts";
import type { Fleet } from "../../src/fleet/fleet.ts";
import { recoveriesOfLog, startUpsOfLog } from "../../src/twin/recoveries-of-log.ts";
import { runTwin } from "../../src/twin/run-twin.ts";
import type { TwinRecovery } from "../../src/twin/twin-run.ts";
import type { Progress } from "../measure/progress.ts";
import { type Loss, medianOf, type Recovered, type Round } from "./real-round.ts";
import { NODES, RealFleet, REPLICAS, servingOn } from "./real-fleet.ts";

export interface RealTask {
  readonly losses: readonly Loss[];
  readonly runs: number;
  readonly seeds: number;
  readonly folder: string;
}

interface Way {
  readonly loss: Loss;
  readonly takesZone: boolean;
  readonly withProcesses: boolean;
}

const WAYS: readonly Way[] = [
  { loss: "node", takesZone: false, withProcesses: true },
  { loss: "zone", takesZone: true, withProcesses: true },
  { loss: "agent", takesZone: false, withProcesses: false },
];

/** Far longer than any recovery of these takes. */
const WATCH_MS = 180_000;

export async function runAgainstReal(
  task: RealTask,
  progress: Progress,
): Promise<readonly Round[]> {
  const rounds: Round[] = [];
  const ways = WAYS.filter(({ loss }) => task.losses.includes(loss));
  const total = ways.length * task.runs;
  for (const each of ways) {
    for (let run = 1; run <= task.runs; run += 1) {
      progress(rounds.length, total, `real losses, now: ${each.loss}`);
      rounds.push(await oneRound(each, run, task));
    }
  }
  return rounds;
}

async function oneRound(each: Way, run: number, task: RealTask): Promise<Round> {
  const fleet = await RealFleet.start(join(task.folder, `${each.loss}-${run}`));
  try {
    await fleet.fill();
    const lost = chooseLost(each, await fleet.read());
    await untilInRound(fleet, lost[0] ?? "", (run - 0.5) / task.runs);
    const before = await fleet.read();
    const lostMs = await fleet.lose(lost, each);
    const endedMs = await fleet.untilRecovered(lost);
    const untilMs = fleet.nowMs;
    const commits = await fleet.end();
    const [real] = recoveriesOfLog({ commits, lostMs, endedMs, untilMs });
    const startUpMs = startUpOf(commits.filter(({ atMs }) => atMs < lostMs));
    const simulated = simulate({ each, lost, fleet: before, startUpMs, seeds: task.seeds });
    return { loss: each.loss, run, startUpMs, real: recoveredOf(real), ...simulated };
  } finally {
    await fleet.stop();
  }
}

/** A good probe comes half an interval late on average, in the twin and here. */
const startUpOf = (commits: readonly Commit[]): number =>
  Math.max(0, medianOf(startUpsOfLog(commits)) - PROBE_STARTING_MS / 2);

/** Those with the most replicas. */
function chooseLost({ takesZone }: Way, { objects }: Fleet): readonly string[] {
  const serving = servingOn(objects);
  const places = NODES.map(({ name, zone }) =>
    takesZone ? NODES.filter((node) => node.zone === zone).map((node) => node.name) : [name],
  );
  const countOf = (place: readonly string[]): number =>
    serving.filter((node) => place.includes(node)).length;
  return places.toSorted((a, b) => countOf(b) - countOf(a))[0] ?? [];
}

/**
 * How much is left of a lease decides how soon a loss is known. So the losses are spread evenly
 * over the time between two renewals, as the seeds of a twin are.
 */
async function untilInRound(fleet: RealFleet, node: string, share: number): Promise<void> {
  const { objects } = await fleet.read();
  const renewedMs = lastRenewalMs(objects, node);
  const wantedMs = renewedMs + share * RENEW_EVERY_MS;
  const left = (wantedMs - fleet.nowMs) % RENEW_EVERY_MS;
  await sleep(left < 0 ? left + RENEW_EVERY_MS : left);
}

function lastRenewalMs(objects: readonly AnyObject[], node: string): number {
  for (const object of objects) {
    if (object.kind === "Lease" && object.spec.node === node) return object.status.renewedMs;
  }
  return 0;
}

function simulate(of: {
  readonly each: Way;
  readonly lost: readonly string[];
  readonly fleet: Fleet;
  readonly startUpMs: number;
  readonly seeds: number;
}): Pick<Round, "simulated" | "violations"> {
  const { each, lost: nodes, fleet, startUpMs } = of;
  const event = { atMs: 0, do: each.withProcesses ? "lose" : "stop-agent", nodes } as const;
  const scenario = { events: [event], watchMs: WATCH_MS, hasFaults: false, startUpMs };
  const runs = Array.from({ length: of.seeds }, (_, at) => runTwin(fleet, scenario, at + 1));
  return {
    simulated: runs.map(({ recoveries }) => recoveredOf(recoveries[0])),
    violations: runs.flatMap(({ violations }) => violations),
  };
}

function recoveredOf(recovery: TwinRecovery | undefined): Recovered {
  const { before = 0, least = 0, recoveredMs, stages = {} } = recovery ?? {};
  if (before !== REPLICAS) throw new Error(`${before} of ${REPLICAS} replicas served at the loss.`);
  if (recoveredMs === undefined) throw new Error("The workload did not recover in time.");
  const known = RECOVERY_STAGES.map((stage) => [stage, stages[stage] ?? 0] as const);
  return { lost: before - least, tookMs: recoveredMs, stages: Object.fromEntries(known) };
}
