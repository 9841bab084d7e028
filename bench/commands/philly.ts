/** `berth bench philly`: gangs that come and go in virtual time, by policy and by queue. */
import { setImmediate as breathe } from "node:timers/promises";
import type { Command } from "commander";
import { ALL_POLICIES, RECOMMENDED_POLICY } from "../../src/core/propose/policies/all-policies.ts";
import type { Scoring } from "../../src/core/model/policy.ts";
import { BerthScheduler } from "../philly/berth-scheduler.ts";
import { FifoScheduler } from "../philly/fifo-scheduler.ts";
import type { GangScheduler, GangWorld } from "../philly/gang-scheduler.ts";
import type { PhillyFigures } from "../philly/measures.ts";
import { type Job, PHILLY_ORIGIN, readPhilly } from "../philly/philly-trace.ts";
import { playPhilly } from "../philly/play-philly.ts";
import { barChart } from "../svg/bar-chart.ts";
import { UserError } from "../../src/shell/errors.ts";
import type { Benchmark, BenchFrame, BenchReport } from "./benchmark.ts";
import { readCount } from "./read-count.ts";
import { chooseByName, neededData, traceMistakes } from "./trace-options.ts";

interface PhillyOptions {
  readonly data?: string;
  readonly nodes?: string;
  readonly devices?: string;
  readonly policy?: string;
  readonly queue?: string;
  readonly jobs?: string;
}

const QUEUES: Readonly<Record<string, (world: GangWorld, policy: Scoring) => GangScheduler>> = {
  berth: (world, policy) => new BerthScheduler(world, policy),
  fifo: (world, policy) => new FifoScheduler(world, ALL_POLICIES[policy]()),
};

/** The jobs hold 374 devices on the mean and 1243 at most: with 512 there is a queue most days. */
const NODES = 64;
const DEVICES_EACH = 8;
/**
 * Waiting jobs are looked at whenever a job comes or leaves, as in a plane: all 82,247 jobs would
 * take an hour.
 */
const JOBS = 5_000;

export const phillyBench: Benchmark<PhillyOptions> = {
  name: "philly",
  description: "measure gang scheduling on the Philly trace",
  addOptions(command: Command): void {
    command
      .option("--data <dir>", "directory of the trace")
      .option("--nodes <n>", `number of nodes (default: ${NODES})`)
      .option("--devices <n>", `devices per node (default: ${DEVICES_EACH})`)
      .option("--policy <name>", `${Object.keys(ALL_POLICIES).join(", ")} (default: each)`)
      .option("--queue <name>", `${Object.keys(QUEUES).join(", ")} (default: each)`)
      .option("--jobs <n>", `number of jobs, from the start of the trace (default: ${JOBS})`);
  },
  run: (options, frame) => traceMistakes(() => runPhilly(options, frame)),
};

interface Choice {
  readonly policy: string;
  readonly queue: string;
}

interface Run extends Choice, PhillyFigures {}

async function runPhilly(options: PhillyOptions, { progress }: BenchFrame): Promise<BenchReport> {
  const nodes = readCount("--nodes", options.nodes, NODES);
  const devicesEach = readCount("--devices", options.devices, DEVICES_EACH);
  const choices = choicesOf(options);
  const all = readPhilly(neededData(options.data, PHILLY_ORIGIN));
  const jobs = all.slice(0, readCount("--jobs", options.jobs, JOBS));
  checkSize(jobs, nodes * devicesEach);
  const runs: Run[] = [];
  for (const [at, { policy, queue }] of choices.entries()) {
    await breathe();
    const makeScheduler = chooseByName("--queue", queue, QUEUES);
    const figures = playPhilly(jobs, {
      devices: nodes * devicesEach,
      scheduler: makeScheduler({ nodes, devicesEach }, policyNamed(policy)),
      onProgress: (done) =>
        progress(
          at * jobs.length + done,
          choices.length * jobs.length,
          `jobs, ${policy}, ${queue}`,
        ),
    });
    runs.push({ policy, queue, ...figures });
  }
  return reportOf(runs, { nodes, devices: nodes * devicesEach, jobsInTrace: all.length });
}

function policyNamed(name: string): Scoring {
  chooseByName<unknown>("--policy", name, ALL_POLICIES);
  return name as Scoring;
}

/** All policies under the product's queue, and the recommended one under each of the others. */
function choicesOf({ policy, queue }: PhillyOptions): readonly Choice[] {
  if (policy !== undefined) policyNamed(policy);
  if (queue !== undefined) chooseByName("--queue", queue, QUEUES);
  const policies = policy === undefined ? Object.keys(ALL_POLICIES).toReversed() : [policy];
  const queues = queue === undefined ? Object.keys(QUEUES) : [queue];
  return queues.flatMap((eachQueue) =>
    policies
      .filter((each) => eachQueue === queues[0] || each === (policy ?? RECOMMENDED_POLICY))
      .map((each) => ({ policy: each, queue: eachQueue })),
  );
}

function checkSize(jobs: readonly Job[], devices: number): void {
  const largest = jobs.reduce((most, job) => Math.max(most, job.devices), 0);
  if (largest <= devices) return;
  throw new UserError(
    "bad-usage",
    `The largest job needs ${largest} devices, but all nodes together have ${devices}. Raise --nodes or --devices.`,
  );
}

interface World {
  readonly nodes: number;
  readonly devices: number;
  readonly jobsInTrace: number;
}

function reportOf(runs: readonly Run[], world: World): BenchReport {
  const jobs = runs[0]?.jobs ?? 0;
  return {
    store: "none",
    figures: { ...world, runs },
    table: [
      ["POLICY", "QUEUE", "WAIT P50", "P90", "P99", "MAX", "MEAN", "UTILISATION %", "FAIRNESS"],
      ...runs.map(cellsOf),
    ],
    notes: [
      `${jobs} jobs on ${world.nodes} nodes with ${world.devices} devices; waits from submission to start.`,
      ...(jobs < world.jobsInTrace
        ? [`Only the first ${jobs} of ${world.jobsInTrace} jobs; use --jobs for more.`]
        : []),
      "FAIRNESS: Jain's index of the devices held by tenants with waiting jobs; 1 is even.",
    ],
    plot: () => plotOf(runs),
    isComplete: true,
  };
}

const cellsOf = (run: Run): readonly string[] => [
  run.policy,
  run.queue,
  ...[run.waitP50S, run.waitP90S, run.waitP99S, run.waitMaxS, run.meanWaitS].map(duration),
  ...[run.utilisationPercent, run.fairness].map(String),
];

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800
    ? `${Math.round(seconds / 360) / 10} h`
    : `${Math.round(seconds / 8_640) / 10} d`;
}

const plotOf = (runs: readonly Run[]): string =>
  barChart({
    title: "Waits of gangs on the Philly trace",
    value: { label: "wait", unit: "s", scale: "log" },
    series: ["p90", "p99", "longest"],
    rows: runs.map(({ policy, queue, waitP90S, waitP99S, waitMaxS }) => ({
      name: `${policy}, ${queue}`,
      // Nothing has no place on a logarithmic axis.
      values: [waitP90S, waitP99S, waitMaxS].map((wait) => (wait > 0 ? wait : undefined)),
    })),
  });
