/**
 * Kinds of Kubernetes have their fields beside the metadata where those of Berth have a spec. The
 * core knows specs only; this is the one place that knows the difference.
 */
import type { ApiKind } from "../api-kind.ts";
import { API_VERSION, VERSION } from "../group-version.ts";
import type { JsonObject } from "../http/json-value.ts";

type Form = Pick<ApiKind, "kubernetesGroup">;

const OTHER: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata", "status"]);

/** As an object of the kind states it. */
export function apiVersionOf({ kubernetesGroup: group }: Form): string {
  if (group === undefined) return API_VERSION;
  return group === "" ? VERSION : `${group}/${VERSION}`;
}

/** What of the object is its spec. */
export const specIn = ({ kubernetesGroup }: Form, object: JsonObject): unknown =>
  kubernetesGroup === undefined ? object["spec"] : besidesMetadata(object);

/** The part of an object that shows its spec. */
export function showSpec({ kubernetesGroup }: Form, spec: unknown): JsonObject {
  if (spec === undefined) return {};
  return kubernetesGroup === undefined ? { spec } : (spec as JsonObject);
}

/** The fields of an object of any kind that a client writes, besides its metadata. */
export const ownFields = (object: JsonObject): JsonObject =>
  object["spec"] === undefined ? besidesMetadata(object) : { spec: object["spec"] };

/** What of an object of any kind is neither identity nor the plane's to say. */
export const besidesMetadata = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !OTHER.has(name)));

/** The path of a mistake in a spec, as people find it in the object. */
export const pathInObject = ({ kubernetesGroup }: Form, path: string): string =>
  kubernetesGroup === undefined ? path : path.replace(/^spec\./, "");
