/**
 * Nodes in a file. One entry may stand for a whole pool: `{ count: 10, name: eu-a, … }` makes
 * `eu-a-1` to `eu-a-10`, all alike.
 */
import type { NodeSpec } from "../core/model/objects.ts";
import { writtenNames } from "../manifest/read-fields.ts";
import type { PlainFields } from "../manifest/write-fields.ts";
import type { WorldNode } from "../sim/world/world.ts";
import { putUnlessEmpty, readLabels } from "./amounts-fields.ts";
import { capacityForm, plainWithCapacity, readWithCapacity } from "./capacity-fields.ts";
import type { Cursor } from "./cursor.ts";
import { readName, type References } from "./references.ts";

/** A drain is an entry of the timeline, and pools make their nodes themselves. */
const FORM = capacityForm("Node", ["drain", "pool"]);

export function readNodes(cursor: Cursor, references: References): readonly WorldNode[] {
  const fields = cursor.fields(["count", "name", ...writtenNames(FORM.fields), "labels"]);
  const nameAt = fields.need("name");
  const name = readName(nameAt);
  const labels = fields.get("labels", readLabels, {});
  const spec = readWithCapacity(FORM, fields, references) as NodeSpec;
  const names = fields.has("count") ? poolNames(name, fields.need("count").integer(1)) : [name];
  return names.map((each) => {
    references.declare("node", each, nameAt);
    return { name: each, labels, spec };
  });
}

function poolNames(pool: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${pool}-${index + 1}`);
}

export function plainNode({ name, labels, spec }: WorldNode): PlainFields {
  const plain: PlainFields = { name, ...plainWithCapacity(FORM, spec) };
  putUnlessEmpty(plain, "labels", labels);
  return plain;
}
