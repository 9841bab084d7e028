/**
 * Kubernetes' names for what Berth has under its own. Both are the same resource to roles, so that
 * a role for pods allows replicas and no path is a way around a role for the other name. Requests
 * and rules are turned into Berth's names here and nowhere else.
 */
import type { AccessRequest, AccessRule, ResourceRequest, Verb } from "../../model/access.ts";

const OWN = "berth.dev";

interface Alias {
  readonly group: string;
  readonly resource: string;
  readonly as: string;
}

/** Of Kubernetes, with the plural that Berth has for it. */
const ALIASES: readonly Alias[] = [
  { group: "", resource: "pods", as: "replicas" },
  { group: "", resource: "namespaces", as: "tenants" },
  { group: "", resource: "secrets", as: "secrets" },
  { group: "coordination.k8s.io", resource: "leases", as: "leaderleases" },
  { group: "events.k8s.io", resource: "events", as: "events" },
  { group: "", resource: "events", as: "events" },
];

/** Subresources that are a power over the resource, with the verbs by which they are asked for. */
const POWERS: Readonly<Record<string, { readonly verb: Verb; readonly asked: readonly string[] }>> =
  {
    log: { verb: "log", asked: ["get"] },
    exec: { verb: "exec", asked: ["create", "get"] },
    attach: { verb: "exec", asked: ["create", "get"] },
    portforward: { verb: "exec", asked: ["create", "get"] },
  };

const POWERED = "replicas";

/** The request in Berth's own names. */
export function inOwnNames(request: AccessRequest): AccessRequest {
  if ("path" in request || isOwn(request)) return request;
  const { group, resource, subresource, ...rest } = request;
  const as = ALIASES.find((each) => each.group === group && each.resource === resource)?.as;
  const named = { ...rest, group: as === undefined ? group : OWN, resource: as ?? resource };
  const own = isOneTenant(named) ? { ...named, namespace: named.name } : named;
  if (subresource === undefined) return own;
  const power = own.group === OWN && own.resource === POWERED ? POWERS[subresource] : undefined;
  if (power === undefined || !power.asked.includes(rest.verb)) return { ...own, subresource };
  return { ...own, verb: power.verb };
}

/** Most requests: they have one name only. */
const isOwn = ({ group, resource, subresource }: ResourceRequest): boolean =>
  group === OWN && subresource === undefined && resource !== "tenants";

/** As in Kubernetes, a namespace is in itself: a binding there may let its members read it. */
const isOneTenant = (
  request: ResourceRequest,
): request is ResourceRequest & { readonly name: string } =>
  request.group === OWN && request.resource === "tenants" && request.name !== undefined;

/** The rule, and what it allows under Berth's own names besides. */
export function withOwnNames(rule: AccessRule): readonly AccessRule[] {
  const { apiGroups = [], resources = [], verbs } = rule;
  const inGroup = (group: string): boolean => apiGroups.includes("*") || apiGroups.includes(group);
  const own = { ...rule, apiGroups: [OWN] };
  const renamed = resources.flatMap((written) => {
    const [resource = "", ...sub] = written.split("/");
    return ALIASES.filter((alias) => inGroup(alias.group) && names(resource, alias)).map(({ as }) =>
      [as, ...sub].join("/"),
    );
  });
  const all = [...(inGroup(OWN) ? resources : []), ...renamed];
  const powers = Object.entries(POWERS).flatMap(([name, { verb, asked }]) =>
    all.includes(`${POWERED}/${name}`) && asked.some((each) => holds(verbs, each)) ? [verb] : [],
  );
  return [
    rule,
    ...(renamed.length === 0 ? [] : [{ ...own, resources: renamed }]),
    ...(powers.length === 0 ? [] : [{ ...own, resources: [POWERED], verbs: powers }]),
  ];
}

/**
 * Whether no request is ever decided as this one, because another rule of `withOwnNames` says the
 * same in Berth's own names.
 */
export function isSaidAgain(
  verb: string,
  { group, resource: written }: { readonly group: string; readonly resource: string },
): boolean {
  const [resource = "", subresource = ""] = written.split("/");
  if (group !== OWN) {
    return ALIASES.some((each) => each.group === group && each.resource === resource);
  }
  return resource === POWERED && POWERS[subresource]?.asked.some((each) => each === verb) === true;
}

const names = (resource: string, alias: Alias): boolean =>
  resource === "*" || resource === alias.resource;

const holds = (list: readonly string[], word: string): boolean =>
  list.includes("*") || list.includes(word);
