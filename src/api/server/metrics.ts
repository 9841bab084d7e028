/** What the server tells Prometheus about itself and its plane. */
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { setTimeout as sleep } from "node:timers/promises";
import { KINDS } from "../../core/model/ids.ts";
import { textOf } from "../../host/telemetry/metric-family.ts";
import type { PlaneTelemetry } from "../../host/telemetry/plane-telemetry.ts";
import { telemetryFamilies } from "../../host/telemetry/telemetry-families.ts";
import type { ApiContext } from "./api-context.ts";
import type { WriteQueue } from "./write-queue.ts";

export interface ApiMetrics {
  observe(of: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly seconds: number | undefined;
  }): void;
  text(): Promise<string>;
  readonly contentType: string;
}

/** A log that cannot be asked for its end in this time is scraped without a new one. */
const HEAR_END_MS = 250;

export function createMetrics(
  { plane, hub }: ApiContext,
  writes: WriteQueue,
  telemetry: PlaneTelemetry,
): ApiMetrics {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number): void => {
    void new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  const requests = new Counter({
    name: "berth_api_requests_total",
    help: "Requests answered, by method, route and status.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "berth_api_request_seconds",
    help: "How long requests took; streams are left out.",
    labelNames: ["method"],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers,
  });
  gauge("berth_api_watchers", "Streams that are open.", () => hub.size);
  gauge("berth_api_writes_under_way", "Users' writes under way.", () => writes.underWay);
  gauge("berth_api_writes_waiting", "Users' writes that wait for one.", () => writes.waiting);
  void new Counter({
    name: "berth_api_writes_turned_away_total",
    help: "Users' writes that found no place among those that wait.",
    registers,
    collect() {
      this.reset();
      this.inc(writes.turnedAway);
    },
  });
  gauge("berth_revision", "The newest durable revision.", () => plane.revision);
  gauge("berth_epoch", "The leadership of the authority.", () => plane.epoch);
  gauge("berth_leading", "1 while this plane leads.", () => (plane.isLeading ? 1 : 0));
  gauge("berth_books_wrong", "1 when the quota books do not add up; nothing is granted then.", () =>
    plane.objects.books.wrong === undefined ? 0 : 1,
  );
  gauge("process_resident_memory_bytes", "Memory of the process.", () => process.memoryUsage.rss());
  gauge("process_start_time_seconds", "When the process began.", () =>
    Math.round(Date.now() / 1_000 - process.uptime()),
  );
  void new Gauge({
    name: "berth_objects",
    help: "Objects, by kind.",
    labelNames: ["kind"],
    registers,
    collect() {
      for (const kind of KINDS) this.set({ kind }, plane.objects.all(kind).size);
    },
  });
  void new Gauge({
    name: "berth_owed_wakeups",
    help: "Keys that wait for something, by controller and reason.",
    labelNames: ["controller", "reason"],
    registers,
    collect() {
      this.reset();
      for (const { controller, reason, count } of plane.meter.countOwed()) {
        this.set({ controller, reason }, count);
      }
    },
  });
  return {
    observe: ({ method, route, status, seconds }) => {
      requests.inc({ method, route, status });
      if (seconds === undefined) return;
      durations.observe({ method }, seconds);
      if (route.includes("/explain")) telemetry.explained(seconds * 1_000);
    },
    text: async () => {
      await hearEnd(telemetry);
      return `${await registry.metrics()}\n${textOf(telemetryFamilies(telemetry))}`;
    },
    contentType: registry.contentType,
  };
}

/** Only whoever follows has anybody to hear from, and a scrape waits for nobody for long. */
async function hearEnd(telemetry: PlaneTelemetry): Promise<void> {
  const { plane } = telemetry;
  if (!plane.isShared) return;
  const unheard = (): number => telemetry.heardEnd;
  const newest = plane.newest().catch(unheard);
  telemetry.heardEnd = await Promise.race([
    newest,
    sleep(HEAR_END_MS, 0, { ref: false }).then(unheard),
  ]);
}
