/** What every object carries, for an object that was just made and is not being deleted. */
import { type ObjectKey, parseKey, type Uid } from "../../src/core/model/ids.ts";
import type { Meta } from "../../src/core/model/objects.ts";

export function aMeta(key: ObjectKey, of: Partial<Meta> = {}): Meta {
  const { namespace, name } = parseKey(key);
  return {
    namespace,
    name,
    uid: `uid-of-${key}` as Uid,
    generation: 1,
    revision: 1,
    createdMs: 0,
    labels: {},
    finalizers: [],
    deletingMs: undefined,
    ...of,
  };
}
