/**
 * Drains and lifted cordons in a timeline: `drain: { node: n1, holder: ada, deadline: 30s,
 * atDeadline: force }`.
 */
import { fieldsOf } from "../core/kinds/kind-definitions.ts";
import { assert } from "../core/model/assert.ts";
import type { DrainTerms } from "../core/model/node/drain.ts";
import { readFields, writtenNames } from "../manifest/read-fields.ts";
import { type PlainFields, writeFields } from "../manifest/write-fields.ts";
import type { UserAction } from "../sim/world/world.ts";
import type { Cursor, Fields } from "./cursor.ts";
import type { References } from "./references.ts";
import { writtenFields } from "./written-cursor.ts";

type Uncordon = Extract<UserAction, { do: "uncordon" }>;
type Drain = Extract<UserAction, { do: "drain" }>;

const { drain: DRAIN } = fieldsOf("Node");
assert(DRAIN?.form === "object", "A drain has several fields.");
const TERMS = DRAIN.fields;

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
  const fields = value.fields(["node", ...writtenNames(TERMS)]);
  const drain: Drain = { do: "drain", node: nodeOf(fields, references) };
  if (!fields.has("holder")) return drain;
  const terms = readFields(TERMS, writtenFields(fields, references)) as unknown as DrainTerms;
  return { ...drain, terms };
}

export const plainDrain = ({ node, terms }: Drain): PlainFields => ({
  node,
  ...(terms === undefined ? {} : writeFields(TERMS, terms, "world")),
});

function nodeOf(fields: Fields, references: References): string {
  const cursor = fields.need("node");
  const node = cursor.text("the name of a node");
  references.refer("node", node, cursor);
  return node;
}
