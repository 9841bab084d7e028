/** PolicyRevision: how decisions are made, as it was committed and for ever. */
import type { PolicyRevision } from "../../core/model/objects.ts";
import { planOf } from "../../core/model/policy.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { Type } from "typebox";
import { fields } from "../schema/shapes.ts";
import { noteLargeGrants } from "./recovery-rules.ts";
import { showKind } from "./show-kind.ts";

const status = fields("Its position among the revisions.", {
  madeAt: Type.Integer({
    description: "The revision of the log that created it: the lower number is the earlier one.",
  }),
});

export const policyRevisionKind = showKind({
  kind: "PolicyRevision",
  status,
  showStatus: ({ status: { madeAt } }) => ({ madeAt }),
  noteMistakes: ({ recovery }, reader) => {
    if (recovery !== undefined) noteLargeGrants(recovery, reader);
  },
  columns: [
    "scoring",
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
