/** Which objects a list, a watch or a collection delete is about. */
import type { AnyObject } from "../../core/model/objects.ts";
import { parseFieldSelector } from "./field-selector.ts";
import { labelsOf } from "./labels-of.ts";
import { parseLabelSelector } from "./label-selector.ts";
import type { Target } from "./served-kind.ts";

export interface SelectorQuery {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

export interface Selection {
  readonly matches: (object: AnyObject) => boolean;
  /** Without selectors the number of objects that are left is known without looking at them. */
  readonly hasSelectors: boolean;
}

export function select({ kind, namespace }: Target, query: SelectorQuery): Selection {
  const byLabels = parseLabelSelector(query.labelSelector);
  const byFields = parseFieldSelector(query.fieldSelector, kind.api.selectableFields);
  return {
    matches: (object) =>
      (namespace === undefined || object.meta.namespace === namespace) &&
      byLabels(labelsOf(kind.api, object)) &&
      byFields(object),
    hasSelectors: (query.labelSelector ?? "") !== "" || (query.fieldSelector ?? "") !== "",
  };
}
