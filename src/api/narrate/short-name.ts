/**
 * The name of an object whose kind is clear: `payments/risk-api`, or the name alone where no tenant
 * owns it.
 */
import { type ObjectKey, parseKey } from "../../core/model/ids.ts";

export function shortName(key: ObjectKey): string {
  const { namespace, name } = parseKey(key);
  return namespace === "" ? name : `${namespace}/${name}`;
}
