/**
 * What every object carries, between the core's form and the form Kubernetes clients know. Names,
 * uids, revisions and times are the authority's; labels, annotations and finalizers are the user's.
 */
import type { IntentOf } from "../core/protocol/command.ts";
import type { AnyObject, Meta } from "../core/model/objects.ts";
import type { ObjectIndex } from "../core/observe/object-index.ts";
import type { ApiKind, ApiMetadata, ApiObject } from "./api-kind.ts";
import { GROUP } from "./group-version.ts";
import { apiVersionOf, showSpec } from "./kinds/kubernetes-form.ts";
import { type OwnerReference, readOwners, showOwners } from "./owner-references.ts";
import { rfc3339 } from "./rfc3339.ts";

/** Of an object that every plane has without one in the log: it has no age. */
export const NOT_CREATED_MS = Number.NaN;

export function toApiMetadata(meta: Meta): ApiMetadata {
  const { labels, annotations = {}, finalizers, deletingMs, owners = [] } = meta;
  const managedFields = readManagedFields(meta.managedFields);
  return {
    name: meta.name,
    ...(meta.namespace === "" ? {} : { namespace: meta.namespace }),
    uid: meta.uid,
    resourceVersion: String(meta.revision),
    generation: meta.generation,
    ...(Number.isNaN(meta.createdMs) ? {} : { creationTimestamp: rfc3339(meta.createdMs) }),
    ...(deletingMs === undefined ? {} : { deletionTimestamp: rfc3339(deletingMs) }),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    ...(finalizers.length === 0 ? {} : { finalizers }),
    ...(managedFields.length === 0 ? {} : { managedFields }),
    ...(owners.length === 0 ? {} : { ownerReferences: showOwners(owners) }),
  };
}

/** The whole object as a client reads it. */
export function toApiObject(kind: ApiKind, object: AnyObject, objects: ObjectIndex): ApiObject {
  const { spec, status } = kind.toApi(object, objects);
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: toApiMetadata(object.meta),
    ...showSpec(kind, spec),
    ...(status === undefined ? {} : { status }),
  };
}

export type DesiredMetadata = Pick<
  IntentOf<"put">,
  "labels" | "annotations" | "managedFields" | "conditions" | "finalizers" | "owners"
>;

/** What a client sends: a whole object's metadata, of which nothing is left out. */
type SentMetadata = Omit<ApiMetadata, "ownerReferences"> & {
  readonly ownerReferences?: readonly OwnerReference[];
};

/**
 * The part of a `put` that the user's metadata decides. Finalizers of Berth's own that the object
 * has stay, whatever the user sent: a manifest without them must not let a workload go before its
 * replicas.
 */
export function toDesiredMetadata(
  metadata: SentMetadata,
  namespace: string,
  held: Meta | undefined,
): DesiredMetadata {
  const { labels = {}, annotations = {}, finalizers = [], managedFields } = metadata;
  const own = (held?.finalizers ?? []).filter((finalizer) => finalizer.startsWith(`${GROUP}/`));
  const owners = readOwners(metadata.ownerReferences ?? [], namespace);
  const others = finalizers.filter((finalizer) => !finalizer.startsWith(`${GROUP}/`));
  return {
    labels,
    annotations,
    ...(managedFields === undefined ? {} : { managedFields: JSON.stringify(managedFields) }),
    finalizers: [...own, ...new Set(others)],
    ...(owners.length === 0 && held?.owners === undefined ? {} : { owners }),
  };
}

function readManagedFields(text: string | undefined): readonly unknown[] {
  if (text === undefined) return [];
  if (text !== lastText) {
    const value: unknown = JSON.parse(text);
    lastText = text;
    lastFields = Array.isArray(value) ? value : [];
  }
  return lastFields;
}

/** Objects of one writer and second have the same; a list of them is read once. */
let lastText = "";
let lastFields: readonly unknown[] = [];
