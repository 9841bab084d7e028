import { describe, expect, it, test } from "vitest";
import { readOtlp } from "./otlp-settings.ts";

const BASE = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };
const read = (environment: Record<string, string>, otlp?: string) =>
  readOtlp(otlp === undefined ? {} : { otlp }, environment);

describe("the target of traces", () => {
  it("[AP355] comes from the environment, with the path of traces", () => {
    expect(read(BASE)).toEqual({
      target: { url: "http://collector:4318/v1/traces", headers: {}, timeoutMs: 10_000 },
      resource: {},
      rate: 0.01,
    });
    expect(read({})).toBeUndefined();
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: "" })).toBeUndefined();
  });

  it("[AP355] is that of traces alone first, and that of the command line before both", () => {
    const both = { ...BASE, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://traces:1/own" };
    expect(read(both)?.target.url).toBe("http://traces:1/own");
    expect(read(both, "https://mine")?.target.url).toBe("https://mine/v1/traces");
  });

  it("[AP355] has headers and a timeout, those of traces alone first", () => {
    const general = {
      ...BASE,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20abc=, x-team = berth ,",
      OTEL_EXPORTER_OTLP_TIMEOUT: "2500",
    };
    expect(read(general)?.target).toMatchObject({
      headers: { authorization: "Basic abc=", "x-team": "berth" },
      timeoutMs: 2_500,
    });
    const own = {
      ...general,
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: "x-team=risk",
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "100",
    };
    expect(read(own)?.target).toMatchObject({ headers: { "x-team": "risk" }, timeoutMs: 100 });
  });
});

test("[AP355] the name of the service takes precedence over the attributes of the sender", () => {
  const listed = { ...BASE, OTEL_RESOURCE_ATTRIBUTES: "service.name=a,deployment=eu%2Cwest" };
  expect(read(listed)?.resource).toEqual({ "service.name": "a", deployment: "eu,west" });
  expect(read({ ...listed, OTEL_SERVICE_NAME: "b" })?.resource["service.name"]).toBe("b");
});

test.each([
  [{ OTEL_SDK_DISABLED: "true" }, false],
  [{ OTEL_SDK_DISABLED: "TRUE" }, false],
  [{ OTEL_SDK_DISABLED: "false" }, true],
  [{ OTEL_SDK_DISABLED: "" }, true],
  [{ OTEL_TRACES_EXPORTER: "none" }, false],
  [{ OTEL_TRACES_EXPORTER: "otlp" }, true],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" }, true],
])("[AP355] a plane with %j sends traces: %s", (more, isSent) => {
  expect(read({ ...BASE, ...more }) !== undefined).toBe(isSent);
  expect(read(more, "http://mine") !== undefined).toBe(isSent);
});

test.each([
  ["OTEL_SDK_DISABLED", "yes", 'found "yes", expected true or false'],
  ["OTEL_EXPORTER_OTLP_TIMEOUT", "10s", 'found "10s", expected whole milliseconds'],
  ["OTEL_EXPORTER_OTLP_TIMEOUT", "0", 'found "0", expected whole milliseconds'],
  ["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "1e9", 'found "1e9", expected whole milliseconds'],
  ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", 'found "grpc", expected http/json'],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318", "expected a collector address"],
  ["OTEL_RESOURCE_ATTRIBUTES", "a=1,b", "entry 2 is wrong"],
  ["OTEL_RESOURCE_ATTRIBUTES", "a=%zz", "entry 1 is wrong"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "=secret", "entry 1 is wrong"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "x y=secret", 'found "x y", expected the name'],
  ["OTEL_EXPORTER_OTLP_HEADERS", "token=secret%0Aline", 'found "token", expected the name'],
])("[AP355] %s=%s is an error that names it and no secret", (name, text, message) => {
  const reading = (): unknown => read({ ...BASE, [name]: text });
  expect(reading).toThrow(`${name}: `);
  expect(reading).toThrow(message);
  expect(reading).not.toThrow("secret");
});
