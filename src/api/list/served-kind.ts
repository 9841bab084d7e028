/**
 * A kind under the path and the name it is served as. Most show the core's objects under the core's
 * names; Namespace shows tenants to clients that know only Kubernetes, and Endpoints shows
 * workloads another way.
 */
import type { Kind, ObjectKey } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { Desired } from "../../core/protocol/command.ts";
import type { SecretKeys } from "../../host/seal/secret-keys.ts";
import type { ApiKind, ApiMetadata } from "../api-kind.ts";
import type { JsonObject } from "../http/json-value.ts";
import { JoinedMap } from "./joined-map.ts";

export interface ServedKind {
  /** Empty for Kubernetes' core group. */
  readonly group: string;
  readonly apiVersion: string;
  /** As `kind` in the object; `api.kind` is the core's kind behind it. */
  readonly name: string;
  readonly api: ApiKind;
  /** What to write instead of it, for those who try to. */
  readonly instead?: string;
  /** Set when a write of it changes nothing of the spec of the object behind it. */
  readonly keepsSpec?: boolean;
  /** Set for a kind of which every plane has objects without one in the log. */
  readonly standing?: StandingObjects;
  /** Set for a kind with values that neither the log nor a read has. */
  readonly taking?: TakeValues;
  /** What of the metadata of the object behind it belongs to what is shown. */
  metadata(of: ApiMetadata): ApiMetadata;
}

/** Reads show them; no write changes them. */
export interface StandingObjects {
  readonly objects: ReadonlyMap<ObjectKey, AnyObject>;
  /** Why one cannot be written, and what to write instead. */
  readonly instead: string;
}

/** Takes the values out of what a client wrote, before anything else looks at it. */
export type TakeValues = (of: {
  readonly object: JsonObject;
  readonly held: AnyObject | undefined;
  readonly target: NamedTarget;
  readonly keys: SecretKeys | undefined;
}) => TakenValues;

export interface TakenValues {
  /** As a read would show it. */
  readonly object: JsonObject;
  readonly finish: (desired: Desired) => FinishedValues;
}

export interface FinishedValues {
  /** With the values in the form in which they are stored. */
  readonly desired: Desired;
  /** What is shown of it, with a mark in place of each value that is another than before. */
  readonly marked: (shown: JsonObject) => JsonObject;
}

/** For a kind without such values. */
export const takesNothing: TakeValues = ({ object }) => ({
  object,
  finish: (desired) => ({ desired, marked: (shown) => shown }),
});

/** `/apis/berth.dev/v1` or `/api/v1`. */
export const basePath = ({ group, apiVersion }: ServedKind): string =>
  group === "" ? `/api/${apiVersion}` : `/apis/${apiVersion}`;

/** `workloads.berth.dev`, as messages name a resource. */
export const resourceName = ({ group, api }: ServedKind): string =>
  group === "" ? api.plural : `${api.plural}.${group}`;

/** What reads show of a kind. */
export function objectsOf(
  kind: ServedKind,
  objects: ObjectIndex,
): ReadonlyMap<ObjectKey, AnyObject> {
  const logged = objects.all<Kind>(kind.api.kind);
  return kind.standing === undefined ? logged : new JoinedMap(kind.standing.objects, logged);
}

/** What a path names: a kind, and how much of it. */
export interface Target {
  readonly kind: ServedKind;
  /** Undefined: in every namespace. The namespace of cluster-wide kinds is the empty string. */
  readonly namespace: string | undefined;
}

export interface NamedTarget {
  readonly kind: ServedKind;
  readonly namespace: string;
  readonly name: string;
}

export const targetKey = ({ kind, namespace, name }: NamedTarget): ObjectKey =>
  `${kind.api.kind}/${namespace}/${name}` as ObjectKey;
