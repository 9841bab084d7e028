/** Policy: which revision of the rules is in force, and in which regions another one. */
import { policyRevisionKey } from "../model/ids.ts";
import type { WrittenDefinition } from "./kind-definition.ts";
import { malformedPolicy } from "./well-formed/malformed-policy.ts";

export const policyDefinition: WrittenDefinition<"Policy"> = {
  kind: "Policy",
  plural: "policies",
  shortNames: [],
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  applyStep: 30,
  malformed: malformedPolicy,
  references: ({ active, stages = [] }) =>
    [...(active === undefined ? [] : [active]), ...stages.map(({ revision }) => revision)].map(
      (revision) => ({ key: policyRevisionKey(revision), mustStay: true }),
    ),
};
