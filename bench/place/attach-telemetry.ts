/**
 * Everything that a plane with an API and a collector keeps and tells, on a plane without either.
 * Traces are put into words and go nowhere: sending them is another process's work for the most
 * part, and is not measured.
 */
import { createHostClock } from "../../src/host/host-clock.ts";
import type { PlanePort } from "../../src/host/plane-port.ts";
import { PlaneTelemetry } from "../../src/host/telemetry/plane-telemetry.ts";
import { encodeSpans } from "../../src/host/telemetry/trace/encode-spans.ts";
import { IncarnationTracer } from "../../src/host/telemetry/trace/incarnation-tracer.ts";

/** What `berth plane` does unless it is told otherwise. */
const USUAL_RATE = 0.01;

/** Returns how to stop. */
export function attachTelemetry(plane: PlanePort): () => void {
  const telemetry = new PlaneTelemetry(plane, createHostClock());
  const resource = { "service.name": "berth" };
  const tracer = new IncarnationTracer({
    plane,
    rate: USUAL_RATE,
    take: (spans) => void encodeSpans(spans, resource),
  });
  return () => {
    telemetry.close();
    tracer.close();
  };
}
