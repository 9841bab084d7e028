/**
 * The paths of an OpenAPI document: for each resource, its collection, its objects and its
 * subresources.
 */
import { DELETE_OPTIONS, PATCH, SCALE, STATUS } from "./schema/meta-components.ts";
import { fieldOf } from "./http/json-value.ts";
import { reference } from "./schema/to-openapi.ts";
import {
  GROUP_PATHS,
  groupVersionKind,
  isKubernetesGroup,
  SCALE_KIND,
  type ServedResource,
} from "./served-resource.ts";

export type PathItems = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const componentName = ({ group, name }: Pick<ServedResource, "group" | "name">): string =>
  isKubernetesGroup(group)
    ? `io.k8s.api.${group.split(".")[0] || "core"}.v1.${name}`
    : `dev.berth.v1.${name}`;

interface Operation {
  readonly action: string;
  readonly description: string;
  /** The component that is answered. */
  readonly answer: string;
  readonly body?: string;
  readonly parameters?: readonly string[];
}

/** What Kubernetes clients look for before they use a query parameter. */
const PARAMETERS: Readonly<Record<string, readonly [type: string, description: string]>> = {
  dryRun: ["string", "All: validate without changing anything."],
  fieldManager: ["string", "The field manager: the owner of the changed fields."],
  fieldValidation: ["string", "How to treat unknown and duplicate fields: Ignore, Warn or Strict."],
  force: ["boolean", "Takes over fields of other managers. Only for apply."],
  labelSelector: ["string", "Only objects with these labels."],
  fieldSelector: ["string", "Only objects with these fields."],
  limit: ["integer", "The maximum number of objects; continue returns the rest."],
  continue: ["string", "The token of the previous page."],
  watch: ["boolean", "Stream changes instead of a list."],
  resourceVersion: ["string", "The revision to read at, or to watch from."],
  resourceVersionMatch: ["string", "How to match resourceVersion: Exact or NotOlderThan."],
  allowWatchBookmarks: ["boolean", "Send the current revision from time to time."],
  timeoutSeconds: ["integer", "The duration of the watch in seconds."],
  gracePeriodSeconds: ["integer", "Kept for Kubernetes clients; Berth does not use it."],
  propagationPolicy: ["string", "What happens to the dependents of the object."],
};
const WRITING = ["dryRun", "fieldManager", "fieldValidation"];
const SELECTING = ["labelSelector", "fieldSelector"];
const LISTING = [
  ...SELECTING,
  "limit",
  "continue",
  "watch",
  "resourceVersion",
  "resourceVersionMatch",
  "allowWatchBookmarks",
  "timeoutSeconds",
];
const DELETING = ["dryRun", "gracePeriodSeconds", "propagationPolicy"];

const PATCH_TYPES = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/apply-patch+yaml",
];

const STRATEGIC = "application/strategic-merge-patch+json";

export function pathsOf(resource: ServedResource): PathItems {
  const { group, name, api } = resource;
  const root = `/${GROUP_PATHS.get(group) ?? ""}`;
  const scope = api.isNamespaced ? `${root}/namespaces/{namespace}` : root;
  const collection = `${scope}/${api.plural}`;
  const object = `${collection}/{name}`;
  const component = componentName(resource);
  const list = `${component}List`;
  const listing = {
    get: operation(resource, {
      action: "list",
      description: `List or watch objects of kind ${name}.`,
      answer: list,
      parameters: LISTING,
    }),
  };
  const everywhere = api.isNamespaced ? { [`${root}/${api.plural}`]: listing } : {};
  const subresources = api.subresources.map((subresource): [string, PathItems[string]] => [
    `${object}/${subresource}`,
    {
      parameters: pathParameters(api.isNamespaced, true),
      ...(subresource === "scale" ? scaling(resource) : readingStatus(resource)),
    },
  ]);
  return withOperationIds(resource, {
    ...everywhere,
    [collection]: {
      parameters: pathParameters(api.isNamespaced, false),
      ...listing,
      ...(api.isWritable ? collectionWrites(resource) : {}),
    },
    [object]: {
      parameters: pathParameters(api.isNamespaced, true),
      ...reading(resource),
      ...(api.isWritable ? changes(resource, componentName(resource)) : {}),
      ...(api.isWritable || api.owner !== undefined ? deleting(resource) : {}),
    },
    ...Object.fromEntries(subresources),
  });
}

/** The words that Kubernetes begins an operation's name with, by its `x-kubernetes-action`. */
const VERBS: Readonly<Record<string, string>> = {
  get: "read",
  post: "create",
  put: "replace",
  deletecollection: "delete",
};

/** Generators of clients name their functions after these: `readBerthDevV1NamespacedWorkload`. */
function withOperationIds({ group, name, api }: ServedResource, items: PathItems): PathItems {
  const prefix = `${camel(group === "" ? "core" : group)}V1`;
  const root = `/${GROUP_PATHS.get(group) ?? ""}/${api.plural}`;
  const idOf = (path: string, action: string): string => {
    const verb = VERBS[action] ?? action;
    const isEverywhere = api.isNamespaced && path === root;
    const scope = api.isNamespaced && !isEverywhere ? "Namespaced" : "";
    const collection = action === "deletecollection" ? "Collection" : "";
    const [, subresource = ""] = path.split("/{name}/");
    const end = isEverywhere ? "ForAllNamespaces" : camel(subresource);
    return `${verb}${prefix}${collection}${scope}${name}${end}`;
  };
  return Object.fromEntries(
    Object.entries(items).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, each]) => {
          const action = fieldOf(each, "x-kubernetes-action");
          if (typeof action !== "string") return [method, each];
          return [method, { operationId: idOf(path, action), ...(each as object) }];
        }),
      ),
    ]),
  );
}

const camel = (text: string): string =>
  text
    .split(".")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");

const reading = (resource: ServedResource) => ({
  get: operation(resource, {
    action: "get",
    description: `Read one ${resource.name}.`,
    answer: componentName(resource),
  }),
});

const readingStatus = (resource: ServedResource) => ({
  ...reading(resource),
  ...(resource.api.isWritable ? changes(resource, componentName(resource)) : {}),
});

function collectionWrites(resource: ServedResource) {
  const component = componentName(resource);
  return {
    post: operation(resource, {
      action: "post",
      description: `Create a ${resource.name}.`,
      answer: component,
      body: component,
      parameters: WRITING,
    }),
    delete: operation(resource, {
      action: "deletecollection",
      description: `Delete every selected ${resource.name}.`,
      answer: STATUS,
      body: DELETE_OPTIONS,
      parameters: [...SELECTING, ...DELETING],
    }),
  };
}

const deleting = (resource: ServedResource) => ({
  delete: operation(resource, {
    action: "delete",
    description: `Delete a ${resource.name}.`,
    answer: STATUS,
    body: DELETE_OPTIONS,
    parameters: DELETING,
  }),
});

/** kubectl decides by the PATCH operation which query parameters the server understands. */
function changes(resource: ServedResource, component: string) {
  return {
    put: operation(resource, {
      action: "put",
      description: `Replace a ${resource.name}.`,
      answer: component,
      body: component,
      parameters: WRITING,
    }),
    patch: operation(resource, {
      action: "patch",
      description: `Change some fields of a ${resource.name}.`,
      answer: component,
      body: PATCH,
      parameters: [...WRITING, "force"],
    }),
  };
}

function scaling(resource: ServedResource) {
  const get = {
    action: "get",
    description: `Read the scale of a ${resource.name}.`,
    answer: SCALE,
  };
  const operations = { get: operation(resource, get), ...changes(resource, SCALE) };
  return Object.fromEntries(
    Object.entries(operations).map(([method, each]) => [
      method,
      { ...each, "x-kubernetes-group-version-kind": SCALE_KIND },
    ]),
  );
}

const json = (component: string) => ({ schema: { $ref: reference(component) } });

function operation(resource: ServedResource, of: Operation): Readonly<Record<string, unknown>> {
  const patchTypes = isKubernetesGroup(resource.group) ? [...PATCH_TYPES, STRATEGIC] : PATCH_TYPES;
  const bodyTypes = of.body === PATCH ? patchTypes : ["application/json", "application/yaml"];
  const { body } = of;
  return {
    description: of.description,
    parameters: (of.parameters ?? []).map(queryParameter),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            content: Object.fromEntries(bodyTypes.map((type) => [type, json(body)])),
          },
        }),
    responses: { "200": { description: "OK", content: { "application/json": json(of.answer) } } },
    "x-kubernetes-action": of.action,
    "x-kubernetes-group-version-kind": groupVersionKind(resource),
  };
}

function queryParameter(name: string) {
  const [type, description] = PARAMETERS[name] ?? ["string", ""];
  return { name, in: "query", description, schema: { type, uniqueItems: true } };
}

function pathParameters(isNamespaced: boolean, isNamed: boolean) {
  const names = [...(isNamespaced ? ["namespace"] : []), ...(isNamed ? ["name"] : [])];
  return names.map((name) => ({
    name,
    in: "path",
    required: true,
    description: name === "name" ? "The name of the object." : "The tenant that owns it.",
    schema: { type: "string", uniqueItems: true },
  }));
}
