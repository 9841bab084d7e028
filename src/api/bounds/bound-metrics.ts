/** How much of each bound is used, and what was turned away because of it, for Prometheus. */
import type { Registry } from "prom-client";
import type { ConnectionTable } from "./connection-table.ts";
import type { HttpBounds } from "./http-bounds.ts";
import { countersIn, gaugesIn } from "./read-metric.ts";

export function addBoundMetrics(
  registry: Registry,
  { answers, bodies, watches }: HttpBounds,
  connections: ConnectionTable,
): void {
  const gauge = gaugesIn(registry);
  const counter = countersIn(registry);
  gauge("berth_api_connections", "Open connections.", () => connections.size);
  counter(
    "berth_api_connections_evicted_total",
    "Idle connections closed to make room for new ones.",
    () => connections.evicted,
  );
  counter(
    "berth_api_connections_refused_total",
    "Connections and requests rejected because all connections were busy.",
    () => connections.refused,
  );
  gauge(
    "berth_api_bodies_receiving",
    "Request bodies of users being received.",
    () => bodies.receiving,
  );
  gauge("berth_api_body_bytes", "Bytes of bodies held.", () => bodies.bytes.held);
  counter(
    "berth_api_bodies_turned_away_total",
    "Requests rejected before their body was read.",
    () => bodies.turnedAway,
  );
  counter(
    "berth_api_bodies_cut_off_total",
    "Requests aborted because their body stalled while others waited.",
    () => bodies.cutOff,
  );
  gauge("berth_api_answer_bytes", "Bytes of responses not read yet.", () => answers.held);
  counter(
    "berth_api_answers_turned_away_total",
    "Responses rejected because too many bytes were unread.",
    () => answers.turnedAway,
  );
  gauge("berth_api_watch_bytes", "Bytes of events not yet sent to watchers.", () => watches.bytes);
  counter(
    "berth_api_watches_turned_away_total",
    "Watches rejected because their caller has too many.",
    () => watches.turnedAway,
  );
  counter(
    "berth_api_watches_ended_total",
    "Watches ended because all watchers together were too far behind.",
    () => watches.ended,
  );
}
