/**
 * The labels of an object as clients see and select them: those that follow from it, and those that
 * people gave it, which count where both name one.
 */
import type { AnyObject, Labels } from "../../core/model/objects.ts";
import type { ApiKind } from "../api-kind.ts";

export function labelsOf(api: ApiKind, object: AnyObject): Labels {
  const { labels } = object.meta;
  const derived = api.derivedLabels?.(object);
  return derived === undefined ? labels : { ...derived, ...labels };
}

/** What a client sends back of what it was shown is not its own, unless it was before. */
export function withoutDerived(api: ApiKind, held: AnyObject, sent: Labels): Labels {
  const derived = api.derivedLabels?.(held);
  if (derived === undefined) return sent;
  const isOwn = ([name, value]: readonly [string, string]): boolean =>
    derived[name] !== value || Object.hasOwn(held.meta.labels, name);
  return Object.fromEntries(Object.entries(sent).filter(isOwn));
}
