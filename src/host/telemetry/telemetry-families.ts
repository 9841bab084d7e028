/** The measures of a plane as Prometheus reads them. docs/metrics.md explains every name. */
import { parseKey } from "../../core/model/ids.ts";
import { type MetricFamily, type Sample, sample, samplesBy, samplesOf } from "./metric-family.ts";
import type { PlaneTelemetry } from "./plane-telemetry.ts";

/** A share is told as a part of 1. */
const WHOLE = 1_000_000;

export function telemetryFamilies(telemetry: PlaneTelemetry): readonly MetricFamily[] {
  return [
    ...queueFamilies(telemetry),
    ...replicaFamilies(telemetry),
    ...workloadFamilies(telemetry),
    ...fairnessFamilies(telemetry),
    ...logFamilies(telemetry),
    ...leadFamilies(telemetry),
    ...decisionFamilies(telemetry),
    ...sloFamilies(telemetry),
    ...provisionFamilies(telemetry),
    counter(
      "berth_trace_spans_total",
      "Spans of traces, by outcome.",
      samplesBy("result", new Map(Object.entries(telemetry.plane.meter.spans))),
    ),
    counter(
      "berth_decision_lines_total",
      "Lines of decisions for a file, by outcome.",
      samplesBy("result", new Map(Object.entries(telemetry.plane.meter.decisionLines))),
    ),
    histogram("berth_watch_lag_seconds", "Time from commit to the watchers.", [
      ...samplesOf(telemetry.watchMs),
    ]),
    histogram("berth_explain_seconds", "Duration of explanations.", [
      ...samplesOf(telemetry.explainMs),
    ]),
  ];
}

function family(type: MetricFamily["type"]) {
  return (name: string, help: string, samples: readonly Sample[]): MetricFamily => ({
    name,
    help,
    type,
    samples,
  });
}
const gauge = family("gauge");
const counter = family("counter");
const histogram = family("histogram");

function queueFamilies({ replicas, clock }: PlaneTelemetry): readonly MetricFamily[] {
  const nowMs = clock.nowMs();
  const classes = [...replicas.classes];
  const oldest = classes.map(([name, { oldestSinceMs = nowMs }]) =>
    sample(Math.max(0, nowMs - oldestSinceMs) / 1_000, { class: name }),
  );
  return [
    histogram(
      "berth_bind_seconds",
      "Time from admission of a replica to its bind, by priority class.",
      classes.flatMap(([name, { bindMs }]) => samplesOf(bindMs, { class: name })),
    ),
    histogram(
      "berth_queue_wait_seconds",
      "Queue time of bound replicas, by priority class.",
      classes.flatMap(([name, { queueMs }]) => samplesOf(queueMs, { class: name })),
    ),
    gauge(
      "berth_queue_length",
      "Replicas in the queue, by priority class.",
      classes.map(([name, { length }]) => sample(length, { class: name })),
    ),
    gauge(
      "berth_queue_oldest_seconds",
      "Waiting time of the oldest replica in the queue, by priority class.",
      oldest,
    ),
  ];
}

function replicaFamilies({ replicas }: PlaneTelemetry): readonly MetricFamily[] {
  return [
    gauge("berth_replicas", "Replicas, by stage.", samplesBy("stage", replicas.stages)),
    histogram(
      "berth_stage_seconds",
      "Time of replicas in each stage between bind and serving.",
      [...replicas.stageMs].flatMap(([stage, stageMs]) => samplesOf(stageMs, { stage })),
    ),
    counter(
      "berth_stops_total",
      "Evicted replicas, by reason, including preempted ones.",
      samplesBy("reason", replicas.stops),
    ),
  ];
}

function workloadFamilies({ workloads }: PlaneTelemetry): readonly MetricFamily[] {
  return [
    histogram(
      "berth_admit_seconds",
      "Time from the write of a workload that adds replicas to its first new replica.",
      samplesOf(workloads.admitMs),
    ),
    gauge("berth_rollouts", "Rollouts, by stage.", samplesBy("stage", workloads.rollouts)),
    counter(
      "berth_rollouts_ended_total",
      "Rollouts that finished or failed.",
      samplesBy("result", workloads.rolloutsEnded),
    ),
    gauge("berth_recoveries_under_way", "Services in recovery.", [sample(workloads.recovering)]),
    counter(
      "berth_recoveries_total",
      "Finished recoveries, in time or late.",
      samplesBy("result", workloads.recoveries),
    ),
    histogram("berth_recovery_seconds", "Duration of recoveries.", samplesOf(workloads.recoveryMs)),
  ];
}

function fairnessFamilies(telemetry: PlaneTelemetry): readonly MetricFamily[] {
  const { largest, spread } = telemetry.shares();
  return [
    gauge("berth_share_largest", "The largest weighted dominant share of a tenant.", [
      sample(largest / WHOLE),
    ]),
    gauge(
      "berth_share_spread",
      "The largest share minus the smallest share of a waiting tenant; 0 if no tenant waits.",
      [sample(spread / WHOLE)],
    ),
  ];
}

function logFamilies({ plane, commits }: PlaneTelemetry): readonly MetricFamily[] {
  const { appends, appendMs, batchCommits } = plane.meter;
  return [
    counter("berth_commits_total", "Commits seen, by command.", samplesBy("command", commits)),
    counter(
      "berth_appends_total",
      "Batches given to the log, by outcome.",
      samplesBy("result", appends),
    ),
    histogram("berth_append_seconds", "Write time of a batch.", samplesOf(appendMs)),
    histogram("berth_batch_commits", "Commits in a batch.", samplesOf(batchCommits, {}, 1)),
  ];
}

function leadFamilies({ plane, commits, heardEnd }: PlaneTelemetry): readonly MetricFamily[] {
  const { leaseLeftMs } = plane.meter;
  return [
    counter("berth_leaderships_total", "Changes of leadership.", [
      sample(commits.get("lead") ?? 0),
    ]),
    gauge(
      "berth_lease_left_seconds",
      "Remaining time of this plane's lead of a shared log; 0 if another plane leads.",
      leaseLeftMs === undefined ? [] : [sample(leaseLeftMs / 1_000)],
    ),
    gauge(
      "berth_follower_lag_revisions",
      "Revisions of a shared log that this plane does not show yet.",
      plane.isShared ? [sample(Math.max(0, heardEnd - plane.revision))] : [],
    ),
  ];
}

function decisionFamilies({ plane, decisions }: PlaneTelemetry): readonly MetricFamily[] {
  const { turns, answers } = plane.meter;
  const given = [...turns].flatMap(([controller, byInput]) =>
    [...byInput].map(([input, turn]) => [{ controller, input }, turn] as const),
  );
  return [
    counter(
      "berth_decisions_total",
      "Decisions of controllers that were not settled: propose, or the reason of a wait.",
      twoLabels(["controller", "outcome"], decisions),
    ),
    counter(
      "berth_command_outcomes_total",
      "Answers of the authority, with the code of a rejection.",
      twoLabels(["outcome", "code"], answers),
    ),
    counter(
      "berth_controller_turns_total",
      "Turns of controllers, by input.",
      given.map(([labels, { count }]) => sample(count, labels)),
    ),
    counter(
      "berth_controller_turn_seconds_total",
      "Time in turns of controllers, by input.",
      given.map(([labels, { ms }]) => sample(ms / 1_000, labels)),
    ),
  ];
}

function sloFamilies({ slos, clock }: PlaneTelemetry): readonly MetricFamily[] {
  const nowMs = clock.nowMs();
  const readings = [...slos.keys()].flatMap((key) => {
    const reading = slos.read(key, nowMs);
    return reading === undefined ? [] : [{ slo: parseKey(key).name, ...reading }];
  });
  return [
    gauge(
      "berth_slo_measured",
      "Samples in the window of an objective.",
      readings.map(({ slo, measured }) => sample(measured, { slo })),
    ),
    gauge(
      "berth_slo_good_ratio",
      "The share of samples that met the objective's threshold.",
      readings.map(({ slo, good }) => sample(good, { slo })),
    ),
    gauge(
      "berth_slo_error_budget_ratio",
      "The remaining error budget; below 0 the objective is missed.",
      readings.map(({ slo, budgetLeft }) => sample(budgetLeft, { slo })),
    ),
    gauge(
      "berth_slo_burn_rate",
      "Burn rate of the error budget; 1 spends it in one window.",
      readings.flatMap(({ slo, burn5m, burn1h }) => [
        sample(burn5m, { slo, window: "5m" }),
        sample(burn1h, { slo, window: "1h" }),
      ]),
    ),
  ];
}

function provisionFamilies({ plane }: PlaneTelemetry): readonly MetricFamily[] {
  const { answers, underWay, provisioning } = plane.meter.provisions;
  return [
    counter(
      "berth_provision_requests_total",
      "Requests for machines, including retries, by operation and answer.",
      twoLabels(["action", "answer"], answers),
    ),
    gauge("berth_provision_requests_under_way", "Requests for machines without an answer.", [
      sample(underWay),
    ]),
    gauge("berth_nodes_provisioning", "Provisioning nodes of pools.", [sample(provisioning)]),
  ];
}

const twoLabels = (
  [outer, inner]: readonly [string, string],
  counts: ReadonlyMap<string, ReadonlyMap<string, number>>,
): readonly Sample[] =>
  [...counts].flatMap(([name, byInner]) =>
    [...byInner].map(([value, count]) => sample(count, { [outer]: name, [inner]: value })),
  );
