/** How much of each bound is used, and what was turned away because of it, for Prometheus. */
import type { Registry } from "prom-client";
import type { ConnectionTable } from "./connection-table.ts";
import type { HttpBounds } from "./http-bounds.ts";
import { countersIn, gaugesIn } from "./read-metric.ts";

export function addBoundMetrics(
  registry: Registry,
  { answers, bodies, reads, watches }: HttpBounds,
  connections: ConnectionTable,
): void {
  const gauge = gaugesIn(registry);
  const counter = countersIn(registry);
  gauge("berth_api_connections", "Open connections.", () => connections.size);
  counter(
    "berth_api_connections_evicted_total",
    "Idle connections that were closed for others.",
    () => connections.evicted,
  );
  counter(
    "berth_api_connections_refused_total",
    "Connections and requests that were refused because all connections were busy.",
    () => connections.refused,
  );
  gauge("berth_api_bodies_receiving", "Users' bodies being received.", () => bodies.receiving);
  gauge("berth_api_body_bytes", "Bytes of bodies held.", () => bodies.bytes.held);
  counter(
    "berth_api_bodies_turned_away_total",
    "Requests that were refused before their body was read.",
    () => bodies.turnedAway,
  );
  counter(
    "berth_api_bodies_cut_off_total",
    "Requests that were cut off because their body did not come and others needed the place.",
    () => bodies.cutOff,
  );
  gauge("berth_api_reads_under_way", "Long reads under way.", () => reads.underWay);
  gauge("berth_api_reads_waiting", "Long reads that wait for one.", () => reads.waiting);
  counter(
    "berth_api_reads_turned_away_total",
    "Long reads that found no place among those that wait, or waited too long.",
    () => reads.turnedAway,
  );
  gauge("berth_api_answer_bytes", "Bytes of answers not read yet.", () => answers.held);
  counter(
    "berth_api_answers_turned_away_total",
    "Answers that were refused because too many bytes were not read yet.",
    () => answers.turnedAway,
  );
  gauge("berth_api_watch_bytes", "Bytes of events that wait for watchers.", () => watches.bytes);
  counter(
    "berth_api_watches_turned_away_total",
    "Watches that were refused because their caller has enough.",
    () => watches.turnedAway,
  );
  counter(
    "berth_api_watches_ended_total",
    "Watches that were ended because all watchers together were too far behind.",
    () => watches.ended,
  );
}
