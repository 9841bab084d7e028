/** A review as JSON, and read back from it. The fields come in the order of the schema. */
import { Value } from "typebox/value";
import { UserError } from "../../shell/errors.ts";
import type { Review } from "../review.ts";
import type { Comparison } from "./compare-reviews.ts";
import { REPORT_SCHEMA, REPORT_VERSION, type Report } from "./report-schema.ts";
import { tallyOf, verdictOf } from "./verdict-text.ts";

export function reportJson(
  review: Review,
  { against }: { readonly against?: Comparison | undefined } = {},
): string {
  const report = {
    ...review,
    version: REPORT_VERSION,
    verdict: verdictOf(review),
    counts: tallyOf(review),
    against,
  };
  return `${JSON.stringify(fieldsOf(report, REPORT_SCHEMA), undefined, 2)}\n`;
}

interface SchemaPart {
  readonly type?: unknown;
  readonly anyOf?: unknown;
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly items?: SchemaPart;
}

/** The fields that the schema has, in its order, and no others. */
function fieldsOf(value: unknown, { properties, items }: SchemaPart): unknown {
  if (items !== undefined && Array.isArray(value)) {
    return value.map((each: unknown) => fieldsOf(each, items));
  }
  if (properties === undefined || typeof value !== "object" || value === null) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, part]) =>
      fields[name] === undefined ? [] : [[name, fieldsOf(fields[name], part)]],
    ),
  );
}

/** `file` is for the reader of an error. */
export function readReport(json: string, file: string): Review {
  const value = parsed(json, file);
  const version = (value as { readonly version?: unknown } | null)?.version;
  if (typeof version === "number" && version > REPORT_VERSION) {
    const found = `It has version ${version}, and this build reads version ${REPORT_VERSION}`;
    throw new UserError("invalid-file", `${found}. Use the build that wrote it.`, { file });
  }
  const [mistake] = Value.Errors(REPORT_SCHEMA, value);
  if (mistake !== undefined) {
    const path = mistake.instancePath.slice(1).replaceAll("/", ".");
    const where = path === "" ? "The report" : `\`${path}\``;
    throw new UserError(
      "invalid-file",
      `${where} ${mistake.message}. Name a file that \`berth review -o json\` wrote.`,
      { file },
    );
  }
  const { fleet, profile, findings, evidence } = fieldsOf(value, REPORT_SCHEMA) as Report;
  return { fleet, profile, findings, ...(evidence !== undefined && { evidence }) };
}

function parsed(json: string, file: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError("invalid-file", `It is no JSON: ${reason}.`, {
      file,
      ...placeOf(json, reason),
    });
  }
}

function placeOf(
  json: string,
  reason: string,
): { readonly line?: number; readonly column?: number } {
  const at = / at position (\d+)/.exec(reason)?.[1];
  if (at === undefined) return {};
  const before = json.slice(0, Number(at)).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}
