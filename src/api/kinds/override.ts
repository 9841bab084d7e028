/** Override: what somebody has decided for a while, why, and until when. */
import { Type } from "typebox";
import type { Desired } from "../../core/protocol/command.ts";
import type { Override } from "../../core/model/objects.ts";
import {
  BUDGET_AMOUNT_MAX,
  isEverything,
  meansPlace,
  meansWorkload,
  OVERRIDE_ACTIONS,
  OVERRIDE_TTL_MS,
  type OverrideSpec,
  raiseText,
  TARGET_FIELDS,
  TARGETS,
  targetText,
} from "../../core/model/override.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { formatDuration } from "../../quantity/duration.ts";
import type { FieldMistake } from "../api-kind.ts";
import { rfc3339, rfc3339Millis } from "../rfc3339.ts";
import { choice, duration, fields, name, text, time, wholeNumber, word } from "../schema/shapes.ts";
import { conditionsSchema, writeConditions } from "./status/condition.ts";
import { defineKind } from "./define-kind.ts";
import { POSTCONDITION, postconditionOf } from "./status/postcondition.ts";
import { SpecReader } from "./spec-reader.ts";

const spec = fields("The action, its target, the reason and the duration.", {
  action: choice(
    "avoid-zone and avoid-node place no new work in a zone or on a node; pause-expansion starts no additional replicas; pause-repair releases, replaces and evicts nothing; pin leaves a workload's replicas where they are; raise-budget raises the disruption budget of a workload or the recovery budgets of a region; freeze-tenant starts, places and moves nothing of a tenant; mark-partitioned marks a region as partitioned: its replicas stay, and only low-risk work is bound there.",
    OVERRIDE_ACTIONS,
  ),
  target: Type.Optional(
    fields("The target. Default, if the action allows it: the whole cluster.", {
      region: Type.Optional(name("A region.")),
      zone: Type.Optional(name("A zone, of the region if one is named.")),
      node: Type.Optional(name("A node.")),
      tenant: Type.Optional(name("A tenant.")),
      workload: Type.Optional(name("A workload of the tenant.")),
    }),
  ),
  reason: word("The reason. It is shown wherever the override acts."),
  ttl: duration(
    "How long it is in force, from its creation. At most 168h, extensions included.",
    OVERRIDE_TTL_MS,
  ),
  amount: Type.Optional(
    wholeNumber(
      "For raise-budget: the number of replicas of the workload, or the percentage of each recovery budget of the region.",
      { from: 1, to: BUDGET_AMOUNT_MAX },
    ),
  ),
  postcondition: Type.Optional(
    fields(
      "A condition that should be true when it ends. It is informational: the status shows whether it is true.",
      {
        tenant: name("The tenant of the workload."),
        workload: name("The workload."),
        serving: wholeNumber("The minimum number of its serving replicas.", {
          from: 0,
          to: 1_000_000,
        }),
      },
    ),
  ),
});

const status = fields("The owner of the override and when it expires.", {
  owner: text("The owner; only the owner can extend or release it."),
  since: time("When it was created."),
  until: time("When it expires."),
  extensions: Type.Integer({ description: "How many times it was extended." }),
  budgets: Type.Optional(
    Type.Array(Type.String(), {
      description: "For mark-partitioned: the recovery budgets in force there when it was created.",
    }),
  ),
  conditions: Type.Optional(conditionsSchema),
});

export const overrideKind = defineKind({
  kind: "Override",
  description: "A temporary decision of a person that overrides the controllers.",
  spec,
  status,
  planeConditions: [POSTCONDITION],
  columns: [
    {
      name: "Action",
      type: "string",
      description: "The action.",
      cell: (override) => override.spec.action,
    },
    {
      name: "Target",
      type: "string",
      description: "The target.",
      cell: ({ spec: of }) => `${targetText(of.target)}${raiseText(of)}`,
    },
    {
      name: "Owner",
      type: "string",
      description: "The owner.",
      cell: (override) => override.status.owner,
    },
    {
      name: "Until",
      type: "string",
      description: "When it expires.",
      cell: (override) => rfc3339(override.status.untilMs),
    },
    {
      name: "Covers",
      type: "string",
      description: "The number of nodes or workloads that it affects now.",
      cell: (override, objects) => coversText(override, objects),
    },
    {
      name: "Reason",
      type: "string",
      description: "Why.",
      cell: (override) => override.spec.reason,
    },
  ],
  toApi: (override, objects) => ({
    spec: writeSpec(override.spec),
    status: writeStatus(override, objects),
  }),
  toDesired: readSpec,
});

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

function coversText({ spec: { target } }: Override, objects: ObjectIndex): string {
  const isPlace = [target.node, target.zone, target.region].some((each) => each !== undefined);
  if (isPlace) {
    const nodes = [...objects.all("Node").values()].filter(({ meta, spec: of }) =>
      meansPlace(target, { name: meta.name, region: of.region, zone: of.zone }),
    );
    return counted(nodes.length, "node");
  }
  const workloads = [...objects.all("Workload").values()].filter(({ meta }) =>
    meansWorkload(target, meta),
  );
  return counted(workloads.length, "workload");
}

function readSpec(written: unknown): Desired | readonly FieldMistake[] {
  const of = written as Type.Static<typeof spec>;
  const { action, target = {}, reason, ttl, amount, postcondition } = of;
  const reader = new SpecReader();
  const named = TARGET_FIELDS.filter((field) => target[field] !== undefined);
  if (!TARGETS[action].some((set) => set.join() === named.join())) {
    const found = named.join(" and ") || "nothing";
    const sets = TARGETS[action].map((set) => set.join(" and ") || "nothing");
    reader.mistake("spec.target", `found ${found}; ${action} needs ${sets.join(", or ")}.`);
  }
  if ((amount !== undefined) !== (action === "raise-budget")) {
    const raise = "a number of replicas, or a percentage of a region's budgets";
    const wanted = action === "raise-budget" ? raise : `none: ${action} takes no amount`;
    reader.mistake("spec.amount", `found ${amount ?? "nothing"}; expected ${wanted}.`);
  }
  const read: OverrideSpec = {
    action,
    target,
    reason,
    ttlMs: reader.durationMs("spec.ttl", ttl, OVERRIDE_TTL_MS),
    ...(amount === undefined ? {} : { amount }),
    ...(postcondition === undefined ? {} : { postcondition }),
  };
  return reader.mistakes.length > 0 ? reader.mistakes : { kind: "Override", spec: read };
}

function writeSpec({ action, target, reason, ttlMs, amount, postcondition }: OverrideSpec) {
  return {
    action,
    ...(isEverything(target) ? {} : { target }),
    reason,
    ttl: formatDuration(ttlMs),
    ...(amount === undefined ? {} : { amount }),
    ...(postcondition === undefined ? {} : { postcondition }),
  };
}

function writeStatus(override: Override, objects: ObjectIndex) {
  const { owner, sinceMs, untilMs, extensions, budgets } = override.status;
  const condition = postconditionOf(override, objects);
  return {
    owner,
    since: rfc3339Millis(sinceMs),
    until: rfc3339Millis(untilMs),
    extensions,
    ...(budgets === undefined ? {} : { budgets: budgets.map((each) => each.name) }),
    ...(condition === undefined ? {} : { conditions: writeConditions([condition]) }),
  };
}
