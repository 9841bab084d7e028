/** The promises of a plane as Prometheus reads them. docs/metrics.md explains every name. */
import type { HostClock } from "../host/host-clock.ts";
import type { PlanePort } from "../host/plane-port.ts";
import { type MetricFamily, sample, samplesBy } from "../host/telemetry/metric-family.ts";
import type { PromiseWatch } from "./promise-watch.ts";

interface OfPlane {
  readonly plane: Pick<PlanePort, "objects">;
  readonly clock: HostClock;
}

const VERDICTS = ["holds", "breached", "not-shown", "unchecked"] as const;

export function promiseFamilies(
  { plane, clock }: OfPlane,
  promises: PromiseWatch,
): readonly MetricFamily[] {
  const counts = new Map<string, number>(VERDICTS.map((verdict) => [verdict, 0]));
  for (const commitment of plane.objects.all("Commitment").values()) {
    const verdict = promises.standingOf(commitment)?.verdict ?? "unchecked";
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  }
  const { round } = promises;
  return [
    {
      name: "berth_commitments",
      help: "Promises about the fleet, by verdict.",
      type: "gauge",
      samples: samplesBy("verdict", counts),
    },
    {
      name: "berth_commitments_checked_seconds",
      help: "Time since the fleet that the verdicts are about; none before the first check.",
      type: "gauge",
      samples: round === undefined ? [] : [sample(sinceOf(round.atMs, clock.nowMs()))],
    },
    {
      name: "berth_commitments_busy_seconds_total",
      help: "Work of the thread that checks promises, without its pauses.",
      type: "counter",
      samples: [sample(promises.busyMs / 1_000)],
    },
  ];
}

const sinceOf = (atMs: number, nowMs: number): number => Math.max(0, nowMs - atMs) / 1_000;
