/**
 * How many objects of each kind a tenant may have (LB9): each costs the plane memory, and every
 * list and watch of its tenant time. An object that is there may always be changed.
 */
import { ALL_DEFINITIONS, definitionOf } from "../../kinds/kind-definitions.ts";
import { ACCESS_LIMITS } from "../../model/limits/access-limits.ts";
import { LOAD_LIMITS } from "../../model/limits/load-limits.ts";
import { SECRET_MOST } from "../../model/limits/secret-limits.ts";
import { type Kind, type ObjectKey, parseKey, tenantKey } from "../../model/ids.ts";
import type { AnyObject, QuotaSpec } from "../../model/objects.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import type { CommitContext } from "../verdict.ts";

/** All of them go in one commit with their tenant, so no quota allows more. */
const MOST: Readonly<Partial<Record<Kind, number>>> = {
  Role: ACCESS_LIMITS.tenantRoles.value,
  RoleBinding: ACCESS_LIMITS.tenantBindings.value,
  Secret: SECRET_MOST.tenantSecrets,
  LeaderLease: LOAD_LIMITS.tenantLeaderLeases.value,
  Commitment: LOAD_LIMITS.tenantCommitments.value,
};

/** Those of all tenants are in the memory of every plane, so they are bounded together, too. */
const TOGETHER: readonly {
  readonly kinds: readonly Kind[];
  readonly noun: string;
  readonly most: number;
}[] = [
  { kinds: ["Role", "ClusterRole"], noun: "roles", most: ACCESS_LIMITS.roles.value },
  {
    kinds: ["RoleBinding", "ClusterRoleBinding"],
    noun: "role bindings",
    most: ACCESS_LIMITS.bindings.value,
  },
];

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
  if (held !== undefined) return undefined;
  return tooManyOfTenant(objects, key) ?? tooManyTogether(objects, parseKey(key).kind);
}

function tooManyOfTenant(objects: ObjectIndex, key: ObjectKey): Rejection | undefined {
  const { kind, namespace: tenant } = parseKey(key);
  const definition = definitionOf(kind);
  if (!isCounted(definition)) return undefined;
  const { plural } = definition;
  const stated = objects.quotaUsage.of(tenant).spec?.counts?.objects?.[plural];
  const hard = MOST[kind] ?? Number.POSITIVE_INFINITY;
  const most = Math.min(stated ?? LOAD_LIMITS.tenantObjects.value, hard);
  const after = objects.tenantObjects.of(kind, tenant) + 1;
  if (after <= most) return undefined;
  return reject("tenant-full", `${tenantKey(tenant)} ${plural}`, `at most ${most}`, after);
}

function tooManyTogether(objects: ObjectIndex, kind: Kind): Rejection | undefined {
  for (const { kinds, noun, most } of TOGETHER) {
    if (!kinds.includes(kind)) continue;
    const after = kinds.reduce((sum, each) => sum + objects.all(each).size, 1);
    if (after > most) return reject("tenant-full", `plane ${noun}`, `at most ${most}`, after);
  }
  return undefined;
}

/** A count of objects that are not counted would be a bound that holds nothing. */
export function countsUnknown(key: ObjectKey, { counts }: QuotaSpec): Rejection | undefined {
  const unknown = Object.keys(counts?.objects ?? {}).find((plural) => !COUNTED.has(plural));
  if (unknown === undefined) return undefined;
  const expected = `one of ${[...COUNTED].toSorted().join(", ")}`;
  return reject("bad-object", `${key} spec.counts.objects`, expected, unknown);
}
