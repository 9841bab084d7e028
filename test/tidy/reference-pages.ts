/**
 * `docs/reference`, generated from the definitions of the kinds and the schemas of the API: a page for each kind with
 * every field, and an index. Examples are files beside the pages, which users can apply and a test checks; those of kinds
 * that define their fields are generated, too.
 */
import { Document, isScalar, visit } from "yaml";
import { API_VERSION } from "../../src/api/group-version.ts";
import type { ApiKind } from "../../src/api/api-kind.ts";
import { apiVersionOf, showSpec, specIn } from "../../src/api/kinds/kubernetes-form.ts";
import { ALL_KINDS } from "../../src/api/kinds/all-kinds.ts";
import { writtenDefinitionOf } from "../../src/core/kinds/kind-definitions.ts";
import { EXPECTED, RANGE } from "../../src/api/schema/shapes.ts";

export const REFERENCE = "docs/reference";

/** As far as the schemas of kinds use it. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly enum?: readonly string[];
  readonly default?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxProperties?: number;
  readonly uniqueItems?: boolean;
  readonly pattern?: string;
  readonly [EXPECTED]?: string;
  readonly [RANGE]?: string;
}

export interface Page {
  readonly path: string;
  readonly text: string;
}

/** `NodePool` has the page `node-pool.md`. */
const fileOf = ({ kind }: ApiKind): string =>
  kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();

/** Editors check and complete a manifest by the schema that its first line names. */
const MODELINE = "# yaml-language-server: $schema=../berth.schema.json\n";

/** Of each kind that people write, the example in its definition. */
export function exampleFiles(): readonly Page[] {
  return ALL_KINDS.flatMap((kind) => {
    const text = exampleText(kind);
    return text === undefined ? [] : [{ path: examplePath(kind), text: MODELINE + text }];
  });
}

function exampleText(of: ApiKind): string | undefined {
  const { kind } = of;
  const example = writtenDefinitionOf(kind)?.spec.example;
  if (example === undefined) return undefined;
  const { spec, ...metadata } = example;
  const apiVersion = apiVersionOf(of);
  const document = new Document({ apiVersion, kind, metadata, ...showSpec(of, spec) });
  visit(document, {
    Seq: (_, list) => {
      list.flow = list.items.every((item) => isScalar(item));
    },
  });
  return document.toString({ flowCollectionPadding: false, lineWidth: 0 });
}

export const examplePath = (kind: ApiKind): string => `${REFERENCE}/examples/${fileOf(kind)}.yaml`;

export function referencePages(): readonly Page[] {
  return [
    { path: `${REFERENCE}/README.md`, text: indexPage() },
    ...ALL_KINDS.map((kind) => ({
      path: `${REFERENCE}/${fileOf(kind)}.md`,
      text: kindPage(kind, exampleText(kind)),
    })),
  ];
}

const GENERATED =
  "This page is generated: `npm run reference` writes it from the source, and a test fails when it is out of date.";

function indexPage(): string {
  const rows = ALL_KINDS.map(
    (kind) =>
      `| [${kind.kind}](${fileOf(kind)}.md) | ${namesOf(kind)} | ${ownerOf(kind)} | ${writerOf(kind)} | ${cell(kind.description)} |`,
  );
  const [first] = ALL_KINDS;
  return [
    "# Kinds",
    "",
    `Every kind of \`${API_VERSION}\`, and of Kubernetes' groups those that Berth keeps, each with every field. \`kubectl explain\` prints the same from a running plane.`,
    GENERATED,
    "",
    "| kind | names | belongs to | written by | is |",
    "|---|---|---|---|---|",
    ...rows,
    "",
    "## Metadata",
    "",
    "Every kind has these fields under `metadata`.",
    "",
    ...(first === undefined ? [] : table(partOf(first, "metadata"), "metadata")),
    "",
  ].join("\n");
}

function kindPage(kind: ApiKind, example: string | undefined): string {
  const status = partOf(kind, "status");
  return [
    `# ${kind.kind}`,
    "",
    kind.description,
    "",
    `Names: ${namesOf(kind)}. Belongs to: ${ownerOf(kind)}. Written by: ${writerOf(kind)}. Fields under \`metadata\` are those of [every kind](README.md#metadata).`,
    GENERATED,
    "",
    ...(example === undefined ? [] : ["## Example", "", "```yaml", example.trimEnd(), "```", ""]),
    ...(kind.kubernetesGroup === undefined
      ? ["## Spec", "", ...table(partOf(kind, "spec"), "spec")]
      : ["## Fields", "", ...table(besidesMetadata(kind), "")]),
    "",
    ...(status === undefined
      ? []
      : ["## Status", "", "The control plane writes it.", "", ...table(status, "status"), ""]),
  ].join("\n");
}

const partOf = ({ schema }: ApiKind, part: string): Schema | undefined =>
  (schema as Schema).properties?.[part];

/** Of a kind of Kubernetes, whose fields stand beside the metadata. */
const besidesMetadata = (kind: ApiKind): Schema => ({
  ...(kind.schema as Schema),
  properties: specIn(kind, partsOf(kind)) as NonNullable<Schema["properties"]>,
});

const partsOf = ({ schema }: ApiKind) => (schema as Schema).properties ?? {};

const namesOf = ({ plural, singular, shortNames }: ApiKind): string =>
  [plural, singular, ...shortNames].map((name) => `\`${name}\``).join(", ");

const ownerOf = ({ isNamespaced }: ApiKind): string => (isNamespaced ? "a tenant" : "the cluster");

const writerOf = ({ isWritable }: ApiKind): string => (isWritable ? "people" : "the control plane");

function table(part: Schema | undefined, path: string): readonly string[] {
  const rows = part === undefined ? [] : fieldsOf(part, path);
  if (rows.length === 0) return ["It has no fields."];
  return ["| field | type | default | bounds | meaning |", "|---|---|---|---|---|", ...rows];
}

function fieldsOf({ properties = {}, required = [] }: Schema, path: string): readonly string[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const here = path === "" ? name : `${path}.${name}`;
    const given = field.default === undefined ? "" : `\`${field.default}\``;
    const byDefault = required.includes(name) ? "required" : given;
    const row = `| \`${here}\` | ${typeOf(field)} | ${byDefault} | ${cell(boundsOf(field))} | ${cell(field.description ?? "")} |`;
    return [row, ...below(field, here)];
  });
}

/** The fields of what is in it: of an object, of each entry of a list, of each value of a map. */
function below(field: Schema, here: string): readonly string[] {
  if (field.items !== undefined) return inner(field.items, `${here}[]`);
  const { additionalProperties } = field;
  if (typeof additionalProperties === "object") return inner(additionalProperties, `${here}.*`);
  return fieldsOf(field, here);
}

const inner = (each: Schema, here: string): readonly string[] =>
  each.items === undefined ? fieldsOf(each, here) : inner(each.items, `${here}[]`);

function typeOf(field: Schema): string {
  const { type = "any", items, additionalProperties, format } = field;
  if (items !== undefined) return `list of ${typeOf(items)}`;
  if (typeof additionalProperties === "object") return `map of ${typeOf(additionalProperties)}`;
  if (format === "date-time") return "time";
  return [type].flat().join(" or ");
}

function boundsOf(field: Schema): string {
  const { items, additionalProperties } = field;
  const { minimum, maximum, minItems, maxItems, minLength, maxLength, maxProperties } = field;
  const words = [
    field.enum?.map((word) => `\`${word}\``).join(", "),
    field[EXPECTED] ?? (field.pattern === undefined ? undefined : `\`${field.pattern}\``),
    field[RANGE],
    field[EXPECTED] === undefined || minimum === undefined
      ? range(minimum, maximum, "")
      : undefined,
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " entries"),
    range(undefined, maxProperties, " entries"),
    field.uniqueItems === true ? "each once" : undefined,
    items === undefined ? undefined : eachOf(items),
    typeof additionalProperties === "object" ? eachOf(additionalProperties) : undefined,
  ];
  return words.filter((word) => word !== undefined && word !== "").join("; ");
}

function eachOf(schema: Schema): string | undefined {
  const bounds = boundsOf(schema);
  return bounds === "" ? undefined : `each: ${bounds}`;
}

function range(
  least: number | undefined,
  most: number | undefined,
  unit: string,
): string | undefined {
  const [from, to] = [least, most].map((bound) => bound?.toLocaleString("en-US"));
  if (from !== undefined && to !== undefined) return `${from} to ${to}${unit}`;
  if (to !== undefined) return `at most ${to}${unit}`;
  return from === undefined ? undefined : `at least ${from}${unit}`;
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
