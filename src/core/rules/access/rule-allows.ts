/** Whether one rule of a role allows one request, by Kubernetes' meaning of the fields. */
import type {
  AccessRequest,
  AccessRule,
  PathRequest,
  ResourceRequest,
} from "../../model/access.ts";

export function ruleAllows(rule: AccessRule, request: AccessRequest): boolean {
  if (!holds(rule.verbs, request.verb)) return false;
  return "path" in request ? allowsPath(rule, request) : allowsResource(rule, request);
}

function allowsPath({ nonResourceURLs = [] }: AccessRule, { path }: PathRequest): boolean {
  return nonResourceURLs.some(
    (pattern) =>
      pattern === path || (pattern.endsWith("*") && path.startsWith(pattern.slice(0, -1))),
  );
}

function allowsResource(rule: AccessRule, request: ResourceRequest): boolean {
  const { apiGroups = [], resources = [], resourceNames = [] } = rule;
  return (
    holds(apiGroups, request.group) &&
    namesResource(resources, request) &&
    // A request that names no object would reach those of other names, too.
    (resourceNames.length === 0 ||
      (request.name !== undefined && resourceNames.includes(request.name)))
  );
}

/**
 * `workloads` does not include `workloads/scale`; `*` includes both, and a star before the slash
 * means any resource.
 */
function namesResource(resources: readonly string[], request: ResourceRequest): boolean {
  const { resource, subresource } = request;
  if (subresource === undefined) return holds(resources, resource);
  return (
    resources.includes("*") ||
    resources.includes(`${resource}/${subresource}`) ||
    resources.includes(`*/${subresource}`)
  );
}

const holds = (list: readonly string[], word: string): boolean =>
  list.includes("*") || list.includes(word);
