/**
 * Policy: which revision is in force for the workloads that name it, everywhere or in single
 * regions.
 */
import { Type } from "typebox";
import type { Desired } from "../../core/protocol/command.ts";
import type { Policy } from "../../core/model/objects.ts";
import {
  type Activation,
  type LeftRevision,
  POLICY_LIST_MOST,
  type PolicyStatus,
  ROLLBACK_WAYS,
  SCORINGS,
} from "../../core/model/policy.ts";
import type { FieldMistake } from "../api-kind.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import { choice, fields, name, text, time } from "../schema/shapes.ts";
import { defineKind } from "./define-kind.ts";
import { SpecReader } from "./spec-reader.ts";

const spec = fields("Which policy revision is in force, or how nodes are scored.", {
  scoring: Type.Optional(
    choice(
      "Without an active revision: best-fit fills nodes up, spread-out prefers the emptiest, and fragmentation keeps the remaining devices useful for the mix of work seen so far. Default: fragmentation.",
      SCORINGS,
    ),
  ),
  active: Type.Optional(
    name(
      "The active PolicyRevision, except in staged regions. After creation, only activation changes it.",
    ),
  ),
  stages: Type.Optional(
    Type.Array(
      fields("A region with another active revision.", {
        region: name("The region."),
        revision: name("The PolicyRevision."),
      }),
      { description: "Regions where a revision is activated first.", maxItems: POLICY_LIST_MOST },
    ),
  ),
});

const way = (what: string) => choice(`What happens to ${what} made under it.`, ROLLBACK_WAYS);
const plan = { bindings: way("bindings"), reservations: way("reserved room") };

const status = fields("The history of activations.", {
  history: Type.Array(
    fields("One activation.", {
      by: text("The user who activated it."),
      time: time("When."),
      region: Type.Optional(name("The region. Absent: everywhere.")),
      from: text("The revision before; empty: none."),
      to: name("The revision that became active."),
      reason: text("Why."),
      rollback: Type.Optional(
        fields("Set for a rollback: what happens to decisions of the revision before.", {
          ...plan,
          budgets: Type.Optional(
            text("The number of recovery budgets at the time; all of them stay in force."),
          ),
        }),
      ),
    }),
    { description: "The latest activations, the newest last." },
  ),
  left: Type.Array(
    fields("A revision that was rolled back.", {
      revision: name("The revision."),
      region: Type.Optional(name("The region. Absent: everywhere.")),
      ...plan,
    }),
    { description: "Rolled-back revisions whose decisions may still have to be undone." },
  ),
});

export const policyKind = defineKind({
  kind: "Policy",
  description:
    "The active policy revision for the workloads that name this policy. The policy named default applies to all others.",
  spec,
  status,
  columns: [
    {
      name: "Active",
      type: "string",
      description: "The active revision; without one, how nodes are scored.",
      cell: ({ spec: of }) => of.active ?? `(${of.scoring ?? ""})`,
    },
    {
      name: "Stages",
      type: "string",
      description: "Regions with another active revision.",
      cell: ({ spec: of }) =>
        (of.stages ?? []).map(({ region, revision }) => `${region}=${revision}`).join(","),
    },
    {
      name: "Moved By",
      type: "string",
      description: "The user of the last activation.",
      isWide: true,
      cell: ({ status: of }) => of.history?.at(-1)?.by ?? "",
    },
  ],
  toApi: ({ spec: of, status: now }) => ({
    spec: writeSpec(of),
    status: of.active === undefined ? undefined : writePolicyStatus(now),
  }),
  toDesired: readSpec,
});

function writeSpec({ scoring, active, stages }: Policy["spec"]): Type.Static<typeof spec> {
  return {
    ...(scoring === undefined ? {} : { scoring }),
    ...(active === undefined ? {} : { active }),
    ...(stages === undefined ? {} : { stages: stages.map((stage) => ({ ...stage })) }),
  };
}

const writePolicyStatus = ({
  history = [],
  left = [],
}: PolicyStatus): Type.Static<typeof status> => ({
  history: history.map(writeActivation),
  left: left.map(writeLeft),
});

const writeActivation = (move: Activation) => {
  const { by, atMs, region, from, to, reason, rollback, budgetsKept } = move;
  const budgets = budgetsKept === undefined ? {} : { budgets: `preserve ${budgetsKept}` };
  return {
    by,
    time: rfc3339Millis(atMs),
    ...(region === undefined ? {} : { region }),
    from,
    to,
    reason,
    ...(rollback === undefined ? {} : { rollback: { ...rollback, ...budgets } }),
  };
};

const writeLeft = ({ revision, region, plan: of }: LeftRevision) => ({
  revision,
  ...(region === undefined ? {} : { region }),
  ...of,
});

function readSpec(written: unknown): Desired | readonly FieldMistake[] {
  const { scoring, active, stages = [] } = written as Type.Static<typeof spec>;
  const reader = new SpecReader();
  if (active === undefined) {
    if (stages.length > 0) {
      reader.mistake("spec.stages", "found stages without spec.active; set spec.active too.");
    }
    const desired: Desired = { kind: "Policy", spec: { scoring: scoring ?? "fragmentation" } };
    return reader.mistakes.length > 0 ? reader.mistakes : desired;
  }
  if (scoring !== undefined) {
    const where = "leave it out: the revision says how nodes are scored";
    reader.mistake("spec.scoring", `found "${scoring}" beside spec.active; ${where}.`);
  }
  const inOrder = stages.toSorted((a, b) => (a.region < b.region ? -1 : 1));
  return reader.mistakes.length > 0
    ? reader.mistakes
    : { kind: "Policy", spec: { active, ...(inOrder.length === 0 ? {} : { stages: inOrder }) } };
}
