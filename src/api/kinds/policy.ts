/** Policy: which revision is in force for the workloads that name it, everywhere or in single regions. */
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
      "Without a revision: best-fit fills nodes up, spread-out uses the emptiest, and fragmentation keeps what is left of devices useful for the mix of work that it has seen arrive. Left out, and without active: fragmentation.",
      SCORINGS,
    ),
  ),
  active: Type.Optional(
    name(
      "The PolicyRevision in force wherever no stage says otherwise. Once it is made it moves by activation alone.",
    ),
  ),
  stages: Type.Optional(
    Type.Array(
      fields("A region in which another revision is in force.", {
        region: name("The region."),
        revision: name("The PolicyRevision."),
      }),
      { description: "Regions that are ahead of the rest.", maxItems: POLICY_LIST_MOST },
    ),
  ),
});

const way = (what: string) => choice(`What becomes of ${what} made under it.`, ROLLBACK_WAYS);
const plan = { bindings: way("bindings"), reservations: way("held room") };

const status = fields("How the pointer came to where it is.", {
  history: Type.Array(
    fields("One move of the pointer.", {
      by: text("Who moved it."),
      time: time("When."),
      region: Type.Optional(name("Where; left out: everywhere.")),
      from: text("What it replaced; empty: no revision."),
      to: name("What is in force since."),
      reason: text("Why."),
      rollback: Type.Optional(
        fields("It went back to an earlier one, and this becomes of what was left.", {
          ...plan,
          budgets: Type.Optional(
            text("Set when recovery budgets were there: how many, all of which stay as they are."),
          ),
        }),
      ),
    }),
    { description: "The latest moves, the last one last." },
  ),
  left: Type.Array(
    fields("A revision that was left for an earlier one.", {
      revision: name("The revision."),
      region: Type.Optional(name("Where; left out: everywhere.")),
      ...plan,
    }),
    { description: "What rollbacks may still have to take back." },
  ),
});

export const policyKind = defineKind({
  kind: "Policy",
  description:
    "Which policy revision is in force for the workloads that name it. The one named default is for all that name none.",
  spec,
  status,
  columns: [
    {
      name: "Active",
      type: "string",
      description: "The revision in force; without one, how nodes are scored.",
      cell: ({ spec: of }) => of.active ?? `(${of.scoring ?? ""})`,
    },
    {
      name: "Stages",
      type: "string",
      description: "Regions in which another revision is in force.",
      cell: ({ spec: of }) =>
        (of.stages ?? []).map(({ region, revision }) => `${region}=${revision}`).join(","),
    },
    {
      name: "Moved By",
      type: "string",
      description: "Who moved the pointer last.",
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
      reader.mistake("spec.stages", "found some without spec.active; name what they differ from.");
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
