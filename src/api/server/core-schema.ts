/** The schema of the kinds that are served under Kubernetes' own group: read, never written. */
import { type TSchema, Type } from "typebox";
import { metadataSchema } from "../schema/metadata-schema.ts";
import { choice, fields } from "../schema/shapes.ts";

export const coreSchema = (kind: string, description: string, status?: TSchema): TSchema =>
  fields(description, {
    apiVersion: choice("The version of the API.", ["v1"]),
    kind: choice("The kind of the object.", [kind]),
    metadata: metadataSchema,
    ...(status === undefined ? {} : { status: Type.Optional(status) }),
  });
