/**
 * One kind as the API shows it: its names, its schema, its table columns, and the way between what
 * a user writes (quantities and durations as text) and what the core decides on (integers).
 */
import type { TSchema } from "typebox";
import type { Desired } from "../core/protocol/command.ts";
import type { ObjectKey } from "../core/model/ids.ts";
import type { AnyObject, Labels } from "../core/model/objects.ts";
import type { ObjectIndex } from "../core/observe/object-index.ts";

/** A Kubernetes-style object as JSON. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ApiMetadata;
  readonly spec?: unknown;
  readonly status?: unknown;
  /** Fields of a kind of Kubernetes that has no spec. */
  readonly [field: string]: unknown;
}

export interface ApiMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly unknown[];
  readonly ownerReferences?: readonly object[];
}

export interface TableColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "date";
  readonly format?: string;
  readonly description: string;
  /** 0 is always shown, 1 only with -o wide. */
  readonly priority: number;
  cell(object: AnyObject, objects: ObjectIndex): string | number;
}

/** A mistake in what a user sent, at a place they can find. */
export interface FieldMistake {
  /** e.g. `spec.resources.cpu` */
  readonly field: string;
  readonly message: string;
}

export interface ApiKind {
  readonly kind: AnyObject["kind"];
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly isNamespaced: boolean;
  /** Set for a kind of Kubernetes: its fields stand beside the metadata. Left out: in a spec. */
  readonly kubernetesGroup?: string;
  /** Kinds that only the control plane writes have get, list and watch alone. */
  readonly isWritable: boolean;
  readonly subresources: readonly ("status" | "scale")[];
  /** Labels that follow from the object, besides those that people give it. */
  derivedLabels?(object: AnyObject): Labels;
  /** Set for what the plane makes for another object, and ends with it. */
  owner?(object: AnyObject): { readonly key: ObjectKey; readonly uid: string };
  /** The types of condition that the plane computes. Clients may keep others with the object. */
  readonly planeConditions: readonly string[];
  readonly description: string;
  /** The whole object, `additionalProperties: false` all the way down. */
  readonly schema: TSchema;
  readonly columns: readonly TableColumn[];
  /** Field selectors besides metadata.name and metadata.namespace, e.g. `spec.nodeName`. */
  readonly selectableFields: Readonly<Record<string, (object: AnyObject) => string>>;
  /** spec and status as the user reads them. */
  toApi(
    object: AnyObject,
    objects: ObjectIndex,
  ): { readonly spec: unknown; readonly status: unknown };
  /** The spec a user wrote, already matched against the schema, or every mistake in it. */
  toDesired(spec: unknown): Desired | readonly FieldMistake[];
  /** Only for kinds with the scale subresource. */
  readonly scale?: {
    replicas(object: AnyObject): number;
    withReplicas(spec: unknown, replicas: number): unknown;
  };
}
