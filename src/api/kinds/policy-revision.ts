/** PolicyRevision: how decisions are made, as it was committed and for ever. */
import type { PolicyRevision } from "../../core/model/objects.ts";
import { planOf } from "../../core/model/policy.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { Type } from "typebox";
import { fields } from "../schema/shapes.ts";
import { defineKind } from "./define-kind.ts";
import { readRules, rulesSchema, writeRules } from "./policy-rules.ts";

const status = fields("Its position among the revisions.", {
  madeAt: Type.Integer({
    description: "The revision of the log that created it: the lower number is the earlier one.",
  }),
});

export const policyRevisionKind = defineKind({
  kind: "PolicyRevision",
  description: "The rules for decisions. It is immutable; a Policy activates it.",
  spec: rulesSchema,
  status,
  columns: [
    {
      name: "Scoring",
      type: "string",
      description: "How nodes are scored.",
      cell: ({ spec }) => spec.scoring,
    },
    {
      name: "Spread",
      type: "string",
      description: "The default spread for workloads without one.",
      cell: ({ spec }) =>
        (spec.spread ?? [])
          .map(({ by, maxSkew, soft = false }) => `${by}:${maxSkew}${soft ? "~" : ""}`)
          .join(","),
    },
    {
      name: "On Rollback",
      type: "string",
      description: "What happens to bindings and reserved room on a rollback from it.",
      cell: ({ spec }) => {
        const { bindings, reservations } = planOf(spec);
        return `${bindings}/${reservations}`;
      },
    },
    {
      name: "In Force",
      type: "string",
      description: "The policies that activate it, with the region if it is not active everywhere.",
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
