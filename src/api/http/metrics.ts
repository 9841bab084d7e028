/** What the server tells Prometheus about itself and its plane. */
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { setTimeout as sleep } from "node:timers/promises";
import { KINDS } from "../../core/model/ids.ts";
import type { NodeHealth } from "../../core/model/objects.ts";
import { textOf } from "../../host/telemetry/metric-family.ts";
import type { PromiseWatch } from "../../promises/promise-watch.ts";
import { promiseFamilies } from "../../promises/promise-families.ts";
import type { PlaneTelemetry } from "../../host/telemetry/plane-telemetry.ts";
import { telemetryFamilies } from "../../host/telemetry/telemetry-families.ts";
import type { ConnectionTable } from "../bounds/connection-table.ts";
import { addBoundMetrics } from "../bounds/bound-metrics.ts";
import { gaugesIn } from "../bounds/read-metric.ts";
import { addShareMetrics } from "../shares/share-metrics.ts";
import {
  RECOVERY_BUDGET_STATES,
  recoveryBudgetState,
} from "../kinds/status/recovery-budget-status.ts";
import type { ApiContext } from "./api-context.ts";
import { NO_RELOADS, type ReloadCounts } from "./reload-counts.ts";

export interface ApiMetrics {
  observe(of: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly seconds: number | undefined;
  }): void;
  text(): Promise<string>;
  readonly contentType: string;
  readonly telemetry: PlaneTelemetry;
}

export interface MetricSources {
  readonly connections: ConnectionTable;
  readonly telemetry: PlaneTelemetry;
  readonly promises: PromiseWatch;
  /** Left out: the server reads its credentials once. */
  readonly reloads?: ReloadCounts | undefined;
}

/** A log that cannot be asked for its end in this time is scraped without a new one. */
const HEAR_END_MS = 250;

export function createMetrics(
  context: ApiContext,
  { connections, telemetry, promises, reloads = NO_RELOADS }: MetricSources,
): ApiMetrics {
  const { plane, hub, bounds } = context;
  const registry = new Registry();
  const registers = [registry];
  const gauge = gaugesIn(registry);
  // The client library makes a text of all labels for each value that it counts.
  const seen = new Map<string, { method: string; route: string; status: number; count: number }>();
  void new Counter({
    name: "berth_api_requests_total",
    help: "Requests, by method, route and status.",
    labelNames: ["method", "route", "status"],
    registers,
    collect() {
      this.reset();
      for (const { count, ...labels } of seen.values()) this.inc(labels, count);
    },
  });
  const durations = new Histogram({
    name: "berth_api_request_seconds",
    help: "Request durations, without streams.",
    labelNames: ["method"],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers,
  });
  gauge("berth_api_watchers", "Open streams.", () => hub.size);
  addBoundMetrics(registry, bounds, connections);
  addShareMetrics(registry, bounds.seats);
  addPlaneMetrics(registry, plane);
  addFleetMetrics(registry, plane);
  addReloads(registers, reloads);
  return {
    observe: ({ method, route, status, seconds }) => {
      const key = `${status} ${method} ${route}`;
      const known = seen.get(key);
      if (known === undefined) seen.set(key, { method, route, status, count: 1 });
      else known.count += 1;
      if (seconds === undefined) return;
      durations.observe({ method }, seconds);
      if (route.includes("/explain")) telemetry.explained(seconds * 1_000);
    },
    text: async () => {
      await hearEnd(telemetry);
      const families = [...telemetryFamilies(telemetry), ...promiseFamilies(context, promises)];
      return `${await registry.metrics()}\n${textOf(families)}`;
    },
    contentType: registry.contentType,
    telemetry,
  };
}

function addPlaneMetrics(registry: Registry, plane: ApiContext["plane"]): void {
  const registers = [registry];
  const gauge = gaugesIn(registry);
  gauge("berth_revision", "The newest durable revision.", () => plane.revision);
  gauge("berth_epoch", "The leadership of the authority.", () => plane.epoch);
  gauge("berth_leading", "1 while this plane leads.", () => (plane.isLeading ? 1 : 0));
  gauge(
    "berth_accounts_wrong",
    "1 when the quota accounts are inconsistent; the plane then grants no quota.",
    () => (plane.objects.quotaUsage.wrong === undefined ? 0 : 1),
  );
  gauge("process_resident_memory_bytes", "Memory of the process.", () => process.memoryUsage.rss());
  gauge("process_start_time_seconds", "Start time of the process.", () =>
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
    help: "Waiting keys, by controller and reason.",
    labelNames: ["controller", "reason"],
    registers,
    collect() {
      this.reset();
      for (const { controller, reason, count } of plane.meter.countOwed()) {
        this.set({ controller, reason }, count);
      }
    },
  });
}

/** The words that they may have, so that an alert sees a 0 and not a gap. */
const HEALTHS: readonly NodeHealth[] = ["ready", "suspect", "unknown", "fenced"];

function addFleetMetrics(registry: Registry, { objects }: ApiContext["plane"]): void {
  const countBy = (
    of: { readonly name: string; readonly help: string; readonly label: string },
    words: readonly string[],
    read: () => Iterable<string>,
  ): void => {
    const { name, help, label } = of;
    void new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        for (const word of words) this.set({ [label]: word }, 0);
        for (const word of read()) this.inc({ [label]: word });
      },
    });
  };
  countBy({ name: "berth_nodes", help: "Nodes, by health.", label: "health" }, HEALTHS, () =>
    [...objects.all("Node").values()].map(({ status }) => status.health),
  );
  const budgets = {
    name: "berth_recovery_budgets",
    help: "Recovery budgets, by state.",
    label: "state",
  };
  countBy(budgets, RECOVERY_BUDGET_STATES, () =>
    [...objects.all("RecoveryBudget").values()].map((budget) =>
      recoveryBudgetState(budget, objects),
    ),
  );
}

function addReloads(registers: Registry[], { done, failed, stale }: ReloadCounts): void {
  const counter = (name: string, help: string, counts: ReadonlyMap<string, number>): void => {
    void new Counter({
      name,
      help,
      labelNames: ["what"],
      registers,
      collect() {
        this.reset();
        for (const [what, count] of counts) this.inc({ what }, count);
      },
    });
  };
  counter("berth_credential_reloads_total", "Reloads of tokens and certificates.", done);
  counter(
    "berth_credential_reload_failures_total",
    "Reloads that failed because the new file is invalid; the previous one stays in force.",
    failed,
  );
  void new Gauge({
    name: "berth_credential_stale",
    help: "1 while the file is invalid and the previous version is in force.",
    labelNames: ["what"],
    registers,
    collect() {
      this.reset();
      for (const what of done.keys()) this.set({ what }, stale.has(what) ? 1 : 0);
    },
  });
}

/** Only a follower has a leader to hear from, and a scrape does not wait long. */
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
