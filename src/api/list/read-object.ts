/** From the object a client sent to what the authority is asked for, or to every mistake in it. */
import { definitionOf } from "../../core/kinds/kind-definitions.ts";
import type { Desired } from "../../core/protocol/command.ts";
import type { ApiMetadata, FieldMistake } from "../api-kind.ts";
import { ApiError } from "../errors.ts";
import { pathInObject, specIn } from "../kinds/kubernetes-form.ts";
import { type OwnerReference, ownerMistakes } from "../owner-references.ts";
import { checkObject } from "../schema/check-object.ts";
import { crowded } from "../schema/crowded.ts";
import { preview } from "../schema/preview.ts";
import { withoutUnknownFields } from "../schema/without-unknown-fields.ts";
import { type FieldValidation, checkUnknown } from "../write/field-validation.ts";
import { fieldOf, type JsonObject, withoutNulls } from "../http/json-value.ts";
import { type ServedKind } from "./served-kind.ts";

/** A person corrects fewer at once, and a body full of mistakes must not make an answer as long. */
const SHOWN_MAX = 20;

export interface ReadObject {
  readonly desired: Desired;
  readonly metadata: Partial<Omit<ApiMetadata, "ownerReferences">> & {
    readonly generateName?: string;
    readonly ownerReferences?: readonly OwnerReference[];
  };
  /** As sent, without what the kind does not have. */
  readonly object: JsonObject;
  readonly warnings: readonly string[];
}

export function readObject(
  kind: ServedKind,
  sent: JsonObject,
  of: {
    readonly name: string;
    readonly fieldValidation: FieldValidation;
    readonly duplicates: readonly string[];
  },
): ReadObject {
  const typed = checkType(kind, sent);
  const crowd = crowded(typed);
  if (crowd !== undefined) throw invalid(kind, of.name, [crowd]);
  const given = withoutNulls(typed) as JsonObject;
  const { unknownFields, mistakes } = checkObject(kind.api, given);
  const { knowsAllFields } = definitionOf(kind.api.kind);
  const validation = knowsAllFields === true ? "Strict" : of.fieldValidation;
  const warnings = checkUnknown(validation, [
    ...unknownFields.slice(0, SHOWN_MAX).map(({ message }) => message),
    ...of.duplicates.slice(0, SHOWN_MAX).map((field) => `duplicate field "${field}"`),
  ]);
  if (mistakes.length > 0) throw invalid(kind, of.name, mistakes);
  const object = withoutUnknownFields(kind.api, given) as JsonObject;
  const desired = kind.api.toDesired(specIn(kind.api, object));
  if (isMistakes(desired)) {
    const found = desired.map(({ field, message }) => ({
      field: pathInObject(kind.api, field),
      message,
    }));
    throw invalid(kind, of.name, found);
  }
  const metadata = (object["metadata"] ?? {}) as ReadObject["metadata"];
  const unknownOwners = ownerMistakes(metadata.ownerReferences);
  if (unknownOwners.length > 0) throw invalid(kind, of.name, unknownOwners);
  return { desired, metadata, object, warnings };
}

const isMistakes = (read: Desired | readonly FieldMistake[]): read is readonly FieldMistake[] =>
  Array.isArray(read);

/**
 * An object of another kind under this path is a mix-up that no field-by-field list would explain.
 * What the object does not say of its type, the path says.
 */
export function checkType(kind: ServedKind, sent: JsonObject): JsonObject {
  for (const [field, expected] of [
    ["apiVersion", kind.apiVersion],
    ["kind", kind.name],
  ] as const) {
    const found = fieldOf(sent, field);
    if ((found ?? "") === "" || found === expected) continue;
    throw new ApiError(
      "bad-request",
      `The object's ${field} is ${preview(found, 100)}; this path expects "${expected}".`,
    );
  }
  return { ...sent, apiVersion: kind.apiVersion, kind: kind.name };
}

export function invalid(
  kind: ServedKind,
  name: string,
  mistakes: readonly FieldMistake[],
): ApiError {
  const causes = mistakes
    .slice(0, SHOWN_MAX)
    .map(({ field, message }) => ({ reason: "FieldValueInvalid", message, field }));
  const listed = causes.map(({ field, message }) => `${field}: ${message}`);
  const shown = listed.length === 1 ? listed[0] : `[${listed.join(", ")}]`;
  return ApiError.worded(
    "invalid-object",
    `${kind.name}.${kind.group || "core"} "${name}" is invalid: ${shown}`,
    { name, group: kind.group, kind: kind.name, causes },
  );
}
