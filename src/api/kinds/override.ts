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

const spec = fields("What is held back or allowed, to what, why and for how long.", {
  action: choice(
    "avoid-zone and avoid-node let nothing new come to a place; pause-expansion gives no slot its first life; pause-repair releases, replaces and evicts nothing; pin leaves a workload's replicas where they are; raise-budget lets more of a workload be out of serving, or more be spent of the recovery budgets of a region; freeze-tenant begins, places and moves nothing of a tenant; cut-off leaves a region as it is and binds there only what can be judged there alone.",
    OVERRIDE_ACTIONS,
  ),
  target: Type.Optional(
    fields("What it is about; left out, where the action allows it: everything.", {
      region: Type.Optional(name("A region.")),
      zone: Type.Optional(name("A zone, of the region if one is named.")),
      node: Type.Optional(name("A node.")),
      tenant: Type.Optional(name("A tenant.")),
      workload: Type.Optional(name("A workload of the tenant.")),
    }),
  ),
  reason: word("Why. Shown wherever it acts."),
  ttl: duration(
    "How long it holds, from when it was made. At most 168h, extensions included.",
    OVERRIDE_TTL_MS,
  ),
  amount: Type.Optional(
    wholeNumber(
      "Of raise-budget: by how many replicas of the workload, or by how many percent of each recovery budget of the region.",
      { from: 1, to: BUDGET_AMOUNT_MAX },
    ),
  ),
  postcondition: Type.Optional(
    fields("What is to be true when it ends. It is shown whether it is; nothing follows from it.", {
      tenant: name("The tenant of the workload."),
      workload: name("The workload."),
      serving: wholeNumber("At least so many of its replicas serve.", { from: 0, to: 1_000_000 }),
    }),
  ),
});

const status = fields("Whose it is and until when.", {
  owner: text("Who made it; nobody else extends or releases it."),
  since: time("When it was made."),
  until: time("When it ends by itself."),
  extensions: Type.Integer({ description: "How often it was made to last longer." }),
  budgets: Type.Optional(
    Type.Array(Type.String(), {
      description: "Of cut-off: the budgets that were in force there when it was made.",
    }),
  ),
  conditions: Type.Optional(conditionsSchema),
});

export const overrideKind = defineKind({
  kind: "Override",
  description: "What somebody has decided for a while, against what controllers would do.",
  spec,
  status,
  planeConditions: [POSTCONDITION],
  columns: [
    {
      name: "Action",
      type: "string",
      description: "What it does.",
      cell: (override) => override.spec.action,
    },
    {
      name: "Target",
      type: "string",
      description: "What it is about.",
      cell: ({ spec: of }) => `${targetText(of.target)}${raiseText(of)}`,
    },
    {
      name: "Owner",
      type: "string",
      description: "Who made it.",
      cell: (override) => override.status.owner,
    },
    {
      name: "Until",
      type: "string",
      description: "When it ends by itself.",
      cell: (override) => rfc3339(override.status.untilMs),
    },
    {
      name: "Covers",
      type: "string",
      description: "How many nodes or workloads it is about at this moment.",
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
    reader.mistake("spec.target", `found ${found}; ${action} is about ${sets.join(", or ")}.`);
  }
  if ((amount !== undefined) !== (action === "raise-budget")) {
    const raise = "by how many replicas, or percent of a region's budgets";
    const wanted = action === "raise-budget" ? raise : `none, ${action} has none`;
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
