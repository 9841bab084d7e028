/**
 * Quota: how much a tenant may use, in amounts of 0 or more and under names that can be keys (OB5).
 */
import { RESERVED_FINALIZER } from "../model/finalizers.ts";
import { LOAD_LIMITS } from "../model/limits/load-limits.ts";
import type { QuotaSpec } from "../model/objects.ts";
import type { TenantCounts } from "../model/limits/tenant-counts.ts";
import { reject } from "../protocol/rejection.ts";
import { equalAmounts, NOTHING } from "../model/amounts.ts";
import { amounts, choice, count, map, name, object, optional, usually } from "./fields/field.ts";
import type { BrokenRule, WrittenDefinition } from "./kind-definition.ts";

/**
 * More than any tenant would name one by one, and few enough that the quota stays a small object.
 */
const PARTS_MAX = 256;

/** A weight is a share of the whole: beyond this, the other tenants have none worth the name. */
const WEIGHT_MAX = 1_000_000;

const COUNTS = { least: 0, most: LOAD_LIMITS.countsMost.value } as const;

const amountsOf = (about: string) =>
  amounts(about, {
    cpu: "CPUs, such as 200 or 500m.",
    memory: "Memory, such as 64Gi.",
    devices: "Devices of all classes together, such as 8 or 500m. Default: none.",
    showsNoDevices: true,
  });

export const quotaDefinition: WrittenDefinition<"Quota"> = {
  kind: "Quota",
  plural: "quotas",
  shortNames: [],
  scope: "tenant",
  // Until quotas are split by region, `quotaKey` finds a tenant's only one.
  onlyName: "default",
  goesWithTenant: true,
  writer: "people",
  deletedBy: "user",
  guard: { finalizer: RESERVED_FINALIZER, lifter: "empty-tenant", from: "deletion" },
  applyStep: 60,
  about: 'How much a tenant may use at once. Each tenant has one, named "default".',
  spec: {
    about: "The quota as an operator sets it.",
    fields: {
      limit: amountsOf(
        "The maximum that the tenant's replicas may use together. It is guaranteed: other tenants cannot take it.",
      ),
      group: optional(
        name(
          "Tenants in the same group lend each other unused quota. The plane reclaims lent quota when its owner needs it.",
        ),
      ),
      borrow: optional(
        amountsOf(
          "The maximum to borrow beyond its own limit. Default: as much as the group has. Needs a group.",
        ),
      ),
      regions: optional(
        map(
          "Limits by region: the maximum that the tenant's replicas may use there. Other regions have no limit of their own.",
          amountsOf("The limit in this region."),
          { most: PARTS_MAX, of: "Region" },
        ),
      ),
      classes: optional(
        map(
          "Limits by priority class: the maximum that its replicas may reserve and use. Other classes have no limit of their own.",
          amountsOf("The limit for this class."),
          { most: PARTS_MAX },
        ),
      ),
      weight: usually(
        count("Its weight among competing tenants.", { least: 1, most: WEIGHT_MAX }),
        1,
      ),
      shrink: usually(
        choice(
          "What happens to replicas that a reduced limit no longer covers. wait: they run until they end. drain: they are stopped, the lowest priority first and the newest first within it.",
          ["wait", "drain"],
        ),
        "wait",
      ),
      counts: optional(
        object<TenantCounts>(
          "Limits on the number of the tenant's replicas, objects and watches.",
          {
            replicas: usually(
              count("The maximum number of replicas of all its workloads.", COUNTS),
              LOAD_LIMITS.tenantReplicas.value,
            ),
            workloads: usually(
              count("The maximum number of workloads.", COUNTS),
              LOAD_LIMITS.tenantWorkloads.value,
            ),
            objects: optional(
              map(
                'Limits by kind, named by its plural as in "autoscalers". Other kinds have at most 5,000.',
                count("The maximum number of objects of this kind.", COUNTS),
                { most: PARTS_MAX },
              ),
            ),
            watches: optional(
              count(
                "The maximum number of open watches in the tenant's namespace at one plane. Default: the limits of each caller only.",
                COUNTS,
              ),
            ),
          },
        ),
      ),
    },
    example: {
      name: "default",
      namespace: "payments",
      spec: {
        limit: { cpu: 100, memory: "200Gi" },
        group: "shops",
        borrow: { cpu: 20, memory: "40Gi" },
      },
    },
    rules: [borrowsFromNobody],
  },
  stillUsed: (objects, { key, meta }) => {
    const { reserved, committed } = objects.accountOf(meta.namespace);
    return equalAmounts(reserved, NOTHING) && equalAmounts(committed, NOTHING)
      ? undefined
      : reject("quota-below-use", key, "nothing reserved or committed", "in use");
  },
};

function borrowsFromNobody({ borrow, group }: QuotaSpec): BrokenRule | undefined {
  if (borrow === undefined || group !== undefined) return undefined;
  return {
    field: "borrow",
    found: "no group",
    expected: "a group to borrow from",
    message: "found without spec.group; name the group to borrow from.",
  };
}
