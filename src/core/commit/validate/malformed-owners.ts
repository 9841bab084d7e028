/**
 * Owners that a put may not state (OB10): a tenant's objects belong to objects of the same tenant
 * or of none, so that no tenant's deletion reaches into another.
 */
import type { WrittenDefinition } from "../../kinds/kind-definition.ts";
import { definitionOf } from "../../kinds/kind-definitions.ts";
import type { Bad } from "../../kinds/well-formed/malformed-amounts.ts";
import { KINDS, parseKey } from "../../model/ids.ts";
import type { IntentOf } from "../../protocol/command.ts";
import type { Rejection } from "../../protocol/rejection.ts";

const FIELD = "metadata.ownerReferences";

export function malformedOwners(
  { key, owners = [] }: IntentOf<"put">,
  { endsByItself }: WrittenDefinition,
  bad: Bad,
): Rejection | undefined {
  if (owners.length === 0) return undefined;
  if (endsByItself === true) return bad(FIELD, "none: it ends by itself", owners.length);
  const { namespace } = parseKey(key);
  for (const owner of owners) {
    const { kind, namespace: theirs } = parseKey(owner.key);
    if (!KINDS.includes(kind)) return bad(`${FIELD}.kind`, "a kind of Berth", kind);
    const isClusterWide = definitionOf(kind).scope === "cluster";
    if (theirs !== (isClusterWide ? "" : namespace) || (namespace === "" && !isClusterWide)) {
      return bad(FIELD, "an object of the same tenant or of none", owner.key);
    }
    if (owner.key === key) return bad(FIELD, "another object", owner.key);
  }
  if (new Set(owners.map((owner) => owner.key)).size < owners.length) {
    return bad(FIELD, "each owner once", owners.map((owner) => owner.key).join(","));
  }
  const controllers = owners.filter(({ isController }) => isController === true);
  return controllers.length > 1
    ? bad(`${FIELD}.controller`, "at most one owner", controllers.length)
    : undefined;
}
