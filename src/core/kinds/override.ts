/** Override: a decision of a person that holds for a time: what it does, to what and why (OV1). */
import {
  RECOVERY_BUDGET_AMOUNT_MAX,
  OVERRIDE_ACTIONS,
  OVERRIDE_TTL_MS,
  type OverrideSpec,
  type OverrideTarget,
  type Postcondition,
  REASON_CHARACTERS,
  TARGET_FIELDS,
  TARGETS,
} from "../model/override.ts";
import {
  choice,
  count,
  duration,
  name,
  object,
  optional,
  orEmpty,
  shown,
  word,
} from "./fields/field.ts";
import { APPLIED_LAST, type BrokenRule, type WrittenDefinition } from "./kind-definition.ts";

/** More replicas than any plane runs. */
const SERVING_MAX = 1_000_000;

export const overrideDefinition: WrittenDefinition<"Override"> = {
  kind: "Override",
  plural: "overrides",
  shortNames: ["ov"],
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  endsByItself: true,
  isMeasured: true,
  applyStep: APPLIED_LAST,
  about: "A temporary decision of a person that overrides the controllers.",
  spec: {
    about: "The action, its target, the reason and the duration.",
    fields: {
      action: shown(
        choice(
          "avoid-zone and avoid-node place no new work in a zone or on a node; pause-expansion starts no additional replicas; pause-repair releases, replaces and evicts nothing; pin leaves a workload's replicas where they are; raise-budget raises the disruption budget of a workload or the recovery budgets of a region; freeze-tenant starts, places and moves nothing of a tenant; cut-off marks a region as partitioned: its replicas stay, and only low-risk work is bound there.",
          OVERRIDE_ACTIONS,
        ),
        { name: "Action", about: "The action." },
      ),
      // Names of what need not exist yet: a zone may be avoided before its first node joins.
      target: orEmpty(
        object<OverrideTarget>("The target. Default, if the action allows it: the whole cluster.", {
          region: optional(name("A region.")),
          zone: optional(name("A zone, of the region if one is named.")),
          node: optional(name("A node.")),
          tenant: optional(name("A tenant.")),
          workload: optional(name("A workload of the tenant.")),
        }),
      ),
      reason: shown(
        word("The reason. It is shown wherever the override acts.", REASON_CHARACTERS),
        { name: "Reason", about: "Why." },
      ),
      ttlMs: duration(
        "How long it is in force, from its creation. At most 168h, extensions included.",
        OVERRIDE_TTL_MS,
      ),
      amount: optional(
        count(
          "For raise-budget: the number of replicas of the workload, or the percentage of each recovery budget of the region.",
          { least: 1, most: RECOVERY_BUDGET_AMOUNT_MAX },
        ),
      ),
      postcondition: optional(
        object<Postcondition>(
          "A condition that should be true when it ends. It is informational: the status shows whether it is true.",
          {
            tenant: name("The tenant of the workload."),
            workload: name("The workload."),
            serving: count("The minimum number of its serving replicas.", {
              least: 0,
              most: SERVING_MAX,
            }),
          },
        ),
      ),
    },
    example: {
      name: "zone-a-maintenance",
      spec: {
        action: "avoid-zone",
        target: { region: "eu-west", zone: "a" },
        reason: "the cooling of zone a is replaced",
        ttl: "2h",
      },
    },
    rules: [targetOfOtherAction, amountOfOtherAction],
  },
};

function targetOfOtherAction({ action, target }: OverrideSpec): BrokenRule | undefined {
  const named = TARGET_FIELDS.filter((field) => target[field] !== undefined);
  if (TARGETS[action].some((set) => set.join() === named.join())) return undefined;
  const found = named.join(" and ") || "nothing";
  const expected = TARGETS[action].map((set) => set.join(" and ") || "nothing").join(", or ");
  return {
    field: "target",
    found,
    expected,
    message: `found ${found}; ${action} needs ${expected}.`,
  };
}

function amountOfOtherAction({ action, amount }: OverrideSpec): BrokenRule | undefined {
  if ((amount !== undefined) === (action === "raise-budget")) return undefined;
  const found = amount ?? "nothing";
  const expected =
    action === "raise-budget"
      ? "a number of replicas, or a percentage of a region's budgets"
      : `none: ${action} takes no amount`;
  return { field: "amount", found, expected, message: `found ${found}; expected ${expected}.` };
}
