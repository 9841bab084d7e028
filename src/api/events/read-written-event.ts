/**
 * Reads a core/v1 Event that a client writes: which object it is about, what happened, and how
 * often. Fields that Berth does not keep are ignored.
 */
import { ApiError } from "../errors.ts";
import { fieldOf, type JsonObject } from "../http/json-value.ts";
import { EVENT_BOUNDS } from "./event-limits.ts";
import type { WrittenEvent } from "./event-log.ts";

export function readWrittenEvent(
  value: JsonObject,
  { meta, nowMs }: { readonly meta: WrittenEvent["meta"]; readonly nowMs: number },
): WrittenEvent {
  const object = fieldOf(value, "involvedObject");
  const about = {
    kind: textOf(object, "kind", "involvedObject.kind"),
    name: textOf(object, "name", "involvedObject.name"),
    namespace: optionalText(object, "namespace") ?? meta.namespace,
    uid: optionalText(object, "uid") ?? "",
    apiVersion: optionalText(object, "apiVersion") ?? "",
  };
  // Newer clients state `eventTime` and a series, and leave the two times out.
  const at = timeOf(value, "eventTime") ?? nowMs;
  const firstMs = timeOf(value, "firstTimestamp") ?? at;
  const lastMs =
    timeOf(value, "lastTimestamp") ?? timeOf(fieldOf(value, "series"), "lastObservedTime");
  const component = optionalText(fieldOf(value, "source"), "component");
  return {
    meta,
    about,
    type: typeOf(value),
    reason: optionalText(value, "reason") ?? "",
    message: optionalText(value, "message") ?? "",
    source: optionalText(value, "reportingComponent") ?? component ?? "",
    count: countOf(value) ?? countOf(fieldOf(value, "series")) ?? 1,
    firstMs,
    // A clock that is ahead would keep it longer than others.
    lastMs: Math.min(lastMs ?? at, nowMs),
  };
}

function typeOf(value: JsonObject): WrittenEvent["type"] {
  const type = optionalText(value, "type") ?? "Normal";
  if (type === "Normal" || type === "Warning") return type;
  throw wrong("type", "Normal or Warning");
}

function textOf(value: unknown, name: string, path: string): string {
  const text = optionalText(value, name);
  if (text !== undefined) return text;
  throw wrong(path, "a text");
}

/** Undefined for a text that is missing or empty, as Go's clients send it. */
function optionalText(value: unknown, name: string): string | undefined {
  const text = fieldOf(value, name) ?? "";
  const most = EVENT_BOUNDS.writtenText;
  if (typeof text !== "string" || text.length > most) {
    throw wrong(name, `a text of at most ${most} characters`);
  }
  return text === "" ? undefined : text;
}

function timeOf(value: unknown, name: string): number | undefined {
  const text = optionalText(value, name);
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw wrong(name, "a time such as 2026-01-31T12:00:00Z");
  return ms;
}

function countOf(value: unknown): number | undefined {
  const count = fieldOf(value, "count") ?? undefined;
  if (
    count === undefined ||
    (typeof count === "number" && Number.isSafeInteger(count) && count > 0)
  ) {
    return count;
  }
  throw wrong("count", "a whole number of at least 1");
}

const wrong = (field: string, expected: string): ApiError =>
  new ApiError("invalid-object", `${field}: expected ${expected}.`);
