/** PolicyRevision: rules that never change once they are committed. */
import type { ObjectKey } from "../model/ids.ts";
import { holdsNode } from "../model/stage.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import type { WrittenDefinition } from "./kind-definition.ts";
import { firstKey, stillInUse } from "./still-in-use.ts";
import { malformedRules } from "./well-formed/malformed-policy.ts";

export const policyRevisionDefinition: WrittenDefinition<"PolicyRevision"> = {
  kind: "PolicyRevision",
  plural: "policyrevisions",
  shortNames: ["prev"],
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  applyStep: 20,
  malformed: malformedRules,
  stillUsed: (objects, { key, meta }) => stillInUse(key, firstKey(namers(objects, meta.name))),
};

/** Pointers, live bindings and held rooms that name the revision (PY3). */
function* namers(objects: ObjectIndex, revision: string): Iterable<ObjectKey> {
  for (const { key, spec } of objects.all("Policy").values()) {
    const stages = spec.stages ?? [];
    if (spec.active === revision || stages.some((stage) => stage.revision === revision)) yield key;
  }
  for (const { key, status } of objects.all("Replica").values()) {
    if (status.policyRevision === revision && holdsNode(status.stage)) yield key;
  }
  for (const { key, spec } of objects.all("Reservation").values()) {
    if (spec.policyRevision === revision) yield key;
  }
}
