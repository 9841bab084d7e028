/** PATCH: part of an object, in one of four languages, told apart by the type of the body. */
import type { FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import { rfc3339 } from "../rfc3339.ts";
import type { Handler } from "../http/handler.ts";
import type { ApiContext } from "../http/api-context.ts";
import { type Apply, mergeApplied, ownersAfter } from "./apply-patch.ts";
import { decodeBody, decodeObject } from "../http/decode-body.ts";
import { ownableFields } from "./field-set.ts";
import { applyJsonPatch } from "./json-patch.ts";
import { fieldOf, isJsonObject, type JsonObject, shownValue } from "../http/json-value.ts";
import { applyMergePatch } from "./merge-patch.ts";
import { applyStrategicMergePatch } from "./strategic-merge-patch.ts";
import { type Modification, type Modified, modify } from "./modify.ts";
import { mediaTypeOf } from "../http/negotiate.ts";
import { type NamedTarget, type ServedKind, targetKey } from "../list/served-kind.ts";
import { answer, createNamed, versionOf } from "./write.ts";
import { isKubernetesGroup } from "../served-resource.ts";
import { parseWrite, type WriteRequest } from "./write-request.ts";

export const JSON_PATCH = "application/json-patch+json";
export const MERGE_PATCH = "application/merge-patch+json";
export const APPLY_PATCH = "application/apply-patch+yaml";
const STRATEGIC_PATCH = "application/strategic-merge-patch+json";
export const PATCH_TYPES = [JSON_PATCH, MERGE_PATCH, APPLY_PATCH];

/** Of Kubernetes' own kinds alone it is defined how a strategic merge patch merges them. */
const patchTypesOf = ({ group }: ServedKind): readonly string[] =>
  isKubernetesGroup(group) ? [...PATCH_TYPES, STRATEGIC_PATCH] : PATCH_TYPES;

export const patch: Handler<NamedTarget> = async (context, target, request, reply) => {
  const write = parseWrite(request);
  const type = mediaTypeOf(request.headers["content-type"]);
  if (type === APPLY_PATCH) {
    const { status, ...modified } = await applyPatch(context, target, request, write);
    await answer(context, target.kind, { request, reply, status, ...modified });
    return;
  }
  const { value, duplicates } = decodeBody(request, patchTypesOf(target.kind));
  const change = (live: JsonObject): Modification => patched(live, type, value);
  const modified = await modify(context, target, { write, duplicates, change });
  await answer(context, target.kind, { request, reply, status: 200, ...modified });
};

/** The object with a JSON patch, a merge patch or a strategic merge patch in it. */
export function patched(live: JsonObject, type: string, value: unknown): Modification {
  const object = type === JSON_PATCH ? applyJsonPatch(live, value) : merged(live, type, value);
  if (!isJsonObject(object)) {
    throw new ApiError("bad-request", "The result of the patch is not an object.");
  }
  const after = versionOf(object);
  // A patch that names no resourceVersion leaves that of the object it was applied to.
  const given = type === JSON_PATCH ? undefined : versionOf(value);
  const expected = given ?? (after === versionOf(live) ? undefined : after);
  return { object, expected };
}

function merged(live: JsonObject, type: string, value: unknown): unknown {
  if (!isJsonObject(value)) throw new ApiError("bad-request", "A merge patch is an object.");
  return type === STRATEGIC_PATCH
    ? applyStrategicMergePatch(live, value)
    : applyMergePatch(live, value);
}

async function applyPatch(
  context: ApiContext,
  target: NamedTarget,
  request: FastifyRequest,
  write: WriteRequest,
): Promise<Modified & { readonly status: 200 | 201 }> {
  if (!write.namesManager) {
    throw new ApiError("bad-request", "An apply needs a fieldManager.");
  }
  const { value: applied, duplicates } = decodeObject(request, PATCH_TYPES);
  checkApplied(target, applied);
  const time = rfc3339(context.clock.nowMs());
  const apply: Apply = {
    applied,
    writer: { manager: write.fieldManager, time },
    force: write.force,
  };
  if (context.plane.objects.get(targetKey(target)) === undefined) {
    const fields = ownableFields(applied);
    const owners = [{ ...apply.writer, operation: "Apply" as const, fields }];
    const made = await createNamed(context, target, { object: applied, write, duplicates, owners });
    return { ...made, status: 201 };
  }
  const modified = await modify(context, target, {
    // Taking fields over from another manager does not lift holds of people.
    write: { ...write, force: false },
    duplicates,
    change: (live) => ({
      object: withTypeOf(applied, mergeApplied(live, apply)),
      expected: versionOf(applied),
      owners: (next) => ownersAfter(live, next, apply),
    }),
  });
  return { ...modified, status: 200 };
}

/** What the client says the object is must be checked as it says it. */
function withTypeOf(applied: JsonObject, object: JsonObject): JsonObject {
  return { ...applied, ...object, apiVersion: applied["apiVersion"], kind: applied["kind"] };
}

export function checkApplied(target: NamedTarget, applied: JsonObject): void {
  const metadata = fieldOf(applied, "metadata");
  if (fieldOf(metadata, "managedFields") !== undefined) {
    throw new ApiError("bad-request", "metadata.managedFields must be nil in an apply.");
  }
  const name = fieldOf(metadata, "name");
  if (name === target.name) return;
  throw new ApiError(
    "bad-request",
    `The name of the object (${shownValue(name ?? "")}) does not match the name on the URL (${target.name}).`,
  );
}
