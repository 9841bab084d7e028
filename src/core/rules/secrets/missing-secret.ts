/**
 * The secret that a replica lacks: it is not placed, and gets no values, before all of them are
 * there (SE10). Proposers and the authority ask the same.
 */
import type { Replica, Template } from "../../model/objects.ts";
import { secretKey, type SecretKeyRef, secretRefsOf } from "../../model/secret/secret-refs.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";

export const missingSecret = (
  objects: ObjectIndex,
  { meta, spec }: Pick<Replica, "meta" | "spec">,
): SecretKeyRef | undefined => missingOf(objects, meta.namespace, spec.template);

export const missingOf = (
  objects: ObjectIndex,
  tenant: string,
  template: Pick<Template, "run">,
): SecretKeyRef | undefined =>
  secretRefsOf(template).find(({ name, key }) => {
    const held = objects.all("Secret").get(secretKey(tenant, name));
    return held === undefined || !Object.hasOwn(held.spec.values, key);
  });
