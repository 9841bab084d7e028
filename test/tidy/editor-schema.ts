/**
 * `docs/reference/berth.schema.json`: what editors check manifests with while they are written, and complete fields from.
 * It has the kinds that people write, without the status, which the plane writes.
 */
import { apiVersionOf } from "../../src/api/kinds/kubernetes-form.ts";
import { ALL_KINDS } from "../../src/api/kinds/all-kinds.ts";
import { type Page, REFERENCE } from "./reference-pages.ts";

const PATH = `${REFERENCE}/berth.schema.json`;

export function editorSchema(): Page {
  const kinds = ALL_KINDS.filter(({ isWritable }) => isWritable);
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "A manifest of Berth",
    type: "object",
    required: ["apiVersion", "kind", "metadata"],
    properties: {
      apiVersion: { enum: [...new Set(kinds.map(apiVersionOf))] },
      kind: { enum: kinds.map(({ kind }) => kind) },
    },
    allOf: kinds.map(({ kind }) => onlyFor(kind)),
    definitions: Object.fromEntries(kinds.map(({ kind, schema: of }) => [kind, written(of)])),
  };
  return { path: PATH, text: `${JSON.stringify(schema, undefined, 1)}\n` };
}

/** A kind other than this one, or all that this one says. */
const onlyFor = (kind: string): object => ({
  anyOf: [{ not: { properties: { kind: { const: kind } } } }, { $ref: `#/definitions/${kind}` }],
});

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
}

function written(schema: Schema): unknown {
  const { status: _, ...properties } = schema.properties ?? {};
  return plain({ ...schema, properties });
}

/** Without what only our own server understands. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !name.startsWith("x-") && name !== "~kind");
  return Object.fromEntries(kept.map(([name, each]) => [name, plain(each)]));
}
