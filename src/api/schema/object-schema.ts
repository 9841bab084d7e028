/** The schema of a whole object: what every kind has, around what only this one has. */
import { type TSchema, Type } from "typebox";
import { apiVersionOf } from "../kinds/kubernetes-form.ts";
import { pathNamedMetadataSchema, metadataSchema, metadataWithName } from "./metadata-schema.ts";
import { choice, fields } from "./shapes.ts";

export interface ObjectParts {
  readonly kind: string;
  readonly description: string;
  /** Wrapped in `Type.Optional` when a user may leave it out. */
  readonly spec: TSchema;
  readonly status?: TSchema;
  /** Set when there is one object of the kind per namespace, under this name. */
  readonly onlyName?: string;
  readonly hasPathNames?: boolean;
  /** Set for a kind of Kubernetes. */
  readonly kubernetesGroup?: string;
}

export function objectSchema(parts: ObjectParts): TSchema {
  const { kind, description, spec, status, onlyName } = parts;
  const usual = parts.hasPathNames === true ? pathNamedMetadataSchema : metadataSchema;
  const named = onlyName === undefined ? usual : metadataWithName(onlyName);
  return fields(description, {
    apiVersion: choice("The group and version of the API that the object is written for.", [
      apiVersionOf(parts),
    ]),
    kind: choice("The kind of the object.", [kind]),
    metadata: named,
    ...(parts.kubernetesGroup === undefined ? { spec } : propertiesOf(spec)),
    ...(status === undefined ? {} : { status: Type.Optional(status) }),
  });
}

/** Of an object that may be left out as a whole, each field may be. */
const propertiesOf = (spec: TSchema): Record<string, TSchema> =>
  (spec as { readonly properties?: Record<string, TSchema> }).properties ?? {};
