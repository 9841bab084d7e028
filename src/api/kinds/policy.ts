/** Policy: how decisions are made for the workloads that name it. */
import type { Type } from "typebox";
import { SCORINGS } from "../../core/model/objects.ts";
import { choice, fields } from "../schema/shapes.ts";
import { defineKind } from "./define-kind.ts";

const spec = fields("How nodes are chosen.", {
  scoring: choice(
    "best-fit fills nodes up, spread-out uses the emptiest, and fragmentation keeps what is left of devices useful for the mix of work that it has seen arrive.",
    SCORINGS,
    "fragmentation",
  ),
});

export const policyKind = defineKind({
  kind: "Policy",
  plural: "policies",
  isNamespaced: false,
  description:
    "How nodes are chosen for the workloads that name it. The one named default is for all that name none.",
  spec,
  columns: [
    {
      name: "Scoring",
      type: "string",
      description: "The way nodes are scored.",
      cell: (policy) => policy.spec.scoring,
    },
  ],
  toApi: (policy) => ({ spec: { scoring: policy.spec.scoring }, status: undefined }),
  toDesired: (written) => {
    const { scoring } = written as Type.Static<typeof spec>;
    return { kind: "Policy", spec: { scoring: scoring ?? "fragmentation" } };
  },
});
