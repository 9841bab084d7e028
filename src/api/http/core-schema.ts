/** The schema of the kinds that are served under Kubernetes' own groups. */
import { type TSchema, Type } from "typebox";
import { metadataSchema } from "../schema/metadata-schema.ts";
import { choice, fields } from "../schema/shapes.ts";

interface CoreTerms {
  /** Left out: that of the core group. */
  readonly apiVersion?: string;
}

export const coreSchema = (
  kind: string,
  description: string,
  parts: Readonly<Record<string, TSchema>> = {},
  { apiVersion = "v1" }: CoreTerms = {},
): TSchema =>
  fields(description, {
    apiVersion: choice("The version of the API.", [apiVersion]),
    kind: choice("The kind of the object.", [kind]),
    metadata: metadataSchema,
    ...Object.fromEntries(
      Object.entries(parts).map(([name, schema]) => [name, Type.Optional(schema)]),
    ),
  });
