/** PolicyRevision: how decisions are made, as it was committed and for ever. */
import type { PolicyRevision } from "../../core/model/objects.ts";
import { planOf } from "../../core/model/policy.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { Type } from "typebox";
import { fields } from "../schema/shapes.ts";
import { defineKind } from "./define-kind.ts";
import { readRules, rulesSchema, writeRules } from "./policy-rules.ts";

const status = fields("Where it stands among the others.", {
  madeAt: Type.Integer({
    description: "The revision of the log that made it: of two, the one with less is the earlier.",
  }),
});

export const policyRevisionKind = defineKind({
  kind: "PolicyRevision",
  description:
    "How decisions are made. It never changes once it is there; a Policy says where it is in force.",
  spec: rulesSchema,
  status,
  columns: [
    {
      name: "Scoring",
      type: "string",
      description: "The way nodes are scored.",
      cell: ({ spec }) => spec.scoring,
    },
    {
      name: "Spread",
      type: "string",
      description: "How replicas are kept apart of workloads that do not say.",
      cell: ({ spec }) =>
        (spec.spread ?? [])
          .map(({ by, maxSkew, soft = false }) => `${by}:${maxSkew}${soft ? "~" : ""}`)
          .join(","),
    },
    {
      name: "On Rollback",
      type: "string",
      description: "What becomes of bindings and held room when it is left for an earlier one.",
      cell: ({ spec }) => {
        const { bindings, reservations } = planOf(spec);
        return `${bindings}/${reservations}`;
      },
    },
    {
      name: "In Force",
      type: "string",
      description: "The policies that point to it, with the region where it is not everywhere.",
      cell: (revision, objects) => placesOf(revision, objects).join(","),
    },
  ],
  toApi: ({ spec, status: now }) => ({ spec: writeRules(spec), status: { madeAt: now.madeAt } }),
  toDesired: readRules,
});

/** e.g. "default", "default/eu-west" */
function placesOf({ meta }: PolicyRevision, objects: ObjectIndex): readonly string[] {
  const places: string[] = [];
  for (const { meta: of, spec } of objects.all("Policy").values()) {
    if (spec.active === meta.name) places.push(of.name);
    for (const { region, revision } of spec.stages ?? []) {
      if (revision === meta.name) places.push(`${of.name}/${region}`);
    }
  }
  return places.toSorted();
}
