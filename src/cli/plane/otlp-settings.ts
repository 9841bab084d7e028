/**
 * Where traces go and how many of them, by the command line or by the variables that every OTLP
 * sender reads.
 */
import type { OtlpTarget } from "../../host/telemetry/trace/otlp-exporter.ts";
import { UserError } from "../../shell/errors.ts";
import type { PlaneCommandOptions } from "../commands/plane.ts";

export interface OtlpSettings {
  readonly target: OtlpTarget;
  /** Attributes of the sender, which take precedence over those that the plane knows itself. */
  readonly resource: Readonly<Record<string, string>>;
  /** The part of all incarnations that are traced. */
  readonly rate: number;
}

/**
 * Enough to see what is usual; a plane that binds thousands a second would send more than anybody
 * looks at.
 */
const USUAL_RATE = 0.01;
const TRACES = "/v1/traces";
/** As OpenTelemetry's own senders wait. */
const USUAL_TIMEOUT_MS = 10_000;
/** A collector that takes longer holds up every later span. */
const LONGEST_TIMEOUT_MS = 60_000;

type Environment = Readonly<Record<string, string | undefined>>;

export function readOtlp(
  { otlp, otlpSample }: Pick<PlaneCommandOptions, "otlp" | "otlpSample">,
  environment: Environment,
): OtlpSettings | undefined {
  const rate = readRate(otlpSample);
  const url = readTarget(otlp, environment);
  if (url === undefined || isOff(environment)) return undefined;
  checkProtocol(environment);
  const headers = readHeaders(firstSet(environment, ofTraces("HEADERS")));
  const timeoutMs = readTimeout(firstSet(environment, ofTraces("TIMEOUT")));
  return { target: { url, headers, timeoutMs }, resource: readResource(environment), rate };
}

/** The variable of traces alone takes precedence over that of all signals. */
const ofTraces = (what: string): readonly string[] => [
  `OTEL_EXPORTER_OTLP_TRACES_${what}`,
  `OTEL_EXPORTER_OTLP_${what}`,
];

interface Variable {
  readonly name: string;
  readonly text: string;
}

/** An empty variable is as good as none. */
function firstSet(environment: Environment, names: readonly string[]): Variable | undefined {
  const name = names.find((each) => (environment[each] ?? "").trim() !== "");
  return name === undefined ? undefined : { name, text: (environment[name] ?? "").trim() };
}

const wrong = ({ name, text }: Variable, expected: string): UserError =>
  new UserError("bad-usage", `${name}: found "${text}", expected ${expected}.`);

function isOff(environment: Environment): boolean {
  const disabled = firstSet(environment, ["OTEL_SDK_DISABLED"]);
  if (disabled !== undefined && !/^(?:true|false)$/i.test(disabled.text)) {
    throw wrong(disabled, "true or false");
  }
  const exporter = firstSet(environment, ["OTEL_TRACES_EXPORTER"])?.text;
  return disabled?.text.toLowerCase() === "true" || exporter === "none";
}

/** Collectors take JSON where they take protobuf over HTTP, and neither where they take gRPC. */
function checkProtocol(environment: Environment): void {
  const protocol = firstSet(environment, ofTraces("PROTOCOL"));
  if (protocol === undefined || protocol.text.startsWith("http/")) return;
  throw wrong(protocol, "http/json; Berth does not send gRPC");
}

function readTimeout(given: Variable | undefined): number {
  if (given === undefined) return USUAL_TIMEOUT_MS;
  const ms = Number(given.text);
  if (/^\d+$/.test(given.text) && ms >= 1 && ms <= LONGEST_TIMEOUT_MS) return ms;
  throw wrong(given, `whole milliseconds from 1 to ${LONGEST_TIMEOUT_MS}`);
}

function readResource(environment: Environment): Readonly<Record<string, string>> {
  const listed = readPairs(firstSet(environment, ["OTEL_RESOURCE_ATTRIBUTES"]));
  const service = firstSet(environment, ["OTEL_SERVICE_NAME"])?.text;
  return { ...listed, ...(service === undefined ? {} : { "service.name": service }) };
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

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7E]*$/;

function readHeaders(given: Variable | undefined): Readonly<Record<string, string>> {
  const headers = readPairs(given);
  for (const [name, value] of Object.entries(headers)) {
    if (given === undefined || (HEADER_NAME.test(name) && HEADER_VALUE.test(value))) continue;
    // The value may be a token: it is not repeated.
    throw wrong({ ...given, text: name }, "the name and the value of an HTTP header");
  }
  return headers;
}

/** `name=value,name=value`, with what a list could not hold escaped as in an address. */
function readPairs(given: Variable | undefined): Readonly<Record<string, string>> {
  if (given === undefined) return {};
  const pairs = given.text.split(",").map((pair) => pair.trim());
  return Object.fromEntries(
    pairs.filter((pair) => pair !== "").map((pair, at) => readPair(given.name, pair, at)),
  );
}

function readPair(variable: string, pair: string, at: number): readonly [string, string] {
  const [key = "", ...rest] = pair.split("=");
  const name = unescaped(key.trim());
  const value = unescaped(rest.join("=").trim());
  if (rest.length > 0 && name !== undefined && name !== "" && value !== undefined) {
    return [name, value];
  }
  // Entries may hold tokens: the position names the wrong one.
  throw new UserError(
    "bad-usage",
    `${variable}: entry ${at + 1} is wrong, expected name=value,name=value with other characters as %XX.`,
  );
}

/** Undefined: it is escaped wrongly. */
function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
