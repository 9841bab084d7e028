/**
 * Where traces go and how many of them, by the command line or by the variables that every OTLP
 * sender reads.
 */
import type { OtlpTarget } from "../../host/telemetry/trace/otlp-exporter.ts";
import { UserError } from "../../shell/errors.ts";
import type { PlaneCommandOptions } from "../commands/plane.ts";

export interface OtlpSettings {
  readonly target: OtlpTarget;
  /** The part of all incarnations that are traced. */
  readonly rate: number;
}

/**
 * Enough to see what is usual; a plane that binds thousands a second would send more than anybody
 * looks at.
 */
const USUAL_RATE = 0.01;
const TRACES = "/v1/traces";

type Environment = Readonly<Record<string, string | undefined>>;

export function readOtlp(
  { otlp, otlpSample }: Pick<PlaneCommandOptions, "otlp" | "otlpSample">,
  environment: Environment,
): OtlpSettings | undefined {
  const rate = readRate(otlpSample);
  const url = readTarget(otlp, environment);
  if (url === undefined) return undefined;
  const headers = readHeaders(environment["OTEL_EXPORTER_OTLP_HEADERS"] ?? "");
  return { target: { url, headers }, rate };
}

function readTarget(otlp: string | undefined, environment: Environment): string | undefined {
  if (otlp !== undefined) return underBase("--otlp", otlp);
  const whole = environment["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] ?? "";
  if (whole !== "") return readUrl("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", whole);
  const base = environment["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? "";
  return base === "" ? undefined : underBase("OTEL_EXPORTER_OTLP_ENDPOINT", base);
}

function underBase(where: string, text: string): string {
  const url = readUrl(where, text).replace(/\/$/, "");
  return url.endsWith(TRACES) ? url : `${url}${TRACES}`;
}

function readUrl(where: string, text: string): string {
  try {
    const url = new URL(text);
    if (url.protocol === "http:" || url.protocol === "https:") return url.href;
  } catch {
    // Falls through: whatever the parser has against it, the person needs to see the expected form.
  }
  throw new UserError(
    "bad-usage",
    `${where}: found "${text}", expected a collector address such as http://127.0.0.1:4318.`,
  );
}

function readRate(text: string | undefined): number {
  if (text === undefined) return USUAL_RATE;
  const rate = Number(text);
  if (text.trim() !== "" && rate >= 0 && rate <= 1) return rate;
  throw new UserError(
    "bad-usage",
    `--otlp-sample: found "${text}", expected a fraction from 0 to 1.`,
  );
}

/** `name=value,name=value`, with what a list could not hold escaped as in an address. */
function readHeaders(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(",").filter((pair) => pair.includes("="));
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at).trim(), unescaped(pair.slice(at + 1).trim())];
    }),
  );
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
