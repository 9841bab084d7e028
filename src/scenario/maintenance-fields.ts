/**
 * Drains and lifted cordons in a timeline: `drain: { node: n1, holder: ada, deadline: 30s,
 * atDeadline: force }`.
 */
import { AT_DEADLINE, DRAIN_DEADLINE_MAX_MS, type DrainTerms } from "../core/model/node/drain.ts";
import { formatDuration } from "../quantity/duration.ts";
import type { UserAction } from "../sim/world/world.ts";
import type { PlainFields } from "../manifest/write-fields.ts";
import type { Cursor, Fields } from "./cursor.ts";
import type { References } from "./references.ts";

type Uncordon = Extract<UserAction, { do: "uncordon" }>;
type Drain = Extract<UserAction, { do: "drain" }>;

export function readUncordon(value: Cursor, references: References): Uncordon {
  const fields = value.fields(["node", "holder", "as", "force"]);
  const isForced = fields.has("force") && fields.need("force").boolean();
  return {
    do: "uncordon",
    node: nodeOf(fields, references),
    holder: fields.need("holder").text(),
    ...(fields.has("as") ? { as: fields.need("as").text() } : {}),
    ...(isForced ? { force: true } : {}),
  };
}

export function plainUncordon({ node, holder, as, force }: Uncordon): PlainFields {
  return {
    node,
    holder,
    ...(as === undefined ? {} : { as }),
    ...(force === undefined ? {} : { force }),
  };
}

export function readDrain(value: Cursor, references: References): Drain {
  const fields = value.fields(["node", "holder", "reason", "deadline", "atDeadline"]);
  const drain: Drain = { do: "drain", node: nodeOf(fields, references) };
  return fields.has("holder") ? { ...drain, terms: readTerms(fields) } : drain;
}

function readTerms(fields: Fields): DrainTerms {
  return {
    holder: fields.need("holder").text(),
    reason: fields.has("reason") ? fields.need("reason").text() : "",
    ...(fields.has("deadline") ? { deadlineMs: readDeadline(fields.need("deadline")) } : {}),
    ...(fields.has("atDeadline")
      ? { atDeadline: fields.need("atDeadline").choice(AT_DEADLINE) }
      : {}),
  };
}

function readDeadline(cursor: Cursor): number {
  const deadlineMs = cursor.durationMs(1);
  if (deadlineMs > DRAIN_DEADLINE_MAX_MS) cursor.expected("a duration of up to 24h");
  return deadlineMs;
}

export function plainDrain({ node, terms }: Drain): PlainFields {
  if (terms === undefined) return { node };
  const { holder, reason, deadlineMs, atDeadline } = terms;
  return {
    node,
    holder,
    ...(reason === "" ? {} : { reason }),
    ...(deadlineMs === undefined ? {} : { deadline: formatDuration(deadlineMs) }),
    ...(atDeadline === undefined ? {} : { atDeadline }),
  };
}

function nodeOf(fields: Fields, references: References): string {
  const cursor = fields.need("node");
  const node = cursor.text("the name of a node");
  references.refer("node", node, cursor);
  return node;
}
