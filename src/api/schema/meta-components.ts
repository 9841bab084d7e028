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

const listMeta = fields("The revision of a list, and its next page.", {
  resourceVersion: Type.Optional(text("The revision of the list; a watch can start from it.")),
  continue: Type.Optional(text("Set if there are more objects: send it to get the next page.")),
  remainingItemCount: Type.Optional(
    Type.Integer({ description: "The number of objects after this page." }),
  ),
});

const status = fields("The outcome of a request that returns no object.", {
  apiVersion: Type.Optional(Type.String()),
  kind: Type.Optional(Type.String()),
  status: Type.Optional(text("Success or Failure.")),
  reason: Type.Optional(text("The reason, in one word, for programs.")),
  message: Type.Optional(text("The reason, in a sentence, for people.")),
  code: Type.Optional(Type.Integer({ description: "The HTTP status." })),
});

const deleteOptions = fields("Options of a deletion.", {
  apiVersion: Type.Optional(Type.String()),
  kind: Type.Optional(Type.String()),
  propagationPolicy: Type.Optional(text("What happens to the dependents of the object.")),
  gracePeriodSeconds: Type.Optional(
    Type.Integer({ description: "Kept for Kubernetes clients; Berth does not use it." }),
  ),
  dryRun: Type.Optional(
    Type.Array(Type.String(), { description: "All: validate without changing anything." }),
  ),
  preconditions: Type.Optional(
    fields("Conditions for the deletion.", {
      uid: Type.Optional(text("The uid the object must have.")),
      resourceVersion: Type.Optional(text("The revision the object must have.")),
    }),
  ),
});

const scale = fields("The current and desired number of replicas.", {
  apiVersion: Type.Optional(Type.String()),
  kind: Type.Optional(Type.String()),
  spec: Type.Optional(
    fields("The desired state.", { replicas: Type.Optional(Type.Integer({ minimum: 0 })) }),
  ),
  status: Type.Optional(fields("The current state.", { replicas: Type.Integer() })),
});

const asMeta = (kind: string) => ({
  "x-kubernetes-group-version-kind": [{ group: "", version: "v1", kind }],
});

export const metaComponents: Readonly<Record<string, OpenApiSchema>> = {
  [OBJECT_META]: toOpenApi(metadataSchema),
  [LIST_META]: toOpenApi(listMeta),
  [STATUS]: { ...toOpenApi(status), ...asMeta("Status") },
  [DELETE_OPTIONS]: { ...toOpenApi(deleteOptions), ...asMeta("DeleteOptions") },
  [PATCH]: { type: "object", description: "A patch in the format of its media type." },
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
