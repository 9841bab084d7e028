/** The schema of the kinds that are served under Kubernetes' own group. */
import { type TSchema, Type } from "typebox";
import { metadataSchema, metadataWithOwner } from "../schema/metadata-schema.ts";
import { choice, fields } from "../schema/shapes.ts";

export const coreSchema = (
  kind: string,
  description: string,
  parts: Readonly<Record<string, TSchema>> = {},
  { isOwned = false }: { readonly isOwned?: boolean } = {},
): TSchema =>
  fields(description, {
    apiVersion: choice("The version of the API.", ["v1"]),
    kind: choice("The kind of the object.", [kind]),
    metadata: isOwned ? metadataWithOwner : metadataSchema,
    ...Object.fromEntries(
      Object.entries(parts).map(([name, schema]) => [name, Type.Optional(schema)]),
    ),
  });
