/** What a quota is spent on, and how its tenant comes back under it when it was made too small. */
import { Type } from "typebox";
import { ALL_DEFINITIONS } from "../../../core/kinds/kind-definitions.ts";
import type { TenantCounts } from "../../../core/model/limits/tenant-counts.ts";
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

const replicaSchema = fields("A replica that exceeds the quota.", {
  name: text("Its name."),
  priorityClass: Type.Optional(text("Its priority class, if it has one.")),
  reason: text("Its stage."),
});

const planSchema = fields("The plan to bring the tenant back under its quota.", {
  how: choice("wait: the replicas run until they end. drain: they are stopped.", ["wait", "drain"]),
  message: text("The plan in a sentence."),
  replicas: Type.Array(replicaSchema, { description: "The replicas, in order." }),
  more: Type.Integer({ description: "The number of further replicas." }),
});

export const quotaStatusSchema = fields(
  "The quota account: limit + borrowed + overdrawn = free + reserved + used.",
  {
    used: shownAmounts("In use by bound replicas."),
    reserved: shownAmounts("Reserved for replicas that wait for a node."),
    free: shownAmounts("The rest of the limit."),
    borrowed: shownAmounts("Used beyond the limit and borrowed from the group."),
    overdrawn: shownAmounts(
      "Used beyond the limit and the borrowing limit: the limit was reduced.",
    ),
    regions: Type.Optional(
      mapOf("Usage in the regions with a limit.", shownAmounts("Used there.")),
    ),
    classes: Type.Optional(
      mapOf(
        "Reservations and usage of the classes with a limit.",
        shownAmounts("Reserved and used by this class."),
      ),
    ),
    counts: Type.Optional(
      mapOf("How many there are of what the quota counts.", Type.Integer({ minimum: 0 })),
    ),
    plan: Type.Optional(planSchema),
    conditions: Type.Optional(conditionsSchema),
  },
);

export function writeQuotaStatus(
  { meta, spec }: Quota,
  objects: ObjectIndex,
): Type.Static<typeof quotaStatusSchema> {
  const { account, byRegion, byClass } = objects.quotaUsage.of(meta.namespace);
  const plan = shrinkPlan(objects, meta.namespace);
  return {
    used: writeAmounts(account.committed),
    reserved: writeAmounts(account.reserved),
    free: writeAmounts(account.free),
    borrowed: writeAmounts(account.borrowed),
    overdrawn: writeAmounts(account.overdrawn),
    ...(spec.regions === undefined ? {} : { regions: writeParts(usedOf(spec.regions, byRegion)) }),
    ...(spec.classes === undefined ? {} : { classes: writeParts(usedOf(spec.classes, byClass)) }),
    ...(spec.counts === undefined
      ? {}
      : { counts: countsOf(meta.namespace, spec.counts, objects) }),
    ...(plan === undefined ? {} : { plan: writePlan(plan) }),
    ...accountsCondition(meta, objects),
  };
}

/** Open watches are the API's own: each plane has others. */
function countsOf(
  tenant: string,
  { objects: byPlural = {} }: TenantCounts,
  objects: ObjectIndex,
): Readonly<Record<string, number>> {
  const { workloads, replicas } = objects.tenantLoad.of(tenant);
  const others = ALL_DEFINITIONS.filter(({ plural }) => byPlural[plural] !== undefined).map(
    ({ kind, plural }) => [plural, objects.tenantObjects.of(kind, tenant)] as const,
  );
  return { replicas, workloads, ...Object.fromEntries(others) };
}

/** Only said when it is bad news: it is about all quotas at once, and almost never. */
function accountsCondition(
  { createdMs: sinceMs }: Quota["meta"],
  { quotaUsage }: ObjectIndex,
): Pick<Type.Static<typeof quotaStatusSchema>, "conditions"> {
  if (quotaUsage.wrong === undefined) return {};
  const message = `The plane grants no quota: ${quotaUsage.wrong}. Restart the plane, which rebuilds its quota accounts, and report it.`;
  const condition = {
    type: "AccountsConsistent",
    status: "False",
    reason: "DoNotAddUp",
    message,
  } as const;
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
      ? `${who} ${isOne ? "is being stopped" : "are being stopped, in this order"}`
      : `nothing new is reserved until ${who} ${isOne ? "has" : "have"} ended; to stop them, set spec.shrink to drain`;
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
