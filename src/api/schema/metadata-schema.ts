/** The metadata of every kind, as far as Berth keeps it. */
import { type TSchema, Type } from "typebox";
import { PATH_NAME } from "../../core/kinds/object-name.ts";
import { OBJECT_MOST } from "../../core/model/limits/object-limits.ts";
import { choice, EXPECTED, fields, labelMap, name, text, textMap, time } from "./shapes.ts";

/** Clients written in Go send `null` for a time that is not set. */
const unsetTime = (description: string) =>
  Type.Optional(Type.String({ ...time(description), nullable: true }));

const NAME =
  "Unique within the namespace and kind: lower-case letters, digits, '-' and '.'. Cannot be changed.";

/** For kinds that have one object per namespace, under this name. */
export const metadataWithName = (onlyName: string) => metadataNamed(choice(NAME, [onlyName]));

const ownerReferences = Type.Optional(
  Type.Array(
    fields("An owner.", {
      apiVersion: text("The group and version of the owner."),
      kind: text("The kind of the owner."),
      name: text("The name of the owner."),
      uid: text("The uid of the owner."),
      controller: Type.Optional(Type.Boolean({ description: "Whether it manages the object." })),
      blockOwnerDeletion: Type.Optional(
        Type.Boolean({ description: "Whether the owner stays until the object is gone." }),
      ),
    }),
    {
      maxItems: OBJECT_MOST.owners,
      description:
        "The objects of the same namespace, or of none, that it belongs to. It is deleted once none of them exists.",
    },
  ),
);

const metadataNamed = (nameSchema: TSchema) =>
  fields("Identity of the object and notes about it.", {
    name: Type.Optional(nameSchema),
    generateName: Type.Optional(
      text("A prefix for a generated unique name, used if name is empty."),
    ),
    namespace: Type.Optional(
      text("The tenant that owns the object. Empty for cluster-scoped kinds."),
    ),
    uid: Type.Optional(
      text(
        "The unique id of the object, which tells it from earlier objects of the same name. Set by the server.",
      ),
    ),
    resourceVersion: Type.Optional(
      text(
        "The revision of this version. A write that includes it is rejected if the object has changed since.",
      ),
    ),
    generation: Type.Optional(
      Type.Integer({ description: "Increases with every change of spec. Set by the server." }),
    ),
    creationTimestamp: unsetTime("When the object was created. Set by the server."),
    deletionTimestamp: unsetTime(
      "When deletion was requested; the object is removed after its last finalizer. Set by the server.",
    ),
    deletionGracePeriodSeconds: Type.Optional(
      Type.Integer({ description: "Kept for Kubernetes clients; Berth does not use it." }),
    ),
    selfLink: Type.Optional(text("Kept for Kubernetes clients; Berth does not use it.")),
    labels: Type.Optional(
      labelMap("Keys and values to select objects by. Values have at most 63 characters."),
    ),
    annotations: Type.Optional(
      textMap(
        "Arbitrary data of clients. Objects are not selected by them, and no decision uses them.",
        OBJECT_MOST.annotations,
      ),
    ),
    finalizers: Type.Optional(
      Type.Array(Type.String({ maxLength: OBJECT_MOST.labelKeyBytes }), {
        maxItems: OBJECT_MOST.finalizers,
        description: "A deleted object stays until these are removed.",
      }),
    ),
    managedFields: Type.Optional(
      Type.Array(
        Type.Unsafe<unknown>({ type: "object", "x-kubernetes-preserve-unknown-fields": true }),
        { description: "Which client owns which field. Set by the server." },
      ),
    ),
    ownerReferences,
  });

export const metadataSchema = metadataNamed(name(NAME));

/** Of kinds whose names may have what a path may have. */
export const pathNamedMetadataSchema = metadataNamed(
  Type.String({
    description: "Unique within the namespace and kind. Cannot be changed.",
    pattern: PATH_NAME.pattern,
    [EXPECTED]: `a name of ${PATH_NAME.expected}`,
    maxLength: 253,
  }),
);
