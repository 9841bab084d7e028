/**
 * Where replicas tell of their requests, between what a user writes and what the agent asks for.
 */
import type { MetricsPage } from "../../../core/model/run-options.ts";
import { checkRunPort } from "../run-port.ts";
import type { SpecReader } from "../spec-reader.ts";
import {
  DEFAULT_METRICS_PATH,
  DEFAULT_REQUESTS_COUNTER,
  type MetricsText,
  type TemplateText,
} from "../template-schema.ts";

export function readMetrics(
  { metrics, run }: TemplateText,
  reader: SpecReader,
): MetricsPage | undefined {
  if (metrics === undefined) return undefined;
  const ports = run.ports ?? [];
  const field = "spec.metrics.port";
  const { path = DEFAULT_METRICS_PATH, requests = DEFAULT_REQUESTS_COUNTER } = metrics;
  const [only, ...others] = ports;
  if (metrics.port === undefined && (only === undefined || others.length > 0)) {
    const found = only === undefined ? "none" : ports.join(", ");
    const expected = "expected the name of one, or a single port in spec.run.ports.";
    reader.mistake(field, `left out, and spec.run.ports has ${found}; ${expected}`);
    return undefined;
  }
  const port = metrics.port ?? only ?? "";
  checkRunPort(field, { port, ports, reader });
  return { port, path, requests };
}

export const writeMetrics = ({ port, path, requests }: MetricsPage): MetricsText => ({
  port,
  path,
  requests,
});
