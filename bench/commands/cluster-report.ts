/** What `berth bench cluster` prints and draws. */
import type {
  FailoverResult,
  FailoverTask,
  LagResult,
  LagTask,
  Round,
} from "../cluster/cluster-task.ts";
import { type Latencies, latenciesOf } from "../measure/latencies.ts";
import { barChart } from "../svg/bar-chart.ts";
import { SUSPECT_AFTER_MS } from "../../src/core/model/timing.ts";
import type { BenchReport } from "./benchmark.ts";
import { SILENT } from "./path.ts";
import { shownStore } from "./place-options.ts";

export interface ClusterOutcome {
  readonly failover?: FailoverResult;
  readonly lag?: LagResult;
}

export interface ClusterTasks {
  readonly failover: FailoverTask;
  readonly lag: LagTask;
}

/** Another plane should lead, and acknowledge, within the lease and this. */
const BEYOND_LEASE_MS = 1_000;
/** What 99 in 100 followers' lags should stay below. */
const LAG_AIM_MS = 200;

interface Row {
  readonly name: string;
  readonly times: Latencies;
  readonly aimMs?: number;
}

export function clusterReport(outcome: ClusterOutcome, tasks: ClusterTasks): BenchReport {
  const { failover, lag } = outcome;
  const rows = [
    ...(failover ? failoverRows(failover, tasks.failover) : []),
    ...(lag ? lagRows(lag) : []),
  ];
  return {
    store: shownStore(tasks.lag.store),
    figures: {
      ...(failover ? { failover: failoverFigures(failover, tasks.failover) } : {}),
      ...(lag ? { ...lag, options: lagOptions(tasks.lag) } : {}),
    },
    table: [
      ["WHAT", "P50 MS", "P99 MS", "MAX MS", "AIM MS"],
      ...rows.map(({ name, times: { p50Ms, p99Ms, maxMs }, aimMs }) =>
        [name, p50Ms, p99Ms, maxMs, aimMs ?? ""].map(String),
      ),
    ],
    notes: [...(failover ? failoverNotes(failover) : []), ...(lag ? lagNotes(lag) : [])],
    plot: () => plotOf(rows),
    isComplete: lag === undefined || lag.bound === lag.wanted,
  };
}

const timesOf = (
  { rounds }: FailoverResult,
  how: Round["how"],
  of: (round: Round) => number,
): Latencies => latenciesOf(rounds.filter((round) => round.how === how).map(of));

function failoverRows(result: FailoverResult, { leaseSeconds }: FailoverTask): readonly Row[] {
  const aimMs = leaseSeconds * 1_000 + BEYOND_LEASE_MS;
  const killed = (of: (round: Round) => number): Latencies => timesOf(result, "killed", of);
  return [
    { name: "leader killed: another leads", times: killed(({ leadsMs }) => leadsMs), aimMs },
    { name: "… a write is acknowledged", times: killed(({ ackedMs }) => ackedMs), aimMs },
    { name: "… a replica is bound", times: killed(({ boundMs }) => boundMs) },
    {
      name: "leader stopped: no write acknowledged",
      times: timesOf(result, "stopped", ({ silentMs }) => silentMs),
    },
  ];
}

const lagRows = ({ lag, freshRead, anyRead }: LagResult): readonly Row[] => [
  { name: "a follower is behind", times: lag, aimMs: LAG_AIM_MS },
  { name: "read at a follower, as of now", times: freshRead },
  { name: "read at a follower, as it has it", times: anyRead },
];

function failoverFigures(
  result: FailoverResult,
  { leaseSeconds, writeRate }: FailoverTask,
): Readonly<Record<string, unknown>> {
  const acked = timesOf(result, "killed", ({ ackedMs }) => ackedMs);
  const leads = timesOf(result, "killed", ({ leadsMs }) => leadsMs);
  const bound = timesOf(result, "killed", ({ boundMs }) => boundMs);
  const clean = timesOf(result, "stopped", ({ silentMs }) => silentMs);
  const { rounds, objects, fillSeconds, writes } = result;
  return {
    lease: leaseSeconds,
    rounds: rounds.length / 2,
    objects,
    writeRate,
    p50Ms: acked.p50Ms,
    maxMs: acked.maxMs,
    leadsP50Ms: leads.p50Ms,
    leadsMaxMs: leads.maxMs,
    boundP50Ms: bound.p50Ms,
    boundMaxMs: bound.maxMs,
    cleanStopMs: clean.p50Ms,
    cleanStopMaxMs: clean.maxMs,
    fillSeconds,
    writes,
    each: rounds,
  };
}

const lagOptions = ({
  nodes,
  replicas,
  each,
  rate,
}: LagTask): Readonly<Record<string, unknown>> => ({
  nodes,
  replicas,
  each,
  rate: rate ?? null,
});

const failoverNotes = ({ rounds, objects, writes }: FailoverResult): readonly string[] => [
  `The leader was killed ${rounds.length / 2} times and told to stop as often, with ${objects} replicas in the log; ${writes.acknowledged} writes were acknowledged, ${writes.failed} were not.`,
];

function lagNotes(lag: LagResult): readonly string[] {
  const { bound, wanted, bindsPerSecond, seconds, leadChanges, leaseGapMs, readFailures } = lag;
  return [
    `${bound} replicas were bound in ${seconds} s, ${bindsPerSecond} a second, while two planes followed.`,
    ...(leaseGapMs >= SUSPECT_AFTER_MS ? [SILENT] : []),
    ...(readFailures === 0 ? [] : [`${readFailures} reads were not answered.`]),
    ...(leadChanges === 0
      ? []
      : ["Invalid run: leadership changed while replicas were bound. The machine was too busy."]),
    ...(bound === wanted ? [] : [`${wanted - bound} replicas were not bound before the timeout.`]),
  ];
}

const plotOf = (rows: readonly Row[]): string =>
  barChart({
    title: "Three planes on one log in etcd",
    value: { label: "time", unit: "ms", scale: "log" },
    series: ["half of all within", "longest", "aim"],
    rows: rows.map(({ name, times: { p50Ms, maxMs }, aimMs }) => ({
      name,
      values: [p50Ms, maxMs, aimMs],
    })),
  });
