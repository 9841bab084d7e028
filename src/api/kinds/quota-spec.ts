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
      quantity("Devices of all classes together, such as 8 or 500m. Default: none."),
    ),
  });

const partsOf = (description: string, each: string) => mapOf(description, amountsOf(each));

export const quotaSpecSchema = fields("The quota as an operator sets it.", {
  limit: amountsOf(
    "The maximum that the tenant's replicas may use together. It is guaranteed: other tenants cannot take it.",
  ),
  group: Type.Optional(
    name(
      "Tenants in the same group lend each other unused quota. The plane reclaims lent quota when its owner needs it.",
    ),
  ),
  borrow: Type.Optional(
    amountsOf(
      "The maximum to borrow beyond its own limit. Default: as much as the group has. Needs a group.",
    ),
  ),
  regions: Type.Optional(
    partsOf(
      "Limits by region: the maximum that the tenant's replicas may use there. Other regions have no limit of their own.",
      "The limit in this region.",
    ),
  ),
  classes: Type.Optional(
    partsOf(
      "Limits by priority class: the maximum that its replicas may reserve and use. Other classes have no limit of their own.",
      "The limit for this class.",
    ),
  ),
  weight: Type.Optional(
    wholeNumber("Its weight among competing tenants.", {
      from: 1,
      to: HIGHEST_WEIGHT,
      byDefault: 1,
    }),
  ),
  shrink: Type.Optional(
    choice(
      "What happens to replicas that a reduced limit no longer covers. wait: they run until they end. drain: they are stopped, the lowest priority first and the newest first within it.",
      ["wait", "drain"],
      "wait",
    ),
  ),
  counts: Type.Optional(
    fields("Limits on the number of the tenant's workloads and replicas.", {
      replicas: Type.Optional(
        wholeNumber("The maximum number of replicas of all its workloads.", {
          from: 0,
          to: LOAD_LIMITS.countsMost.value,
          byDefault: LOAD_LIMITS.tenantReplicas.value,
        }),
      ),
      workloads: Type.Optional(
        wholeNumber("The maximum number of workloads.", {
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
