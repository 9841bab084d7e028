/**
 * Drift: an object whose owners are all gone. Its maker expects it to go with them, as
 * Kubernetes' garbage collector does. Observes which objects name owners, and the end of these;
 * proposes the deletion of an object that has lost the last one. The deletion is an ordinary one:
 * finalizers hold it up, and an object that is still in use is tried again. Whether the owners are
 * gone is the authority's check (OB10): the view may be older than a change of the owners.
 */
import type { Change } from "../protocol/commit-record.ts";
import type { Controller } from "../runner/controller.ts";
import { definitionOf } from "../kinds/kind-definitions.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import { KINDS, type ObjectKey } from "../model/ids.ts";
import type { AnyObject } from "../model/objects.ts";
import type { View } from "../observe/view.ts";
import { collectOperation } from "../protocol/operations.ts";
import { ownersGone } from "../rules/owners-gone.ts";

/** Its users end in their own time; the view does not tell of all of them. */
const PATIENCE_MS = 15_000;

const ownersOf = (object: AnyObject | undefined): readonly ObjectKey[] =>
  object?.meta.owners?.map(({ key }) => key) ?? [];

export function createCollectOwned(): Controller {
  /** The objects that name owners, by the key of each owner. */
  const dependents = new Map<ObjectKey, Set<ObjectKey>>();
  const owned = new Set<ObjectKey>();

  function follow({ key, before, after }: Change): void {
    for (const owner of ownersOf(before)) {
      const left = dependents.get(owner);
      left?.delete(key);
      if (left?.size === 0) dependents.delete(owner);
    }
    const owners = ownersOf(after);
    for (const owner of owners) {
      const those = dependents.get(owner) ?? new Set<ObjectKey>();
      dependents.set(owner, those.add(key));
    }
    if (owners.length > 0) owned.add(key);
    else owned.delete(key);
  }

  return {
    role: "collect-owned",
    interest: { kinds: new Set(KINDS), node: undefined },
    follow,
    keysFor: ({ key, before, after }) => {
      const isOther = before !== undefined && before.meta.uid !== after?.meta.uid;
      const own = owned.has(key) ? [key] : [];
      return isOther ? [...own, ...(dependents.get(key) ?? [])] : own;
    },
    allKeys: () => owned,
    reconcile: collectOwned,
  };
}

export function collectOwned(key: ObjectKey, view: View, look: Look): Decision {
  const object = view.objects.get(key);
  if (object === undefined || object.meta.deletingMs !== undefined) return settled;
  if (!ownersGone(view.objects, object)) return settled;
  const owners = object.meta.owners ?? [];
  const evidence = { kind: "owners-gone", owners: owners.map(({ uid }) => uid) } as const;
  const operation = collectOperation(object);
  const used = inUse(object, view);
  if (used !== undefined) {
    return wait({
      reason: "in-use",
      wakes: [],
      deadlineMs: look.now + PATIENCE_MS,
      because: { summary: `${key} is deleted once ${used} does not use it: its owner is gone` },
    });
  }
  const names = owners.map((owner) => owner.key).join(", ");
  return propose([{ kind: "delete", operation, key, expect: {}, evidence }], {
    summary: `${key} is deleted, because its owner is gone: ${names}`,
  });
}

/** What keeps it from being deleted. A kind with a guard is marked instead and goes later (OB8). */
function inUse(object: AnyObject, view: View): string | undefined {
  const definition = definitionOf(object.kind);
  if (definition.guard?.from === "deletion") return undefined;
  const rejection = definition.stillUsed?.(view.objects, object);
  return rejection === undefined ? undefined : String(rejection.actual);
}
