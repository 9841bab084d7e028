/**
 * What makes a batch a job, as it stands in a file: `batch: { completions: 6, parallelism: 2, ttl:
 * 1m }`.
 */
import { type BatchSpec, JOB_TIME_MAX_MS } from "../core/model/batch.ts";
import { formatDuration } from "../quantity/duration.ts";
import type { PlainFields } from "../manifest/write-fields.ts";
import type { Cursor, Fields } from "./cursor.ts";

const FIELDS = [
  "completions",
  "parallelism",
  "backoffLimit",
  "perIndexRetries",
  "activeDeadline",
  "ttl",
] as const;

export function readBatch(cursor: Cursor): BatchSpec {
  const fields = cursor.fields(FIELDS);
  const activeDeadlineMs = readTime(fields, "activeDeadline", 1);
  const ttlMs = readTime(fields, "ttl", 0);
  return {
    completions: fields.need("completions").integer(1),
    ...(fields.has("parallelism") ? { parallelism: fields.need("parallelism").integer(1) } : {}),
    ...(fields.has("backoffLimit") ? { backoffLimit: fields.need("backoffLimit").integer(0) } : {}),
    ...(fields.has("perIndexRetries")
      ? { perIndexRetries: fields.need("perIndexRetries").integer(0) }
      : {}),
    ...(activeDeadlineMs === undefined ? {} : { activeDeadlineMs }),
    ...(ttlMs === undefined ? {} : { ttlMs }),
  };
}

function readTime(fields: Fields, name: "activeDeadline" | "ttl", fromMs: number) {
  if (!fields.has(name)) return undefined;
  const at = fields.need(name);
  const ms = at.durationMs(fromMs);
  if (ms > JOB_TIME_MAX_MS) at.expected(`a duration of up to ${formatDuration(JOB_TIME_MAX_MS)}`);
  return ms;
}

export function plainBatch({ activeDeadlineMs, ttlMs, ...rest }: BatchSpec): PlainFields {
  const plain: PlainFields = { ...rest };
  if (activeDeadlineMs !== undefined) plain["activeDeadline"] = formatDuration(activeDeadlineMs);
  if (ttlMs !== undefined) plain["ttl"] = formatDuration(ttlMs);
  return plain;
}
