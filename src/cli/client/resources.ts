/**
 * The kinds a plane serves, by whatever a person calls them. Asked of the plane, so it is never out
 * of date.
 */
import { UserError } from "../../shell/errors.ts";
import { didYouMean } from "../../spelling/nearest.ts";
import type { ApiClient } from "./api-client.ts";

export interface Resource {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly isNamespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
  /** What its paths begin with. */
  readonly base: string;
}

interface ListedResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** Berth's own kinds first: where Kubernetes uses the same word, ours is meant. */
const GROUPS = [
  { base: "/apis/berth.dev/v1", apiVersion: "berth.dev/v1" },
  { base: "/apis/rbac.authorization.k8s.io/v1", apiVersion: "rbac.authorization.k8s.io/v1" },
  { base: "/api/v1", apiVersion: "v1" },
] as const;

export async function listResources(client: ApiClient): Promise<readonly Resource[]> {
  const lists = await Promise.all(
    GROUPS.map(async (group) => {
      const { resources } = await client.get<{ readonly resources: readonly ListedResource[] }>(
        group.base,
      );
      return resources
        .filter(({ name }) => !name.includes("/"))
        .map((listed): Resource => {
          const { name, singularName, namespaced, kind, verbs } = listed;
          const prefix = `${name}/`;
          return {
            ...group,
            plural: name,
            singular: singularName,
            kind,
            isNamespaced: namespaced,
            shortNames: listed.shortNames ?? [],
            categories: listed.categories ?? [],
            verbs,
            subresources: resources
              .filter((each) => each.name.startsWith(prefix))
              .map((each) => each.name.slice(prefix.length)),
          };
        });
    }),
  );
  return lists.flat();
}

/** By what a person types: `wl`, `workload`, `Workload` or `workloads`. */
export function findResource(resources: readonly Resource[], word: string): Resource {
  const wanted = word.toLowerCase();
  const found = resources.find((resource) => namesOf(resource).includes(wanted));
  if (found !== undefined) return found;
  const known = resources.map(({ plural }) => plural);
  const hint = didYouMean(wanted, resources.flatMap(namesOf));
  throw new UserError("unknown-kind", `Found "${word}".${hint} Known kinds: ${known.join(", ")}.`);
}

const namesOf = ({ plural, singular, kind, shortNames }: Resource): readonly string[] => [
  plural,
  singular,
  kind.toLowerCase(),
  ...shortNames,
];

/** The collection, in one namespace or in all. */
export function collectionPath(resource: Resource, namespace: string | undefined): string {
  const { base, plural, isNamespaced } = resource;
  if (!isNamespaced || namespace === undefined) return `${base}/${plural}`;
  return `${base}/namespaces/${encodeURIComponent(namespace)}/${plural}`;
}

export interface Located {
  readonly resource: Resource;
  /** Empty for kinds that belong to no tenant. */
  readonly namespace: string;
  readonly name: string;
}

export function objectPath({ resource, namespace, name }: Located): string {
  const scope = resource.isNamespaced ? namespace : undefined;
  return `${collectionPath(resource, scope)}/${encodeURIComponent(name)}`;
}

/** `workload/payments/risk-api`, as other commands read it back. */
export function shownName({ resource, namespace, name }: Located): string {
  return [resource.singular, ...(resource.isNamespaced ? [namespace] : []), name].join("/");
}
