/**
 * Endpoints: where a workload can be reached. Derived from its serving replicas whenever it is
 * read, so it cannot disagree with them.
 */
import { Type } from "typebox";
import type { Replica, Workload } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { API_VERSION, GROUP } from "../group-version.ts";
import { defineKind } from "../kinds/define-kind.ts";
import { objectSchema } from "../schema/object-schema.ts";
import { fields, numberMap, text } from "../schema/shapes.ts";
import type { ServedKind } from "./served-kind.ts";

const DESCRIPTION = "The addresses of a workload's serving replicas. Written by the control plane.";
const specSchema = Type.Optional(fields("Unused.", {}));
const statusSchema = fields("The addresses of the workload.", {
  addresses: Type.Array(
    fields("One serving replica.", {
      replica: text("The name of the replica."),
      node: text("The node it runs on."),
      host: text("Host name or address."),
      ports: numberMap("Port numbers by the names in run.ports."),
    }),
    { description: "One for each serving replica, in the order of their indexes." },
  ),
});

function serving(workload: Workload, objects: ObjectIndex): readonly Replica[] {
  return [...objects.replicasOf(workload.key).values()]
    .filter(
      ({ spec, status }) =>
        spec.workloadUid === workload.meta.uid &&
        status.stage === "serving" &&
        // One that was asked to stop still answers, but should not be given anything new.
        status.stopping === undefined &&
        status.superseded === undefined,
    )
    .toSorted((a, b) => a.spec.index - b.spec.index);
}

const workloadAsEndpoints = defineKind({
  kind: "Workload",
  servedAs: {
    plural: "endpoints",
    singular: "endpoints",
    shortNames: ["ep"],
    isNamespaced: true,
  },
  description: DESCRIPTION,
  spec: specSchema,
  columns: [
    {
      name: "Endpoints",
      type: "string",
      description: "The addresses of the workload.",
      cell: (workload, objects) =>
        serving(workload, objects)
          .flatMap(({ status: { address } }) =>
            Object.values(address?.ports ?? {}).map((port) => `${address?.host}:${port}`),
          )
          .join(","),
    },
  ],
  toApi: (workload, objects) => ({
    spec: undefined,
    status: {
      addresses: serving(workload, objects).flatMap(({ meta, status: { node = "", address } }) =>
        address === undefined
          ? []
          : [{ replica: meta.name, node, host: address.host, ports: address.ports }],
      ),
    },
  }),
});

export const endpointsKind: ServedKind = {
  group: GROUP,
  apiVersion: API_VERSION,
  name: "Endpoints",
  api: {
    ...workloadAsEndpoints,
    schema: objectSchema({
      kind: "Endpoints",
      description: DESCRIPTION,
      spec: specSchema,
      status: statusSchema,
    }),
  },
  // The finalizers, owners and notes are the workload's own business.
  metadata: ({ name, namespace, uid, resourceVersion, creationTimestamp, labels }) => ({
    name,
    ...(namespace === undefined ? {} : { namespace }),
    uid: `${uid ?? ""}.endpoints`,
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    ...(labels === undefined ? {} : { labels }),
  }),
};
