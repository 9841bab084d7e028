/**
 * What a write needs that states owners. The authority says whether an owner exists and which uid
 * it has, so the caller must be allowed to read it. Owners that the object had before the write are
 * not asked for again.
 */
import { definitionOf } from "../../core/kinds/kind-definitions.ts";
import type { ResourceRequest } from "../../core/model/access.ts";
import { parseKey } from "../../core/model/ids.ts";
import type { Owner, StatedOwner } from "../../core/model/owner.ts";
import { apiVersionOf } from "../kinds/kubernetes-form.ts";

export function powersOfOwners(
  stated: readonly StatedOwner[] = [],
  before: readonly Owner[] = [],
): readonly ResourceRequest[] {
  const known = new Set(before.map(({ key }) => key));
  return stated
    .filter(({ key }) => !known.has(key))
    .map(({ key }) => {
      const { kind, namespace, name } = parseKey(key);
      const definition = definitionOf(kind);
      const [group = "", version] = apiVersionOf(definition).split("/");
      return {
        verb: "get",
        // Kubernetes' core group has no name, and its apiVersion only a version.
        group: version === undefined ? "" : group,
        resource: definition.plural,
        ...(namespace === "" ? {} : { namespace }),
        name,
      };
    });
}
