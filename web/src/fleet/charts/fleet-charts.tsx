/** The last hour of the fleet: use, queue and bind latency, as small charts and as a table. */
import { useSignal } from "@preact/signals";
import type { ShownSample, ShownSeries } from "../../../../src/api/views/shown-series.ts";
import { nowMs } from "../../live/clock.ts";
import { useFetched } from "../../live/use-fetched.ts";
import { cpuText, memoryText } from "../../parts/amount-text.ts";
import { useAgain } from "../../steering/use-overrides.ts";
import { amountText, countText } from "../resource-text.ts";
import { type Point, roundUp } from "./chart-path.ts";
import "./charts.css";
import { clockText, SmallChart } from "./small-chart.tsx";

/** As often as the plane takes a sample. */
const AGAIN_MS = 15_000;

export function FleetCharts() {
  const fetched = useFetched<ShownSeries>("/series");
  useAgain(fetched, Math.floor(nowMs.value / AGAIN_MS));
  const samples = fetched.value?.samples ?? [];
  if (samples.length < 2) {
    return <p class="quiet">Charts begin with the second sample, 15 s after this plane's start.</p>;
  }
  return (
    <>
      <div class="charts">
        <UseChart samples={samples} resource="cpu" />
        <UseChart samples={samples} resource="memory" />
        <QueueChart samples={samples} />
        <BindChart samples={samples} />
      </div>
      <AsTable samples={samples} />
    </>
  );
}

interface Sampled {
  readonly samples: readonly ShownSample[];
}

const spanOf = (samples: readonly ShownSample[]) => ({
  fromMs: Date.parse(samples[0]?.time ?? ""),
  toMs: Date.parse(samples.at(-1)?.time ?? ""),
});

const pointsOf = (
  samples: readonly ShownSample[],
  value: (sample: ShownSample) => number | null,
): readonly Point[] =>
  samples.map((sample) => ({ atMs: Date.parse(sample.time), value: value(sample) }));

const mostOf = (...lines: readonly (readonly Point[])[]): number =>
  lines.flat().reduce((most, { value }) => Math.max(most, value ?? 0), 0);

function UseChart({ samples, resource }: Sampled & { readonly resource: "cpu" | "memory" }) {
  const amount = (of: number): string => amountText(of, resource);
  const title = resource === "cpu" ? "CPU" : "Memory";
  const used = pointsOf(samples, (sample) => sample[resource].used);
  // On top of what is used: together they are what no other replica can have.
  const reserved = pointsOf(samples, (sample) => sample[resource].used + sample[resource].reserved);
  const limit = pointsOf(samples, (sample) => sample[resource].allocatable);
  const most = mostOf(used, reserved, limit) * 1.05 || 1;
  const latest = samples.at(-1)?.[resource] ?? { used: 0, reserved: 0, allocatable: 0 };
  const [now, held, all] = [latest.used, latest.reserved, latest.allocatable].map(amount);
  return (
    <SmallChart
      title={title}
      about={`${now} used by replicas and ${held} reserved of ${all} allocatable.`}
      {...spanOf(samples)}
      most={most}
      mostText={amount(most)}
      series={[
        { name: "used", tone: "good", points: used, as: "area", latest: now ?? "" },
        { name: "reserved", tone: "busy", points: reserved, as: "area", latest: held ?? "" },
        { name: "allocatable", tone: "off", points: limit, as: "limit", latest: all ?? "" },
      ]}
    />
  );
}

function QueueChart({ samples }: Sampled) {
  const queued = pointsOf(samples, (sample) => sample.queued);
  const most = roundUp(mostOf(queued));
  const latest = countText(samples.at(-1)?.queued ?? 0);
  return (
    <SmallChart
      title="Queue"
      about={`${latest} replicas wait for a node; at most ${countText(mostOf(queued))} waited.`}
      {...spanOf(samples)}
      most={most}
      mostText={countText(most)}
      series={[{ name: "waiting for a node", tone: "wait", points: queued, as: "area", latest }]}
    />
  );
}

function BindChart({ samples }: Sampled) {
  const half = pointsOf(samples, (sample) => sample.bindP50Ms);
  const late = pointsOf(samples, (sample) => sample.bindP95Ms);
  const most = roundUp(mostOf(half, late));
  const last = samples.findLast(({ bindP95Ms }) => bindP95Ms !== null);
  const binds = samples.reduce((sum, sample) => sum + sample.binds, 0);
  const [p50, p95] = [waitText(last?.bindP50Ms), waitText(last?.bindP95Ms)];
  return (
    <SmallChart
      title="Bind latency"
      about={`${countText(binds)} binds; of the newest, half took ${p50} and 95% took ${p95} or less.`}
      {...spanOf(samples)}
      most={most}
      mostText={waitText(most)}
      series={[
        { name: "p50", tone: "good", points: half, latest: p50 },
        { name: "p95", tone: "done", points: late, latest: p95 },
      ]}
    />
  );
}

/** e.g. "14 ms", "2.5 s" */
function waitText(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return "–";
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${Number((ms / 1_000).toFixed(1))} s`;
}

function AsTable({ samples }: Sampled) {
  const isOpen = useSignal(false);
  return (
    <details
      class="chart-table"
      onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}
    >
      <summary>Show the charts as a table</summary>
      {isOpen.value && (
        <div class="chart-rows" role="region" tabIndex={0} aria-label="The charts as a table">
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">CPU used, reserved, allocatable</th>
                <th scope="col">Memory used, reserved, allocatable</th>
                <th scope="col">Queue</th>
                <th scope="col">Binds</th>
                <th scope="col">p50, p95</th>
              </tr>
            </thead>
            <tbody>
              {samples.toReversed().map(({ time, cpu, memory, ...sample }) => (
                <tr key={time}>
                  <th scope="row">{clockText(Date.parse(time))}</th>
                  <td>{[cpu.used, cpu.reserved, cpu.allocatable].map(cpuText).join(", ")}</td>
                  <td>
                    {[memory.used, memory.reserved, memory.allocatable].map(memoryText).join(", ")}
                  </td>
                  <td>{sample.queued}</td>
                  <td>{sample.binds}</td>
                  <td>
                    {waitText(sample.bindP50Ms)}, {waitText(sample.bindP95Ms)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
