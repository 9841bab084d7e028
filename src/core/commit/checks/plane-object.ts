/** The objects that only commands between planes write. */
import { type ObjectKey, parseKey, PLANE_KEY, type Uid } from "../../model/ids.ts";
import type { Grant, Meta, Plane } from "../../model/objects.ts";
import type { GrantSpec, GrantStatus } from "../../model/regional/grant.ts";
import type { GlobalPlane, PlaneStatus, RegionalPlane } from "../../model/regional/plane.ts";
import type { Change } from "../../protocol/commit-record.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { globalOf, regionalOf } from "../../rules/regional/term.ts";
import { sameValue } from "../validate/same-value.ts";
import { type CommitContext, touched } from "../verdict.ts";

export const globalPlane = ({ ledger }: CommitContext): GlobalPlane | Rejection =>
  globalOf(ledger.objects.plane) ?? notOfRole(ledger.objects.plane, "global");

export const regionalPlane = ({ ledger }: CommitContext): RegionalPlane | Rejection =>
  regionalOf(ledger.objects.plane) ?? notOfRole(ledger.objects.plane, "regional");

const notOfRole = (plane: Plane | undefined, role: string): Rejection =>
  reject("wrong-plane", PLANE_KEY, role, plane?.status.role ?? "a plane for all regions");

/** Many are made in one commit: the name tells their uids apart. */
export function newMeta({ next, nowMs }: CommitContext, key: ObjectKey): Meta {
  const { kind, namespace, name } = parseKey(key);
  return {
    namespace,
    name,
    uid: `u${next}.${kind}.${namespace}.${name}` as Uid,
    generation: 1,
    revision: next,
    createdMs: nowMs,
    labels: {},
    finalizers: [],
    deletingMs: undefined,
  };
}

export function planeChange(context: CommitContext, status: PlaneStatus): Change {
  const before = context.ledger.objects.plane;
  const meta = before ? touched(before.meta, context.next) : newMeta(context, PLANE_KEY);
  return {
    key: PLANE_KEY,
    before,
    after: { kind: "Plane", key: PLANE_KEY, meta, spec: {}, status },
  };
}

/** Nothing, if it is so already. */
export function grantChange(
  context: CommitContext,
  key: ObjectKey,
  { spec, status }: { readonly spec: GrantSpec; readonly status: GrantStatus },
): readonly Change[] {
  const before = context.ledger.objects.all("Grant").get(key);
  if (before === undefined) {
    const after: Grant = { kind: "Grant", key, meta: newMeta(context, key), spec, status };
    return [{ key, before, after }];
  }
  const isSameSpec = sameValue(before.spec, spec);
  if (isSameSpec && sameValue(before.status, status)) return [];
  const generation = before.meta.generation + (isSameSpec ? 0 : 1);
  const meta = { ...touched(before.meta, context.next), generation };
  return [{ key, before, after: { ...before, meta, spec, status } }];
}
