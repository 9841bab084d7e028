/**
 * Server-side apply: the client sends only the fields it has an opinion on. What it applied before
 * and no longer names goes away; what another client owns with another value is a conflict unless
 * forced.
 */
import { sameValue } from "../../core/commit/validate/same-value.ts";
import { ApiError } from "../errors.ts";
import { ownFields } from "../kinds/kubernetes-form.ts";
import { BODY } from "../http/body-limits.ts";
import { echoed } from "../http/echoed.ts";
import {
  difference,
  ownableFields,
  shownField,
  union,
  valueAt,
  withoutFields,
} from "./field-set.ts";
import { isJsonObject, type JsonObject } from "../http/json-value.ts";
import { afterApply, type Ownership, readOwnerships, type Writer } from "./managed-fields.ts";
import { hasApplied, isOwnUpdate } from "./taken-over.ts";

export interface Apply {
  readonly applied: JsonObject;
  readonly writer: Writer;
  readonly force: boolean;
}

/** The live object with the applied fields in it and the writer's abandoned ones gone. */
export function mergeApplied(live: JsonObject, { applied, writer }: Apply): JsonObject {
  const owners = ownersOf(live);
  const isOwn = (owner: Ownership): boolean => hasApplied(owner, writer.manager);
  const before = union(...owners.filter(isOwn).map(({ fields }) => fields));
  const others = union(...owners.filter((owner) => !isOwn(owner)).map(({ fields }) => fields));
  const abandoned = difference(difference(before, ownableFields(applied)), others);
  const kept = withoutFields(live, abandoned);
  const { metadata } = applied;
  const { labels, annotations, finalizers, ownerReferences } = (metadata ?? {}) as JsonObject;
  return merge(kept, {
    ...ownFields(applied),
    metadata: {
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ...(ownerReferences === undefined ? {} : { ownerReferences }),
    },
  });
}

/**
 * The owners after the apply, or the conflict. `next` is the merged object as the server will show
 * it: `0.5` CPUs applied over `500m` are no change, so they are no conflict either.
 */
export function ownersAfter(
  live: JsonObject,
  next: unknown,
  { applied, writer, force }: Apply,
): readonly Ownership[] {
  const owners = ownersOf(live);
  const fields = ownableFields(applied);
  const lost = new Set(
    [...fields].filter((field) => !sameValue(valueAt(live, field), valueAt(next, field))),
  );
  const contested = owners
    .filter((owner) => !hasApplied(owner, writer.manager) && !isOwnUpdate(owner, writer.manager))
    .flatMap((owner) =>
      [...owner.fields].filter((field) => lost.has(field)).map((field) => ({ owner, field })),
    );
  if (contested.length > 0 && !force) throw conflict(contested);
  return afterApply(owners, fields, { lost, writer });
}

const ownersOf = (live: JsonObject): readonly Ownership[] =>
  readOwnerships(isJsonObject(live["metadata"]) ? live["metadata"]["managedFields"] : undefined);

function merge(live: JsonObject, applied: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...live };
  for (const [name, value] of Object.entries(applied)) {
    const there = merged[name];
    merged[name] = isJsonObject(value) ? merge(isJsonObject(there) ? there : {}, value) : value;
  }
  return merged;
}

function conflict(
  contested: readonly { readonly owner: Ownership; readonly field: string }[],
): ApiError {
  const causes = contested.slice(0, BODY.duplicatesTold).map(({ owner, field }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with "${owner.manager}"`,
    field: echoed(shownField(field)),
  }));
  const shown = causes.map(({ message, field }) => `${message}: ${field}`).join("; ");
  const count = contested.length;
  const s = count === 1 ? "" : "s";
  return ApiError.worded("conflict", `Apply failed with ${count} conflict${s}: ${shown}`, {
    causes,
  });
}
