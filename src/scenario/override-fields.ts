/**
 * Overrides in a timeline: `override: { name: ov-1, as: ana, action: avoid-zone, target: { zone: a
 * }, reason: why, ttl: 30s }`, and who extends or releases them.
 */
import {
  OVERRIDE_ACTIONS,
  OVERRIDE_TTL_MS,
  type OverrideSpec,
  type OverrideTarget,
  TARGET_FIELDS,
  TARGETS,
} from "../core/model/override.ts";
import { formatDuration } from "../quantity/duration.ts";
import type { UserAction } from "../sim/world/world.ts";
import type { PlainFields } from "../manifest/write-fields.ts";
import type { Cursor } from "./cursor.ts";

type Put = Extract<UserAction, { do: "override" }>;
type Extend = Extract<UserAction, { do: "extend-override" }>;
type Release = Extract<UserAction, { do: "release-override" }>;

export function readOverride(value: Cursor): Put {
  const fields = value.fields(["name", "as", "action", "target", "reason", "ttl", "amount"]);
  const action = fields.need("action").choice(OVERRIDE_ACTIONS);
  const target = fields.has("target") ? readTarget(fields.need("target")) : {};
  const named = TARGET_FIELDS.filter((field) => target[field] !== undefined);
  if (!TARGETS[action].some((set) => set.join() === named.join())) {
    const sets = TARGETS[action].map((set) => set.join(" and ") || "nothing");
    value.fail(
      `found target ${named.join(" and ") || "nothing"}; ${action} takes ${sets.join(", or ")}.`,
    );
  }
  const spec: OverrideSpec = {
    action,
    target,
    reason: fields.need("reason").text(),
    ttlMs: readTtl(fields.need("ttl")),
    ...(fields.has("amount") ? { amount: fields.need("amount").integer(1) } : {}),
  };
  return { do: "override", name: fields.need("name").text(), as: fields.need("as").text(), spec };
}

function readTarget(value: Cursor): OverrideTarget {
  const fields = value.fields([...TARGET_FIELDS]);
  return Object.fromEntries(
    TARGET_FIELDS.filter((field) => fields.has(field)).map((field) => [
      field,
      fields.need(field).text("a name"),
    ]),
  );
}

function readTtl(cursor: Cursor): number {
  const ttlMs = cursor.durationMs(OVERRIDE_TTL_MS.least);
  if (ttlMs > OVERRIDE_TTL_MS.most) cursor.expected("a duration of up to 7d");
  return ttlMs;
}

export function readExtend(value: Cursor): Extend {
  const fields = value.fields(["name", "as", "ttl"]);
  const ttlMs = readTtl(fields.need("ttl"));
  return {
    do: "extend-override",
    name: fields.need("name").text(),
    as: fields.need("as").text(),
    ttlMs,
  };
}

export function readOverrideRelease(value: Cursor): Release {
  const fields = value.fields(["name", "as"]);
  return {
    do: "release-override",
    name: fields.need("name").text(),
    as: fields.need("as").text(),
  };
}

export function plainOverride({ name, as, spec }: Put): PlainFields {
  return {
    name,
    as,
    action: spec.action,
    ...(Object.keys(spec.target).length === 0 ? {} : { target: { ...spec.target } }),
    reason: spec.reason,
    ttl: formatDuration(spec.ttlMs),
    ...(spec.amount === undefined ? {} : { amount: spec.amount }),
  };
}
