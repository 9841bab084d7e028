/**
 * Spans as the JSON of OTLP 1.x (ExportTraceServiceRequest). The text is put together by hand:
 * making the objects that the protocol nests around every single attribute would cost several times
 * as much.
 */
import type { Span, SpanAttributes } from "./span.ts";

/** SPAN_KIND_INTERNAL: it calls no other service. */
const INTERNAL = 1;
/** STATUS_CODE_ERROR; a span that says nothing is neither good nor bad. */
const ERROR = 2;

export function encodeSpans(spans: readonly Span[], resource: SpanAttributes): string {
  const told = spans.map(encoded).join(",");
  const scopeSpans = `[{"scope":{"name":"berth"},"spans":[${told}]}]`;
  return `{"resourceSpans":[{"resource":{"attributes":[${textOnce(resource)}]},"scopeSpans":${scopeSpans}}]}`;
}

function encoded(span: Span): string {
  const { traceId, spanId, parentSpanId, name, startMs, endMs } = span;
  const parent = parentSpanId === undefined ? "" : `"parentSpanId":"${parentSpanId}",`;
  const times = `"startTimeUnixNano":"${nanoseconds(startMs)}","endTimeUnixNano":"${nanoseconds(endMs)}"`;
  const status = span.isError ? `,"status":{"code":${ERROR}}` : "";
  const ids = `"traceId":"${traceId}","spanId":"${spanId}",${parent}`;
  return `{${ids}"name":"${name}","kind":${INTERNAL},${times},"attributes":[${attributesOf(span)}]${status}}`;
}

/** Text, because so many nanoseconds are no exact number. */
const nanoseconds = (ms: number): string => `${Math.round(ms)}000000`;

/**
 * Spans of one incarnation, and those that one command began, have parts in common, which are put
 * into words once.
 */
const texts = new WeakMap<SpanAttributes, string>();

function textOnce(part: SpanAttributes): string {
  const known = texts.get(part);
  if (known !== undefined) return known;
  const text = textOf(part);
  texts.set(part, text);
  return text;
}

function attributesOf({ attributes }: Span): string {
  let all = "";
  for (const part of attributes) {
    const text = textOnce(part);
    if (text !== "") all += all === "" ? text : `,${text}`;
  }
  return all;
}

function textOf(attributes: SpanAttributes): string {
  let text = "";
  for (const key of Object.keys(attributes)) {
    const value = attributes[key] ?? "";
    const typed =
      typeof value === "number"
        ? `"intValue":"${value}"`
        : `"stringValue":${JSON.stringify(value)}`;
    text += `${text === "" ? "" : ","}{"key":"${key}","value":{${typed}}}`;
  }
  return text;
}
