/**
 * The seats of each level for Prometheus. Labels are levels and bounds alone, so their number is
 * fixed; `berth top --api` has the callers.
 */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { levelsOf, type SeatGate } from "./seat-gate.ts";
import { SHARE_LEVELS } from "../../core/admission/share-level.ts";
import { BOUNDS } from "./share-tally.ts";
import { WAIT_CLASSES_MS } from "./wait-times.ts";

export function addShareMetrics(registry: Registry, gate: SeatGate): void {
  const common = { labelNames: ["level"], registers: [registry] };
  void new Gauge({
    ...common,
    name: "berth_api_seats",
    help: "Seats of requests in progress, by level.",
    collect() {
      for (const { level, running } of levelsOf(gate)) this.set({ level }, running);
    },
  });
  void new Gauge({
    ...common,
    name: "berth_api_seats_wanted",
    help: "Requests waiting for a seat, by level.",
    collect() {
      for (const { level, waiting } of levelsOf(gate)) this.set({ level }, waiting);
    },
  });
  void new Counter({
    name: "berth_api_refused_total",
    help: "Requests refused with 429 because a queue was full or they waited too long, by level and bound.",
    labelNames: ["level", "bound"],
    registers: [registry],
    collect() {
      this.reset();
      for (const level of SHARE_LEVELS) {
        for (const bound of BOUNDS) {
          this.inc({ level, bound }, gate.tally.levels[level].refused[bound]);
        }
      }
    },
  });
  void new Counter({
    ...common,
    name: "berth_api_level_bytes_total",
    help: "Bytes of requests and responses, by level.",
    collect() {
      this.reset();
      for (const level of SHARE_LEVELS) this.inc({ level }, gate.tally.levels[level].bytes);
    },
  });
  gate.tally.onBegun = histogramOf(registry);
}

function histogramOf(registry: Registry): (level: string, waitMs: number) => void {
  const waits = new Histogram({
    name: "berth_api_seat_wait_seconds",
    help: "How long requests waited for their seat, by level.",
    labelNames: ["level"],
    buckets: WAIT_CLASSES_MS.filter((_, at) => at % 2 === 0).map((ms) => ms / 1_000),
    registers: [registry],
  });
  const children = new Map(SHARE_LEVELS.map((level) => [level as string, waits.labels(level)]));
  return (level, waitMs) => children.get(level)?.observe(waitMs / 1_000);
}
