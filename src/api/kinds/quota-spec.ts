/** A quota as an operator writes it, and the way between that and the core's integers. */
import { Type } from "typebox";
import type { Amounts } from "../../core/model/amounts.ts";
import { LOAD_LIMITS } from "../../core/model/limits/load-limits.ts";
import type { QuotaSpec } from "../../core/model/objects.ts";
import { choice, fields, mapOf, name, quantity, wholeNumber } from "../schema/shapes.ts";
import { type AmountsText, writeAmounts } from "./text/amounts-text.ts";
import type { SpecReader } from "./spec-reader.ts";

/** Beyond this, the other tenants have no share worth the name. */
const HIGHEST_WEIGHT = 1_000_000;

const amountsOf = (description: string) =>
  fields(description, {
    cpu: quantity("CPUs, such as 200 or 500m."),
    memory: quantity("Memory, such as 64Gi."),
    devices: Type.Optional(
      quantity("Devices of all classes together, such as 8 or 500m. Left out: none."),
    ),
  });

const partsOf = (description: string, each: string) => mapOf(description, amountsOf(each));

export const quotaSpecSchema = fields("The quota as an operator sets it.", {
  limit: amountsOf("The most that the tenant's replicas may hold together, whatever others do."),
  group: Type.Optional(
    name(
      "Tenants whose quotas name the same group lend each other what they do not use. What is lent is taken back when its owner wants it.",
    ),
  ),
  borrow: Type.Optional(
    amountsOf("The most beyond its own limit. Left out: whatever the group has. Needs a group."),
  ),
  regions: Type.Optional(
    partsOf(
      "By the name of a region: the most that the tenant's replicas may hold there. A region that is not named has no bound of its own.",
      "The most in this region.",
    ),
  ),
  classes: Type.Optional(
    partsOf(
      "By the name of a priority class: the most that its replicas may reserve and hold. A class that is not named has no bound of its own.",
      "The most for this class.",
    ),
  ),
  weight: Type.Optional(
    wholeNumber("Its weight among tenants who compete.", {
      from: 1,
      to: HIGHEST_WEIGHT,
      byDefault: 1,
    }),
  ),
  shrink: Type.Optional(
    choice(
      "What becomes of replicas that a smaller limit no longer covers. wait: they go as they end. drain: they are asked to stop, the lowest priority first and within it the newest.",
      ["wait", "drain"],
      "wait",
    ),
  ),
  counts: Type.Optional(
    fields("How much there may be of the tenant's work, whatever its size.", {
      replicas: Type.Optional(
        wholeNumber("The most replicas that its workloads may ask for together.", {
          from: 0,
          to: LOAD_LIMITS.countsMost.value,
          byDefault: LOAD_LIMITS.tenantReplicas.value,
        }),
      ),
      workloads: Type.Optional(
        wholeNumber("The most workloads.", {
          from: 0,
          to: LOAD_LIMITS.countsMost.value,
          byDefault: LOAD_LIMITS.tenantWorkloads.value,
        }),
      ),
    }),
  ),
});

type Written = Type.Static<typeof quotaSpecSchema>;
type WrittenAmounts = Written["limit"];

export function readQuotaSpec(written: Written, reader: SpecReader): QuotaSpec {
  const { group, borrow, regions, classes, weight, shrink, counts } = written;
  if (borrow !== undefined && group === undefined) {
    reader.mistake("spec.borrow", "found without spec.group; name the group to borrow from.");
  }
  return {
    limit: amounts("spec.limit", written.limit, reader),
    ...(group === undefined ? {} : { group }),
    ...(borrow === undefined ? {} : { borrow: amounts("spec.borrow", borrow, reader) }),
    ...(regions === undefined ? {} : { regions: parts("spec.regions", regions, reader) }),
    ...(classes === undefined ? {} : { classes: parts("spec.classes", classes, reader) }),
    ...(weight === undefined ? {} : { weight }),
    ...(shrink === undefined ? {} : { shrink }),
    ...(counts === undefined ? {} : { counts }),
  };
}

function amounts(field: string, of: WrittenAmounts, reader: SpecReader): Amounts {
  return reader.amounts(field, of, reader.deviceMillis(`${field}.devices`, of.devices ?? 0));
}

const parts = (
  field: string,
  of: Readonly<Record<string, WrittenAmounts>>,
  reader: SpecReader,
): Readonly<Record<string, Amounts>> =>
  Object.fromEntries(
    Object.entries(of).map(([part, each]) => [part, amounts(`${field}.${part}`, each, reader)]),
  );

export function writeQuotaSpec(spec: QuotaSpec): Readonly<Record<string, unknown>> {
  const { limit, group, borrow, regions, classes, weight, shrink, counts } = spec;
  return {
    limit: writeAmounts(limit),
    ...(group === undefined ? {} : { group }),
    ...(borrow === undefined ? {} : { borrow: writeAmounts(borrow) }),
    ...(regions === undefined ? {} : { regions: writeParts(regions) }),
    ...(classes === undefined ? {} : { classes: writeParts(classes) }),
    ...(weight === undefined ? {} : { weight }),
    ...(shrink === undefined ? {} : { shrink }),
    ...(counts === undefined ? {} : { counts }),
  };
}

export const writeParts = (
  of: Readonly<Record<string, Amounts>>,
): Readonly<Record<string, AmountsText>> =>
  Object.fromEntries(Object.entries(of).map(([part, each]) => [part, writeAmounts(each)]));
