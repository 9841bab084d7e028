/** Which plane may write what: an object has one owner among several planes (RG2, RG3). */
import { type ObjectKey, parseKey, regionKey } from "../../model/ids.ts";
import type { Node, NodePool, Region } from "../../model/objects.ts";
import type { PutOf } from "../../protocol/command.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { isSharedKind } from "../../rules/regional/shared-objects.ts";
import { globalOf, regionalOf } from "../../rules/regional/term.ts";
import type { CommitContext } from "../verdict.ts";

/** People change it at the global plane; what repairs what a deletion leaves behind works here. */
export function ownedByGlobal(
  { ledger, role }: CommitContext,
  key: ObjectKey,
): Rejection | undefined {
  const { kind } = parseKey(key);
  if ((role !== "user" && role !== "admit") || !isSharedKind(kind)) return undefined;
  const plane = regionalOf(ledger.objects.plane);
  return (
    plane && reject("owned-by-global", key, "the global plane", `the plane of ${plane.region}`)
  );
}

/** A machine belongs to the plane of its region. */
export function servedElsewhere(
  { ledger }: CommitContext,
  held: Node | NodePool | undefined,
  region: string,
): Rejection | undefined {
  if (held?.meta.deletingMs !== undefined) return undefined;
  const { objects } = ledger;
  const own = regionalOf(objects.plane);
  const key = regionKey(region);
  if (own !== undefined) {
    return own.region === region
      ? undefined
      : reject("region-has-plane", key, `a node of ${own.region}`, `one of ${region}`);
  }
  return objects.all("Region").get(key)?.spec.plane === undefined
    ? undefined
    : reject("region-has-plane", key, "the region's own plane", "another plane");
}

/** A region changes planes only while neither has anything there. */
export function planeUnfit(
  { ledger }: CommitContext,
  held: Region | undefined,
  { key, desired }: PutOf<"Region">,
): Rejection | undefined {
  const had = held?.spec.plane !== undefined;
  const has = desired.spec.plane !== undefined;
  if (had === has) return undefined;
  const { heard } = held?.status ?? {};
  if (had) {
    return heard === undefined || heard.gone === true
      ? undefined
      : reject("still-in-use", key, "a region that is gone", "its plane was lent quota");
  }
  const { name } = parseKey(key);
  const { objects } = ledger;
  for (const kind of ["Node", "NodePool"] as const) {
    for (const object of objects.all(kind).values()) {
      if (object.spec.region === name) return reject("still-in-use", key, "empty", object.key);
    }
  }
  return undefined;
}

/** When it gets a plane, what may have been lent to it is known from then on (RG9). */
export function regionStatusAfter(
  { ledger }: CommitContext,
  held: Region | undefined,
  { desired }: PutOf<"Region">,
): Region["status"] {
  const status = held?.status ?? {};
  const isNew = held?.spec.plane === undefined && desired.spec.plane !== undefined;
  const since = globalOf(ledger.objects.plane)?.incarnation;
  return isNew && since !== undefined ? { ...status, since } : status;
}
