/** What a quota is spent on, and how its tenant comes back under it when it was made too small. */
import { Type } from "typebox";
import { type Amounts, NOTHING } from "../../../core/model/amounts.ts";
import type { Quota, Replica } from "../../../core/model/objects.ts";
import { type ShrinkPlan, shrinkPlan } from "../../../core/rules/quota/shrink-plan.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { choice, fields, mapOf, text } from "../../schema/shapes.ts";
import { type AmountsText, shownAmounts, writeAmounts } from "../text/amounts-text.ts";
import { conditionsSchema, writeConditions } from "./condition.ts";
import { replicaReason } from "./stage-reason.ts";

/** Who goes first is what people look for; of a thousand others the number is enough. */
const REPLICAS_SHOWN = 32;

const replicaSchema = fields("A replica that has to go.", {
  name: text("Its name."),
  priorityClass: Type.Optional(text("Its priority class, if it has one.")),
  reason: text("What it is doing now."),
});

const planSchema = fields("How the tenant comes back under its quota.", {
  how: choice("wait: the replicas go as they end. drain: they are asked to stop.", [
    "wait",
    "drain",
  ]),
  message: text("The plan in a sentence."),
  replicas: Type.Array(replicaSchema, { description: "Who goes, in this order." }),
  more: Type.Integer({ description: "How many follow that are not listed." }),
});

export const quotaStatusSchema = fields(
  "What the quota is spent on: limit + borrowed + overdrawn = free + reserved + used.",
  {
    used: shownAmounts("Held by replicas that are bound to a node."),
    reserved: shownAmounts("Held for replicas that are on their way to a node."),
    free: shownAmounts("What is left of the limit."),
    borrowed: shownAmounts("Used beyond the limit and lent by others of the group."),
    overdrawn: shownAmounts(
      "Used beyond the limit and what may be borrowed: the limit was made smaller.",
    ),
    regions: Type.Optional(
      mapOf("What is held in the regions that the quota bounds.", shownAmounts("Held there.")),
    ),
    classes: Type.Optional(
      mapOf(
        "What is reserved and held for the classes that the quota bounds.",
        shownAmounts("Reserved and held for this class."),
      ),
    ),
    plan: Type.Optional(planSchema),
    conditions: Type.Optional(conditionsSchema),
  },
);

export function writeQuotaStatus(
  { meta, spec }: Quota,
  objects: ObjectIndex,
): Type.Static<typeof quotaStatusSchema> {
  const { account, byRegion, byClass } = objects.books.of(meta.namespace);
  const plan = shrinkPlan(objects, meta.namespace);
  return {
    used: writeAmounts(account.committed),
    reserved: writeAmounts(account.reserved),
    free: writeAmounts(account.free),
    borrowed: writeAmounts(account.borrowed),
    overdrawn: writeAmounts(account.overdrawn),
    ...(spec.regions === undefined ? {} : { regions: writeParts(usedOf(spec.regions, byRegion)) }),
    ...(spec.classes === undefined ? {} : { classes: writeParts(usedOf(spec.classes, byClass)) }),
    ...(plan === undefined ? {} : { plan: writePlan(plan) }),
    ...booksCondition(meta, objects),
  };
}

/** Only said when it is bad news: it is about all quotas at once, and almost never. */
function booksCondition(
  { createdMs: sinceMs }: Quota["meta"],
  { books }: ObjectIndex,
): Pick<Type.Static<typeof quotaStatusSchema>, "conditions"> {
  if (books.wrong === undefined) return {};
  const message = `Nothing is granted: ${books.wrong}. Restart the plane, which makes its books anew, and report it.`;
  const condition = { type: "BooksRight", status: "False", reason: "DoNotAddUp", message } as const;
  return { conditions: writeConditions([{ ...condition, sinceMs }]) };
}

const usedOf = (
  bounds: Readonly<Record<string, Amounts>>,
  used: ReadonlyMap<string, Amounts>,
): Readonly<Record<string, Amounts>> =>
  Object.fromEntries(Object.keys(bounds).map((name) => [name, used.get(name) ?? NOTHING]));

function writePlan({ how, over, replicas }: ShrinkPlan): Type.Static<typeof planSchema> {
  const { cpu, memory, devices } = writeAmounts(over);
  const what = [
    over.cpuMillis === 0 ? [] : [`${cpu} CPUs`],
    over.memoryMiB === 0 ? [] : [`${memory} of memory`],
    over.deviceMillis === 0 ? [] : [`${devices} devices`],
  ].flat();
  const isOne = replicas.length === 1;
  const who = isOne ? "1 replica" : `${replicas.length} replicas`;
  const goes =
    how === "drain"
      ? `${who} ${isOne ? "is asked to stop" : "are asked to stop, in this order"}`
      : `nothing new is reserved until ${who} ${isOne ? "has" : "have"} ended; to ask for it, set spec.shrink to drain`;
  return {
    how,
    message: `${what.join(" and ")} are used beyond the quota: ${goes}.`,
    replicas: replicas.slice(0, REPLICAS_SHOWN).map(writeReplica),
    more: Math.max(0, replicas.length - REPLICAS_SHOWN),
  };
}

function writeReplica({ meta, spec, status }: Replica): Type.Static<typeof replicaSchema> {
  const { priorityClass } = spec.template;
  return {
    name: meta.name,
    ...(priorityClass === "" ? {} : { priorityClass }),
    reason: replicaReason(status).reason,
  };
}

const writeParts = (
  parts: Readonly<Record<string, Amounts>>,
): Readonly<Record<string, AmountsText>> =>
  Object.fromEntries(Object.entries(parts).map(([part, each]) => [part, writeAmounts(each)]));
