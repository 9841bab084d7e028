/** Priority classes in a file: `{ name: urgent, value: 100, preempts: never, band: base, preemptible: false }`. */
import type { PriorityClassSpec } from "../core/model/objects.ts";
import { HIGHEST_VALUE } from "../core/model/preemption.ts";
import type { WorldPriorityClass } from "../sim/world/world.ts";
import type { PlainFields } from "./amounts-fields.ts";
import type { Cursor } from "./cursor.ts";
import { readName } from "./references.ts";

export function readPriorityClass(cursor: Cursor): WorldPriorityClass {
  const fields = cursor.fields(["name", "value", "preempts", "band", "preemptible"]);
  const preempts = fields.get<PriorityClassSpec["preempts"]>(
    "preempts",
    (what) => what.choice(["lower", "never"]),
    undefined,
  );
  const band = fields.get<string | undefined>("band", (name) => name.text(), undefined);
  const preemptible = fields.get<boolean | undefined>(
    "preemptible",
    (yes) => yes.boolean(),
    undefined,
  );
  return {
    name: readName(fields.need("name")),
    spec: {
      value: fields.need("value").integer(-HIGHEST_VALUE),
      ...(preempts === undefined ? {} : { preempts }),
      ...(band === undefined ? {} : { band }),
      ...(preemptible === undefined ? {} : { preemptible }),
    },
  };
}

export function plainPriorityClass({ name, spec }: WorldPriorityClass): PlainFields {
  const { value, preempts, band, preemptible } = spec;
  return {
    name,
    value,
    ...(preempts === undefined ? {} : { preempts }),
    ...(band === undefined ? {} : { band }),
    ...(preemptible === undefined ? {} : { preemptible }),
  };
}
