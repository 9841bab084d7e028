/** Region: where nodes are, and the zones it is divided into. */
import { Type } from "typebox";
import { defineKind } from "./define-kind.ts";
import { fields, name } from "../schema/shapes.ts";

const spec = fields("The region as an operator describes it.", {
  zones: Type.Array(name("The name of a zone."), {
    description: "The zones of the region: parts that fail independently of each other.",
    uniqueItems: true,
  }),
});

export const regionKind = defineKind({
  kind: "Region",
  plural: "regions",
  isNamespaced: false,
  description: "A place with nodes, divided into zones that fail independently.",
  spec,
  columns: [
    {
      name: "Zones",
      type: "string",
      description: "The zones of the region.",
      cell: (region) => region.spec.zones.join(","),
    },
    {
      name: "Nodes",
      type: "integer",
      description: "How many nodes are in the region.",
      cell: (region, objects) => {
        let nodes = 0;
        for (const node of objects.all("Node").values()) {
          if (node.spec.region === region.meta.name) nodes += 1;
        }
        return nodes;
      },
    },
  ],
  toApi: (region) => ({ spec: { zones: region.spec.zones }, status: undefined }),
  toDesired: (written) => {
    const { zones } = written as Type.Static<typeof spec>;
    return { kind: "Region", spec: { zones } };
  },
});
