/**
 * What a workload needs that speaks of other tenants' replicas. To run beside them tells where they
 * are, so its writer must be allowed to list them. Anti-affinity that is required also holds the
 * other way round: it keeps their next replicas away from its own, so its writer must be allowed to
 * change their workloads.
 */
import { OWN_GROUP, type ResourceRequest } from "../../model/access.ts";
import type { Affinity, AffinityTerm } from "../../model/objects.ts";

export function powersOfAffinity(
  affinity: Affinity | undefined,
  before: Affinity | undefined,
  namespace: string,
): readonly ResourceRequest[] {
  return [
    ...named(looking(affinity), looking(before), namespace).map(
      (tenant) =>
        ({ verb: "list", group: OWN_GROUP, resource: "replicas", namespace: tenant }) as const,
    ),
    ...named(affinity?.antiRequired, before?.antiRequired, namespace).map(
      (tenant) =>
        ({ verb: "update", group: OWN_GROUP, resource: "workloads", namespace: tenant }) as const,
    ),
  ];
}

const looking = (affinity: Affinity | undefined): readonly AffinityTerm[] =>
  affinity === undefined
    ? []
    : [...affinity.required, ...affinity.preferred, ...affinity.antiPreferred];

/** Other tenants that these terms name, and that none of those before named. */
function named(
  terms: readonly AffinityTerm[] = [],
  before: readonly AffinityTerm[] = [],
  own: string,
): readonly string[] {
  const known = new Set([own, ...before.flatMap(({ tenants = [] }) => tenants)]);
  const found = new Set(terms.flatMap(({ tenants = [] }) => tenants));
  return [...found].filter((tenant) => !known.has(tenant));
}
