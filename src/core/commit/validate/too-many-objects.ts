/**
 * How many objects of each kind a tenant may have (LB9): each costs the plane memory, and every
 * list and watch of its tenant time. An object that is there may always be changed.
 */
import { ALL_DEFINITIONS, definitionOf } from "../../kinds/kind-definitions.ts";
import { LOAD_LIMITS } from "../../model/limits/load-limits.ts";
import { type Kind, type ObjectKey, parseKey, tenantKey } from "../../model/ids.ts";
import type { AnyObject, QuotaSpec } from "../../model/objects.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import type { CommitContext } from "../verdict.ts";

/** All of them go in one commit with their tenant, so no quota allows more. */
const MOST: Readonly<Partial<Record<Kind, number>>> = {
  LeaderLease: LOAD_LIMITS.tenantLeaderLeases.value,
  Commitment: LOAD_LIMITS.tenantCommitments.value,
};

/** Workloads have a count of their own (LB3), and a tenant has one quota. */
const APART: ReadonlySet<Kind> = new Set(["Workload", "Quota"]);

const isCounted = ({ kind, scope, writer }: (typeof ALL_DEFINITIONS)[number]): boolean =>
  scope === "tenant" && writer === "people" && !APART.has(kind);

/** As they are written in a quota. */
const COUNTED: ReadonlySet<string> = new Set(
  ALL_DEFINITIONS.filter(isCounted).map(({ plural }) => plural),
);

export function tooManyObjects(
  { ledger: { objects } }: CommitContext,
  held: AnyObject | undefined,
  key: ObjectKey,
): Rejection | undefined {
  const { kind, namespace: tenant } = parseKey(key);
  const definition = definitionOf(kind);
  if (held !== undefined || !isCounted(definition)) return undefined;
  const { plural } = definition;
  const stated = objects.quotaUsage.of(tenant).spec?.counts?.objects?.[plural];
  const hard = MOST[kind] ?? Number.POSITIVE_INFINITY;
  const most = Math.min(stated ?? LOAD_LIMITS.tenantObjects.value, hard);
  const after = objects.tenantObjects.of(kind, tenant) + 1;
  if (after <= most) return undefined;
  return reject("tenant-full", `${tenantKey(tenant)} ${plural}`, `at most ${most}`, after);
}

/** A count of objects that are not counted would be a bound that holds nothing. */
export function countsUnknown(key: ObjectKey, { counts }: QuotaSpec): Rejection | undefined {
  const unknown = Object.keys(counts?.objects ?? {}).find((plural) => !COUNTED.has(plural));
  if (unknown === undefined) return undefined;
  const expected = `one of ${[...COUNTED].toSorted().join(", ")}`;
  return reject("bad-object", `${key} spec.counts.objects`, expected, unknown);
}
