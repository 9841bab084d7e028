/**
 * Policy: which revision is in force for the workloads that name it, everywhere or in single
 * regions.
 */
import { Type } from "typebox";
import {
  type Activation,
  type LeftRevision,
  type PolicyStatus,
  ROLLBACK_WAYS,
} from "../../core/model/policy.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import { choice, fields, name, text, time } from "../schema/shapes.ts";
import { showKind } from "./show-kind.ts";

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

export const policyKind = showKind({
  kind: "Policy",
  status,
  showStatus: ({ spec, status: now }) =>
    spec.active === undefined ? undefined : writePolicyStatus(now),
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
});

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
