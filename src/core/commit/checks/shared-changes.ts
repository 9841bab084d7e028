/**
 * What an answer of the global plane makes of the copies of its objects in a region. Answers come
 * in any order: one that begins after what the region has, or ends before it, changes nothing.
 */
import { definitionOf } from "../../kinds/kind-definitions.ts";
import { type ObjectKey, operationId, parseKey, type Revision } from "../../model/ids.ts";
import { REGION_MOST } from "../../model/limits/region-limits.ts";
import type { AnyObject, ObjectOf, QuotaSpec } from "../../model/objects.ts";
import type { RegionalPlane } from "../../model/regional/plane.ts";
import type { Change } from "../../protocol/commit-record.ts";
import type { RegionTerms, SharedObject } from "../../protocol/region-exchange.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { isSharedKind, type SharedKind, sharedNames } from "../../rules/regional/shared-objects.ts";
import { stillUsed } from "../validate/removal.ts";
import { sameValue } from "../validate/same-value.ts";
import { malformed } from "../validate/well-formed.ts";
import { type CommitContext, removed, touched } from "../verdict.ts";
import { newMeta } from "./plane-object.ts";

interface SharedChanges {
  readonly changes: readonly Change[];
  readonly objectsTo: Revision;
}

export function sharedChanges(
  context: CommitContext,
  plane: RegionalPlane,
  terms: RegionTerms,
): SharedChanges | Rejection {
  for (const each of terms.objects) {
    const wrong = unfit(plane, each);
    if (wrong !== undefined) return wrong;
  }
  // Positions in the log of an earlier incarnation of the global plane say nothing about this one.
  const known = terms.global === plane.global ? plane.objectsTo : 0;
  const { objectsFrom, objectsTo, names } = terms;
  if (objectsFrom > known || objectsTo < known) return { changes: [], objectsTo: known };
  const puts = terms.objects.flatMap((each) => put(context, each));
  if (names === undefined || objectsFrom !== known) return { changes: puts, objectsTo };
  return { changes: [...puts, ...dropped(context, plane, new Set(names))], objectsTo: 0 };
}

function unfit({ region }: RegionalPlane, { key, desired, labels }: SharedObject) {
  const { kind, name } = parseKey(key);
  if (!isSharedKind(kind) || (kind === "Region" && name !== region)) {
    return reject("bad-object", key, "an object that regions have copies of", kind);
  }
  const operation = operationId("shared");
  return malformed({ kind: "put", operation, key, desired, labels, finalizers: [], expect: {} });
}

function put(context: CommitContext, sent: SharedObject): readonly Change[] {
  const { key, desired, labels, status } = sent;
  const held = context.ledger.objects.get(key) as ObjectOf<SharedKind> | undefined;
  // It is being emptied here; once it is gone its name is missed, and it comes again.
  if (held?.meta.deletingMs !== undefined) return [];
  if (desired.kind === "Quota") return quotaPart(context, held, desired.spec);
  if (held === undefined) {
    const { guard } = definitionOf(desired.kind);
    const finalizers = guard?.from === "creation" ? [guard.finalizer] : [];
    const meta = { ...newMeta(context, key), labels, finalizers };
    return [
      { key, before: held, after: { ...desired, key, meta, status: status ?? {} } as AnyObject },
    ];
  }
  return rewritten(context, held, { spec: desired.spec, labels, status: status ?? held.status });
}

/** The limit is what was lent; the rest is the global plane's. */
function quotaPart(
  context: CommitContext,
  held: AnyObject | undefined,
  { weight, shrink, counts }: QuotaSpec,
): readonly Change[] {
  if (held?.kind !== "Quota") return [];
  const spec = {
    limit: held.spec.limit,
    ...(weight === undefined ? {} : { weight }),
    ...(shrink === undefined ? {} : { shrink }),
    ...(counts === undefined ? {} : { counts }),
  };
  return rewritten(context, held, { spec, labels: held.meta.labels, status: held.status });
}

function rewritten(
  context: CommitContext,
  held: AnyObject,
  is: Pick<AnyObject, "spec" | "status"> & { readonly labels: AnyObject["meta"]["labels"] },
): readonly Change[] {
  const { spec, status, labels } = is;
  const isSameSpec = sameValue(held.spec, spec);
  if (isSameSpec && sameValue(held.status, status) && sameValue(held.meta.labels, labels)) {
    return [];
  }
  const generation = held.meta.generation + (isSameSpec ? 0 : 1);
  const meta = { ...touched(held.meta, context.next), generation, labels };
  return [{ key: held.key, before: held, after: { ...held, meta, spec, status } as AnyObject }];
}

/** What the global plane has no more. A tenant's own work is emptied first, as after a deletion. */
function dropped(
  context: CommitContext,
  { region }: RegionalPlane,
  names: ReadonlySet<ObjectKey>,
): readonly Change[] {
  const { objects } = context.ledger;
  const gone = [...sharedNames(objects, region)].filter((key) => !names.has(key));
  return gone.slice(0, REGION_MOST.objectsPerExchange).flatMap((key) => {
    const held = objects.get(key);
    if (held === undefined) return [];
    const { guard } = definitionOf(held.kind);
    if (stillUsed(context, held) === undefined && held.meta.finalizers.length === 0) {
      return [removed(held)];
    }
    if (guard === undefined) return [];
    const others = held.meta.finalizers.filter((each) => each !== guard.finalizer);
    const finalizers = [guard.finalizer, ...others];
    const meta = { ...touched(held.meta, context.next), finalizers, deletingMs: context.nowMs };
    return [{ key, before: held, after: { ...held, meta } }];
  });
}
