/**
 * What is wrong with the spec of a put: its fields, what must hold between them, and what its kind
 * adds (OB5).
 */
import type { Rejection } from "../../protocol/rejection.ts";
import { malformedFields } from "../fields/malformed-fields.ts";
import { brokenRules } from "../written-form.ts";
import type { WrittenDefinition } from "../kind-definition.ts";
import type { Bad } from "./malformed-amounts.ts";

type AnySpec = Parameters<NonNullable<WrittenDefinition["malformed"]>>[0];

export function malformedSpec(
  definition: WrittenDefinition,
  spec: AnySpec,
  bad: Bad,
): Rejection | undefined {
  const { fields, rules = [] } = definition.spec;
  const values = spec as unknown as Readonly<Record<string, unknown>>;
  const wrong = malformedFields(fields, values, "spec", bad);
  if (wrong !== undefined) return wrong;
  const [broken] = brokenRules(rules, spec);
  return broken === undefined
    ? definition.malformed?.(spec, bad)
    : bad(`spec.${broken.field}`, broken.expected, broken.found);
}
