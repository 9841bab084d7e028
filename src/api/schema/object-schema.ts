/** The schema of a whole object: what every kind has, around what only this one has. */
import Type, { type TSchema } from "typebox";
import { API_VERSION } from "../group-version.ts";
import { metadataSchema } from "./metadata-schema.ts";
import { choice, fields } from "./shapes.ts";

export interface ObjectParts {
  readonly kind: string;
  readonly description: string;
  /** Wrapped in `Type.Optional` when a user may leave it out. */
  readonly spec: TSchema;
  readonly status?: TSchema;
}

export function objectSchema({ kind, description, spec, status }: ObjectParts): TSchema {
  return fields(description, {
    apiVersion: choice("The group and version of the API that the object is written for.", [
      API_VERSION,
    ]),
    kind: choice("The kind of the object.", [kind]),
    metadata: metadataSchema,
    spec,
    ...(status === undefined ? {} : { status: Type.Optional(status) }),
  });
}
