/** The components of Kubernetes' own that every document refers to, as far as Berth serves them. */
import { Type } from "typebox";
import { metadataSchema } from "./metadata-schema.ts";
import { fields, text } from "./shapes.ts";
import {
  INT_OR_STRING,
  OBJECT_META,
  type OpenApiSchema,
  QUANTITY,
  reference,
  toOpenApi,
} from "./to-openapi.ts";

export const LIST_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";
export const STATUS = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";
export const DELETE_OPTIONS = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";
export const PATCH = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch";
export const SCALE = "io.k8s.api.autoscaling.v1.Scale";

const listMeta = fields("Which revision a list shows, and how to go on reading it.", {
  resourceVersion: Type.Optional(text("The revision of the list; a watch can start from it.")),
  continue: Type.Optional(text("Set when there is more: send it to get the next page.")),
  remainingItemCount: Type.Optional(
    Type.Integer({ description: "How many are not in this page." }),
  ),
});

const status = fields("The outcome of a request that returns no object.", {
  apiVersion: Type.Optional(Type.String()),
  kind: Type.Optional(Type.String()),
  status: Type.Optional(text("Success or Failure.")),
  reason: Type.Optional(text("Why, in one word, for programs.")),
  message: Type.Optional(text("Why, in a sentence, for people.")),
  code: Type.Optional(Type.Integer({ description: "The HTTP status." })),
});

const deleteOptions = fields("What a deletion expects, and how it is done.", {
  apiVersion: Type.Optional(Type.String()),
  kind: Type.Optional(Type.String()),
  propagationPolicy: Type.Optional(text("What happens to what the object owns.")),
  gracePeriodSeconds: Type.Optional(
    Type.Integer({ description: "Kept for Kubernetes clients; Berth does not use it." }),
  ),
  dryRun: Type.Optional(
    Type.Array(Type.String(), { description: "All: check everything and change nothing." }),
  ),
  preconditions: Type.Optional(
    fields("What must be so, or nothing is deleted.", {
      uid: Type.Optional(text("The uid the object must have.")),
      resourceVersion: Type.Optional(text("The revision the object must have.")),
    }),
  ),
});

const scale = fields("How many replicas there are and should be.", {
  apiVersion: Type.Optional(Type.String()),
  kind: Type.Optional(Type.String()),
  spec: Type.Optional(
    fields("What is wanted.", { replicas: Type.Optional(Type.Integer({ minimum: 0 })) }),
  ),
  status: Type.Optional(fields("What there is.", { replicas: Type.Integer() })),
});

const asMeta = (kind: string) => ({
  "x-kubernetes-group-version-kind": [{ group: "", version: "v1", kind }],
});

export const metaComponents: Readonly<Record<string, OpenApiSchema>> = {
  [OBJECT_META]: toOpenApi(metadataSchema),
  [LIST_META]: toOpenApi(listMeta),
  [STATUS]: { ...toOpenApi(status), ...asMeta("Status") },
  [DELETE_OPTIONS]: { ...toOpenApi(deleteOptions), ...asMeta("DeleteOptions") },
  [PATCH]: { type: "object", description: "A change, in the form its media type says." },
  [SCALE]: {
    ...withMetadata(toOpenApi(scale)),
    "x-kubernetes-group-version-kind": [{ group: "autoscaling", version: "v1", kind: "Scale" }],
  },
  [QUANTITY]: {
    description: "A quantity such as 2, 1.5, 500m, 256Mi or 4Gi.",
    oneOf: [{ type: "string" }, { type: "number" }],
  },
  [INT_OR_STRING]: {
    description: "A whole number, or a percentage such as 25%.",
    format: "int-or-string",
    oneOf: [{ type: "integer" }, { type: "string" }],
  },
};

function withMetadata(schema: OpenApiSchema): OpenApiSchema {
  const properties = schema["properties"] as object;
  return { ...schema, properties: { ...properties, metadata: { $ref: reference(OBJECT_META) } } };
}
