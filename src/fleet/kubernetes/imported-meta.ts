/** The metadata of an imported object: made at revision 1, and never changed. */
import { type ObjectKey, parseKey, type Uid } from "../../core/model/ids.ts";
import type { Meta } from "../../core/model/objects.ts";

export function importedMeta(key: ObjectKey, parts: Partial<Meta> = {}): Meta {
  const { namespace, name } = parseKey(key);
  return {
    namespace,
    name,
    uid: key as string as Uid,
    generation: 1,
    revision: 1,
    createdMs: 0,
    labels: {},
    finalizers: [],
    deletingMs: undefined,
    ...parts,
  };
}
