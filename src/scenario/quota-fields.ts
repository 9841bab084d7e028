/**
 * A tenant's quota as it stands in a file: `{ cpu: 8, memory: 16Gi, group: retail, borrow: { cpu: 2, memory: 4Gi } }`.
 * The limit stands there by itself, because most quotas are nothing else.
 */
import type { Amounts } from "../core/model/amounts.ts";
import type { TenantCounts } from "../core/model/limits/tenant-counts.ts";
import type { QuotaSharing } from "../sim/world/world.ts";
import { plainQuota, type PlainFields, QUOTA_FIELDS, readQuota } from "./amounts-fields.ts";
import type { Cursor, Fields } from "./cursor.ts";
import { readName, type References } from "./references.ts";

export const SHARING_FIELDS = [
  "group",
  "borrow",
  "regions",
  "classes",
  "weight",
  "shrink",
  "counts",
] as const;

/** Undefined when the file says nothing beyond the limit. */
export function readSharing(fields: Fields, references: References): QuotaSharing | undefined {
  if (!SHARING_FIELDS.some((name) => fields.has(name))) return undefined;
  const has = <T>(name: string, read: (value: Cursor) => T): Record<string, T> =>
    fields.has(name) ? { [name]: read(fields.need(name)) } : {};
  return {
    ...has("group", readName),
    ...has("borrow", readAmounts),
    ...has("regions", (value) =>
      readParts(value, (name, at) => references.refer("region", name, at)),
    ),
    ...has("classes", (value) => readParts(value, () => undefined)),
    ...has("weight", (value) => value.integer(1)),
    ...has("shrink", (value) => value.choice(["wait", "drain"])),
    ...has("counts", readCounts),
  };
}

function readCounts(value: Cursor): TenantCounts {
  const fields = value.fields(["replicas", "workloads"]);
  const has = (name: string): Record<string, number> =>
    fields.has(name) ? { [name]: fields.need(name).integer(0) } : {};
  return { ...has("replicas"), ...has("workloads") };
}

const readAmounts = (value: Cursor): Amounts => readQuota(value.fields(QUOTA_FIELDS));

function readParts(
  value: Cursor,
  named: (name: string, at: Cursor) => void,
): Readonly<Record<string, Amounts>> {
  const parts = [...value.entries()].map(([name, { key, value: amounts }]) => {
    named(name, key);
    return [name, readAmounts(amounts)] as const;
  });
  return Object.fromEntries(parts);
}

export function plainSharing(sharing: QuotaSharing | undefined): PlainFields {
  const plain: PlainFields = {};
  if (sharing === undefined) return plain;
  const { group, borrow, regions, classes, weight, shrink, counts } = sharing;
  if (group !== undefined) plain["group"] = group;
  if (borrow !== undefined) plain["borrow"] = plainQuota(borrow);
  if (regions !== undefined) plain["regions"] = plainParts(regions);
  if (classes !== undefined) plain["classes"] = plainParts(classes);
  if (weight !== undefined) plain["weight"] = weight;
  if (shrink !== undefined) plain["shrink"] = shrink;
  if (counts !== undefined) plain["counts"] = { ...counts };
  return plain;
}

const plainParts = (parts: Readonly<Record<string, Amounts>>): PlainFields =>
  Object.fromEntries(Object.entries(parts).map(([name, amounts]) => [name, plainQuota(amounts)]));
