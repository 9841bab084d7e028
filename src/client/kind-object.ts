/** What every object has, as a client reads and writes it. */
import type { API_VERSION } from "./kinds/all-kinds.ts";

export interface Metadata {
  readonly name: string;
  /** The tenant that owns the object; left out for cluster-scoped kinds. */
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly unknown[];
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface KindObject<Kind extends string> {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: Kind;
  readonly metadata: Metadata;
}
