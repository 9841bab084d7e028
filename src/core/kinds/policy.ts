/** Policy: which revision of the rules is in force, and in which regions another one. */
import { policyRevisionKey } from "../model/ids.ts";
import { POLICY_LIST_MOST, type PolicySpec, type RegionStage, SCORINGS } from "../model/policy.ts";
import { choice, type FieldsOf, list, name, object, optional } from "./fields/field.ts";
import type { BrokenRule, WrittenDefinition } from "./kind-definition.ts";
import { writtenAs } from "./written-form.ts";

const FIELDS: FieldsOf<PolicySpec> = {
  scoring: optional(
    choice(
      "Without an active revision: best-fit fills nodes up, spread-out prefers the emptiest, and fragmentation keeps the remaining devices useful for the mix of work seen so far. Default: fragmentation.",
      SCORINGS,
    ),
  ),
  active: optional(
    name(
      "The active PolicyRevision, except in staged regions. After creation, only activation changes it.",
    ),
  ),
  stages: optional(
    list(
      "Regions where a revision is activated first.",
      object<RegionStage>("A region with another active revision.", {
        region: name("The region."),
        revision: name("The PolicyRevision."),
      }),
      { most: POLICY_LIST_MOST, sortedBy: "region" },
    ),
  ),
};

export const policyDefinition: WrittenDefinition<"Policy"> = {
  kind: "Policy",
  plural: "policies",
  shortNames: [],
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  applyStep: 30,
  about:
    "The active policy revision for the workloads that name this policy. The policy named default applies to all others.",
  spec: {
    about: "Which policy revision is in force, or how nodes are scored.",
    fields: FIELDS,
    example: {
      name: "default",
      spec: { active: "default-1", stages: [{ region: "eu-west", revision: "default-2" }] },
    },
    written: writtenAs<PolicySpec, PolicySpec>({
      fields: FIELDS,
      read: ({ stages = [], ...written }) => ({
        ...(written.active === undefined ? { scoring: "fragmentation" } : {}),
        ...written,
        ...(stages.length === 0 ? {} : { stages }),
      }),
      write: (spec) => spec,
      rules: [stagesOfNothing, scoringBesideActive, stageOfActive],
    }),
    rules: [stagesOfNothing, scoringBesideActive, scoringOfNothing, stageOfActive],
  },
  references: ({ active, stages = [] }) =>
    [...(active === undefined ? [] : [active]), ...stages.map(({ revision }) => revision)].map(
      (revision) => ({ key: policyRevisionKey(revision), mustStay: true }),
    ),
};

function stagesOfNothing({ active, stages = [] }: PolicySpec): BrokenRule | undefined {
  if (active !== undefined || stages.length === 0) return undefined;
  return {
    field: "stages",
    found: stages.length,
    expected: "none without spec.active",
    message: "found stages without spec.active; set spec.active too.",
  };
}

function scoringOfNothing({ scoring, active }: PolicySpec): BrokenRule | undefined {
  return active === undefined && scoring === undefined
    ? { field: "scoring", found: "(none)", expected: SCORINGS.join(" or ") }
    : undefined;
}

function scoringBesideActive({ scoring, active }: PolicySpec): BrokenRule | undefined {
  if (active === undefined || scoring === undefined) return undefined;
  const where = "leave it out: the revision says how nodes are scored";
  return {
    field: "scoring",
    found: scoring,
    expected: "none beside spec.active",
    message: `found "${scoring}" beside spec.active; ${where}.`,
  };
}

function stageOfActive({ active, stages = [] }: PolicySpec): BrokenRule | undefined {
  const at = stages.findIndex(({ revision }) => revision === active);
  if (active === undefined || at < 0) return undefined;
  const expected = `another revision than ${active}`;
  return { field: `stages[${at}].revision`, found: active, expected };
}
