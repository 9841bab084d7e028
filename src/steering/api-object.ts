/** Objects as the plane shows them, as far as commands look into them. */
export interface ShownObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ShownMetadata;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

interface ShownOwner {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export interface ShownMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly generation?: number;
  readonly resourceVersion?: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly unknown[];
  readonly ownerReferences?: readonly ShownOwner[];
}

export interface ShownList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly ShownObject[];
}

export interface ShownTable {
  readonly metadata: { readonly resourceVersion?: string };
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[];
  readonly rows: readonly {
    readonly cells: readonly (string | number | null)[];
    readonly object: { readonly metadata: ShownMetadata };
  }[];
}

/** What asks the plane for a table instead of objects. */
export const TABLE_TYPE = "application/json;as=Table;v=v1;g=meta.k8s.io";

const APART: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata", "status"]);

/** What people write besides the metadata: `spec`, or of Kubernetes' own kinds the fields of it. */
export const contentOf = (object: ShownObject): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !APART.has(name)));

/** Who owns which field is for programs; people ask for the object to read it. */
export function withoutManagedFields<T extends ShownObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** How many replicas a workload is to have; of a job, how many of its indexes are to succeed. */
export function wantedOf({ spec }: { readonly spec?: ShownObject["spec"] | undefined }): number {
  return Number(recordOf(spec?.["batch"])["completions"] ?? spec?.["replicas"] ?? 1);
}

/** The text of a field, or nothing where there is none. */
export function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** One field of what the plane says of an object; empty where it says nothing. */
export const statusText = ({ status }: ShownObject, field: string): string =>
  textOf(recordOf(status)[field]);
