/**
 * What the server has, in the two forms clients ask for it: one document per group and version, and
 * one aggregated document that saves the others. All of it follows from the list of what is served.
 */
import { ASKED_GROUPS, ASKED_RESOURCES, type AskedResource } from "./access/asked-resources.ts";
import type { ApiKind } from "./api-kind.ts";
import { GROUP, VERSION } from "./group-version.ts";
import {
  groupVersionKind,
  NAMED_GROUPS,
  SCALE_KIND,
  type ServedResource,
} from "./served-resource.ts";

/** A client takes an answer for aggregated only when its Content-Type says so. */
export const AGGREGATED_TYPE =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

const READ_VERBS = ["get", "list", "watch"] as const;
const WRITE_VERBS = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
] as const;

/** What goes with its owner can be deleted by itself, and nothing else can be done to it. */
function verbsOf(kind: ApiKind): readonly string[] {
  if (kind.isWritable) return WRITE_VERBS;
  return kind.owner === undefined ? READ_VERBS : ["delete", ...READ_VERBS];
}

/** What only the control plane writes, it writes the status of, too. */
const subresourceVerbs = ({ isWritable }: ApiKind): readonly string[] =>
  isWritable ? ["get", "patch", "update"] : ["get"];

/** What `kubectl get all` shows. */
const IN_ALL: ReadonlySet<string> = new Set(["workloads", "replicas"]);

function categoriesOf({ group, api }: ServedResource): readonly string[] {
  if (group !== GROUP) return [];
  return IN_ALL.has(api.plural) ? ["all", "berth"] : ["berth"];
}

/** `/api` */
export const apiVersions = (serverAddress: string) => ({
  kind: "APIVersions",
  versions: [VERSION],
  serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
});

function groupOf(name: string) {
  const groupVersion = { groupVersion: `${name}/${VERSION}`, version: VERSION };
  return { name, versions: [groupVersion], preferredVersion: groupVersion };
}

/** `/apis` */
export const apiGroupList = () => ({
  kind: "APIGroupList",
  apiVersion: "v1",
  groups: [...NAMED_GROUPS, ...ASKED_GROUPS].map(groupOf),
});

/** `/apis/berth.dev` */
export const apiGroup = (name: string) => ({
  kind: "APIGroup",
  apiVersion: "v1",
  ...groupOf(name),
});

/** `/apis/berth.dev/v1`, or `/api/v1` for the empty group. */
export const apiResourceList = (group: string, served: readonly ServedResource[]) => ({
  kind: "APIResourceList",
  apiVersion: "v1",
  groupVersion: group === "" ? VERSION : `${group}/${VERSION}`,
  resources: [
    ...served.filter((resource) => resource.group === group).flatMap(listed),
    ...ASKED_RESOURCES.filter((asked) => asked.group === group).map(listedAsked),
  ],
});

/**
 * Some clients take the first entry of a kind for its main resource: subresources come after it.
 */
function listed(resource: ServedResource) {
  const { name, api } = resource;
  return [
    {
      name: api.plural,
      singularName: api.singular,
      namespaced: api.isNamespaced,
      kind: name,
      verbs: verbsOf(api),
      shortNames: api.shortNames,
      categories: categoriesOf(resource),
    },
    ...api.subresources.map((subresource) => ({
      name: `${api.plural}/${subresource}`,
      singularName: "",
      namespaced: api.isNamespaced,
      ...(subresource === "scale" ? SCALE_KIND : { kind: name }),
      verbs: subresourceVerbs(api),
    })),
  ];
}

/** `/apis`, or `/api` with the empty group, for clients that accept `AGGREGATED_TYPE`. */
export const aggregatedDiscovery = (
  groups: readonly string[],
  served: readonly ServedResource[],
) => ({
  kind: "APIGroupDiscoveryList",
  apiVersion: "apidiscovery.k8s.io/v2",
  metadata: {},
  items: groups.map((group) => ({
    metadata: { name: group, creationTimestamp: null },
    versions: [
      {
        version: VERSION,
        resources: [
          ...served.filter((resource) => resource.group === group).map(discovered),
          ...ASKED_RESOURCES.filter((asked) => asked.group === group).map(discoveredAsked),
        ],
        freshness: "Current",
      },
    ],
  })),
});

const ASKED_VERBS = ["create"] as const;

const listedAsked = ({ kind, plural, isNamespaced }: AskedResource) => ({
  name: plural,
  singularName: kind.toLowerCase(),
  namespaced: isNamespaced,
  kind,
  verbs: ASKED_VERBS,
  shortNames: [],
  categories: [],
});

const discoveredAsked = ({ group, kind, plural, isNamespaced }: AskedResource) => ({
  resource: plural,
  responseKind: groupVersionKind({ group, name: kind }),
  scope: isNamespaced ? "Namespaced" : "Cluster",
  singularResource: kind.toLowerCase(),
  verbs: ASKED_VERBS,
  shortNames: [],
  categories: [],
  subresources: [],
});

function discovered(resource: ServedResource) {
  const { api } = resource;
  const responseKind = groupVersionKind(resource);
  return {
    resource: api.plural,
    responseKind,
    scope: api.isNamespaced ? "Namespaced" : "Cluster",
    singularResource: api.singular,
    verbs: verbsOf(api),
    shortNames: api.shortNames,
    categories: categoriesOf(resource),
    subresources: api.subresources.map((subresource) => ({
      subresource,
      responseKind: subresource === "scale" ? SCALE_KIND : responseKind,
      verbs: subresourceVerbs(api),
    })),
  };
}
