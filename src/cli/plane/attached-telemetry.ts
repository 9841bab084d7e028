/**
 * What of a plane goes out beside its API: traces to a collector, and its decisions to its log or
 * to a file.
 */
import type { PlanePort } from "../../host/plane-port.ts";
import type { DecisionLine } from "../../host/telemetry/decision-lines.ts";
import type { IncarnationTracer } from "../../host/telemetry/trace/incarnation-tracer.ts";
import type { LineLog } from "../line-log.ts";
import { VERSION } from "../../shell/version.ts";
import type { OtlpSettings } from "./otlp-settings.ts";
import type { PlaneSettings } from "./plane-settings.ts";

export class AttachedTelemetry {
  private tracer: IncarnationTracer | undefined;
  private readonly ends: (() => Promise<void>)[] = [];

  /** All of it is loaded only when it is asked for: most planes send nothing. */
  async attach(
    plane: PlanePort,
    { otlp, name, decisionLog }: Pick<PlaneSettings, "otlp" | "name" | "decisionLog">,
    log: LineLog,
  ): Promise<void> {
    if (otlp !== undefined) await this.trace(plane, { otlp, name, log });
    if (decisionLog !== undefined) await this.keepDecisions(plane, decisionLog, log);
    else if (log.isLevelEnabled("debug")) {
      await this.tellDecisions(plane, (line) => log.debug(line, "A decision."));
    }
  }

  /** What the plane shows has taken a leap. */
  beginAgain(): void {
    this.tracer?.beginAgain();
  }

  async close(): Promise<void> {
    for (const end of this.ends) await end();
  }

  private async trace(
    plane: PlanePort,
    of: { readonly otlp: OtlpSettings; readonly name: string; readonly log: LineLog },
  ): Promise<void> {
    const { IncarnationTracer: Tracer } =
      await import("../../host/telemetry/trace/incarnation-tracer.ts");
    const { OtlpExporter } = await import("../../host/telemetry/trace/otlp-exporter.ts");
    const { target, resource, rate } = of.otlp;
    const exporter = new OtlpExporter({
      target,
      resource: {
        "service.name": "berth",
        "service.version": VERSION,
        "service.instance.id": of.name,
        ...resource,
      },
      counts: plane.meter.spans,
      onTrouble: (sentence) => of.log.warn(sentence),
    });
    const tracer = new Tracer({ plane, rate, take: (spans) => exporter.take(spans) });
    this.tracer = tracer;
    this.ends.push(() => {
      tracer.close();
      return exporter.close();
    });
  }

  private async keepDecisions(plane: PlanePort, path: string, log: LineLog): Promise<void> {
    const { LineFile } = await import("../../host/telemetry/line-file.ts");
    const onTrouble = (sentence: string): void => log.warn(sentence);
    const file = new LineFile({ path, counts: plane.meter.decisionLines, onTrouble });
    await this.tellDecisions(plane, (line) => file.write(line));
    this.ends.push(() => file.close());
  }

  private async tellDecisions(
    plane: PlanePort,
    write: (line: DecisionLine) => void,
  ): Promise<void> {
    const { DecisionLines } = await import("../../host/telemetry/decision-lines.ts");
    const lines = new DecisionLines({ plane, write });
    this.ends.push(async () => lines.close());
  }
}
