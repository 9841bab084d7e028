/**
 * Owners of objects (OB10): those that a put adds exist, and what has lost all of its owners may be
 * deleted for it, whatever the controller's view showed.
 */
import type { AnyObject, Meta } from "../../model/objects.ts";
import type { Owner, StatedOwner } from "../../model/owner.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { ownersGone } from "../../rules/owners-gone.ts";
import { type CommitContext, missing } from "../verdict.ts";

/** One that the object has stays after it is gone: a late write must not be rejected for it. */
export function ownerMissing(
  { ledger }: CommitContext,
  held: AnyObject | undefined,
  { key, owners = [] }: IntentOf<"put">,
): Rejection | undefined {
  for (const owner of owners) {
    if (heldOwner(held, owner) !== undefined) continue;
    const uid = ledger.objects.get(owner.key)?.meta.uid;
    if (uid === undefined) return missing(owner.key);
    if ((owner.uid ?? uid) === uid) continue;
    const expected = `${uid}, the uid of ${owner.key}`;
    return reject("bad-object", `${key} metadata.ownerReferences.uid`, expected, owner.uid ?? "");
  }
  return undefined;
}

/** The owners that the object has after a put that `ownerMissing` let through. */
export function ownersAfter(
  { ledger }: CommitContext,
  held: AnyObject | undefined,
  { owners }: IntentOf<"put">,
): Pick<Meta, "owners"> {
  const stated = owners ?? held?.meta.owners;
  if (stated === undefined) return {};
  const resolved = stated.flatMap((owner): Owner[] => {
    const uid = owner.uid ?? heldOwner(held, owner)?.uid ?? ledger.objects.get(owner.key)?.meta.uid;
    return uid === undefined ? [] : [{ ...owner, uid }];
  });
  return { owners: resolved };
}

const heldOwner = (held: AnyObject | undefined, { key, uid }: StatedOwner): Owner | undefined =>
  held?.meta.owners?.find((owner) => owner.key === key && (uid ?? owner.uid) === owner.uid);

/** Why the object is not to be collected. */
export function stillOwned(
  { ledger, role }: CommitContext,
  held: AnyObject,
  { evidence }: IntentOf<"delete">,
): Rejection | undefined {
  const { owners = [] } = held.meta;
  if (owners.length === 0) return reject("not-owner", held.key, "user", role);
  if (evidence?.kind !== "owners-gone") {
    return reject("evidence-missing", held.key, "owners-gone", evidence?.kind ?? "none");
  }
  const uids = owners.map(({ uid }) => uid);
  if (uids.join() !== evidence.owners.join()) {
    return reject("evidence-wrong", held.key, uids.join(), evidence.owners.join());
  }
  return ownersGone(ledger.objects, held)
    ? undefined
    : reject("evidence-wrong", held.key, "owners that are gone", "one that exists");
}
