/**
 * Objects, lists and watch events of the plane's Kubernetes-style API, as far as the dashboard
 * reads them.
 */
import type { StatusText } from "./api-failure.ts";

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface LiveObject {
  readonly kind?: string;
  readonly metadata: ObjectMeta;
}

export interface ObjectList<T> {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly T[];
}

export type ObjectEvent<T> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: T }
  | { readonly type: "BOOKMARK"; readonly object: LiveObject }
  | { readonly type: "ERROR"; readonly object: StatusText };

/** `NAMESPACE/NAME`, or the name of what belongs to no tenant. */
export const keyOf = ({ metadata: { namespace, name } }: LiveObject): string =>
  namespace === undefined ? name : `${namespace}/${name}`;
