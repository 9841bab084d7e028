/** The metadata of every kind, as far as Berth keeps it. */
import { type TSchema, Type } from "typebox";
import { OBJECT_MOST } from "../../core/model/limits/object-limits.ts";
import { choice, fields, labelMap, name, text, textMap, time } from "./shapes.ts";

/** Clients written in Go send `null` for a time that is not set. */
const unsetTime = (description: string) =>
  Type.Optional(Type.String({ ...time(description), nullable: true }));

const NAME =
  "Unique within the namespace and kind: lower-case letters, digits, '-' and '.'. Cannot be changed.";

/** For kinds that have one object per namespace, under this name. */
export const metadataWithName = (onlyName: string) => metadataNamed(choice(NAME, [onlyName]));

const metadataNamed = (nameSchema: TSchema) =>
  fields(
    "Identity of the object and notes about it.",
    {
      name: Type.Optional(nameSchema),
      generateName: Type.Optional(
        text("With no name given, the object is named this followed by something unique."),
      ),
      namespace: Type.Optional(
        text("The tenant that owns the object. Empty for kinds that belong to the whole cluster."),
      ),
      uid: Type.Optional(text("Tells this life of the name from earlier ones. Set by the server.")),
      resourceVersion: Type.Optional(
        text(
          "The revision that wrote this value. Sent back with a change, the change is refused if the object has changed since.",
        ),
      ),
      generation: Type.Optional(
        Type.Integer({ description: "Grows with every change of spec. Set by the server." }),
      ),
      creationTimestamp: unsetTime("When the object was made. Set by the server."),
      deletionTimestamp: unsetTime(
        "When deletion was asked for; the object goes when the last finalizer does. Set by the server.",
      ),
      deletionGracePeriodSeconds: Type.Optional(
        Type.Integer({ description: "Kept for Kubernetes clients; Berth does not use it." }),
      ),
      selfLink: Type.Optional(text("Kept for Kubernetes clients; Berth does not use it.")),
      labels: Type.Optional(
        labelMap(
          "Keys and values by which objects are selected. Values have at most 63 characters.",
        ),
      ),
      annotations: Type.Optional(
        textMap(
          "Notes of clients. Nothing is selected by them and no decision looks at them.",
          OBJECT_MOST.annotations,
        ),
      ),
      finalizers: Type.Optional(
        Type.Array(Type.String({ maxLength: OBJECT_MOST.labelKeyBytes }), {
          maxItems: OBJECT_MOST.finalizers,
          description: "The object stays, marked as being deleted, until these are taken off.",
        }),
      ),
      managedFields: Type.Optional(
        Type.Array(
          Type.Unsafe<unknown>({ type: "object", "x-kubernetes-preserve-unknown-fields": true }),
          { description: "Which client owns which field. Set by the server." },
        ),
      ),
    },
    {
      ownerReferences:
        "not supported yet: Berth deletes what a workload owns by itself, and nothing by reference.",
    },
  );

export const metadataSchema = metadataNamed(name(NAME));
