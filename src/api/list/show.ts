/** Objects, lists and events in the form the client asked for. */
import { parseKey, type Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { ApiObject } from "../api-kind.ts";
import { API_VERSION } from "../group-version.ts";
import { showSpec } from "../kinds/kubernetes-form.ts";
import { toApiMetadata } from "../metadata.ts";
import { type IncludeObject, partialMetadata, type TableRow, toTable } from "../table.ts";
import type { ApiContext } from "../http/api-context.ts";
import type { Form } from "../http/negotiate.ts";
import { labelsOf } from "./labels-of.ts";
import type { ServedKind } from "./served-kind.ts";

export interface Showing {
  readonly kind: ServedKind;
  readonly form: Form;
  readonly includeObject: IncludeObject;
}

export interface ListMetadata {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** What an object is shown out of. */
export type ShowContext = Pick<ApiContext, "plane" | "shown" | "veil">;

/**
 * The object as it is, at the revision at which it last looked different; 0 for one that is not
 * there.
 */
export function showObject(
  { plane, shown, veil }: ShowContext,
  kind: ServedKind,
  whole: AnyObject,
  revision: Revision = shown.of(whole),
): ApiObject {
  const object = veil(whole);
  const { spec, status } = kind.api.toApi(object, plane.objects);
  const { resourceVersion: _, ...metadata } = toApiMetadata(object.meta);
  const version = revision === 0 ? {} : { resourceVersion: String(revision) };
  return {
    apiVersion: kind.apiVersion,
    kind: kind.name,
    metadata: kind.metadata({
      ...metadata,
      ...version,
      ...(kind.api.derivedLabels === undefined ? {} : { labels: labelsOf(kind.api, object) }),
      ...ownersOf(kind, object),
    }),
    ...showSpec(kind.api, spec),
    ...(status === undefined ? {} : { status }),
  };
}

function ownersOf(
  { api }: ServedKind,
  object: AnyObject,
): Pick<ApiObject["metadata"], "ownerReferences"> {
  const owner = api.owner?.(object);
  if (owner === undefined) return {};
  const { kind, name } = parseKey(owner.key);
  const reference = { apiVersion: API_VERSION, kind, name, uid: owner.uid };
  return { ownerReferences: [{ ...reference, controller: true, blockOwnerDeletion: true }] };
}

/** What a write that was only tried out met. */
export interface TriedOn {
  /** Of what is there, or 0 when nothing is. */
  readonly revision: Revision;
  readonly held: AnyObject | undefined;
}

/** What would become of the status is not known: it stays as it is, and a new object has none. */
function showTried(
  context: ShowContext,
  kind: ServedKind,
  object: AnyObject,
  { revision, held }: TriedOn,
): ApiObject {
  const { status: _, ...shown } = showObject(context, kind, object, revision);
  const status = held === undefined ? undefined : showObject(context, kind, held).status;
  return status === undefined ? shown : { ...shown, status };
}

export function showOne(
  context: ApiContext,
  showing: Showing,
  object: AnyObject,
  at?: Revision | TriedOn,
): unknown {
  const shown =
    typeof at === "object"
      ? showTried(context, showing.kind, object, at)
      : showObject(context, showing.kind, object, at);
  switch (showing.form) {
    case "object":
      return shown;
    case "partial":
      return partialMetadata(shown);
    case "table": {
      const { resourceVersion = "" } = shown.metadata;
      return tableOf(context, showing, [{ object, shown }], { resourceVersion });
    }
  }
}

export function showList(
  context: ApiContext,
  showing: Showing,
  objects: readonly AnyObject[],
  metadata: ListMetadata,
): unknown {
  const { kind, form } = showing;
  const items = objects.map((object) => ({ object, shown: showObject(context, kind, object) }));
  switch (form) {
    case "object":
      return {
        kind: `${kind.name}List`,
        apiVersion: kind.apiVersion,
        metadata,
        items: items.map(({ shown }) => shown),
      };
    case "partial":
      return {
        kind: "PartialObjectMetadataList",
        apiVersion: "meta.k8s.io/v1",
        metadata,
        items: items.map(({ shown }) => partialMetadata(shown)),
      };
    case "table":
      return tableOf(context, showing, items, metadata);
  }
}

function tableOf(
  { plane, clock }: ApiContext,
  { kind, includeObject }: Showing,
  rows: readonly TableRow[],
  metadata: ListMetadata,
): unknown {
  const { objects } = plane;
  const { columns } = kind.api;
  const nowMs = clock.nowMs();
  return toTable({ columns, rows, objects, includeObject, nowMs, metadata: { ...metadata } });
}
