/** How the audit trail names an object whose kind is clear: `payments/risk-api`; a cluster-scoped object has its name only. */
import { type ObjectKey, parseKey } from "../../core/model/ids.ts";

export function shortName(key: ObjectKey): string {
  const { namespace, name } = parseKey(key);
  return namespace === "" ? name : `${namespace}/${name}`;
}
