/** The schema of a whole object: what every kind has, around what only this one has. */
import { type TSchema, Type } from "typebox";
import { apiVersionOf, GROUP } from "../group-version.ts";
import { kubernetesMetadataSchema, metadataSchema, metadataWithName } from "./metadata-schema.ts";
import { choice, fields } from "./shapes.ts";

export interface ObjectParts {
  readonly kind: string;
  readonly description: string;
  /** Wrapped in `Type.Optional` when a user may leave it out. */
  readonly spec: TSchema;
  readonly status?: TSchema;
  /** Left out: Berth's own. */
  readonly group?: string;
  readonly isFlat?: boolean;
  /** Set when there is one object of the kind per namespace, under this name. */
  readonly onlyName?: string;
}

export function objectSchema(parts: ObjectParts): TSchema {
  const { kind, description, spec, status, onlyName, group = GROUP, isFlat = false } = parts;
  const usual = isFlat ? kubernetesMetadataSchema : metadataSchema;
  return fields(description, {
    apiVersion: choice("The group and version of the API that the object is written for.", [
      apiVersionOf(group),
    ]),
    kind: choice("The kind of the object.", [kind]),
    metadata: onlyName === undefined ? usual : metadataWithName(onlyName),
    ...(isFlat ? propertiesOf(spec) : { spec }),
    ...(status === undefined ? {} : { status: Type.Optional(status) }),
  });
}

/** The compiler does not know that the schema of a spec is one of an object. */
const propertiesOf = (spec: TSchema): Readonly<Record<string, TSchema>> =>
  (spec as { readonly properties?: Readonly<Record<string, TSchema>> }).properties ?? {};
