/**
 * Kubernetes' questions about access, between the form in which clients ask them and what roles
 * decide (AZ17).
 */
import {
  type AccessDecision,
  type AccessRequest,
  type AccessRule,
  type Subject,
  type Verb,
} from "../../core/model/access.ts";
import { ACCESS_LIMITS } from "../../core/model/limits/access-limits.ts";
import { ApiError } from "../errors.ts";
import { echoed } from "../http/echoed.ts";
import { fieldOf } from "../http/json-value.ts";

export const AUTHORIZATION_GROUP = "authorization.k8s.io";
export const AUTHENTICATION_GROUP = "authentication.k8s.io";

/** The question in `spec`. `within`: a review of one namespace asks about no other. */
export function askedIn(spec: unknown, within?: string): AccessRequest {
  const resource = fieldOf(spec, "resourceAttributes") ?? undefined;
  const path = fieldOf(spec, "nonResourceAttributes") ?? undefined;
  if ((resource === undefined) === (path === undefined)) {
    throw new ApiError(
      "bad-request",
      "Found no question: expected exactly one of spec.resourceAttributes and spec.nonResourceAttributes.",
    );
  }
  if (resource === undefined) {
    if (within !== undefined) {
      throw new ApiError("bad-request", "Paths belong to no namespace: use a SubjectAccessReview.");
    }
    return { verb: word(path, "verb") as Verb, path: word(path, "path") };
  }
  const namespace = word(resource, "namespace");
  if (within !== undefined && namespace !== within) {
    const found = `spec.resourceAttributes.namespace is "${echoed(namespace)}"`;
    throw new ApiError("bad-request", `${found}; this path expects "${within}".`);
  }
  const [subresource, name] = [word(resource, "subresource"), word(resource, "name")];
  return {
    verb: word(resource, "verb") as Verb,
    group: word(resource, "group"),
    resource: word(resource, "resource"),
    ...(subresource === "" ? {} : { subresource }),
    ...(namespace === "" ? {} : { namespace }),
    ...(name === "" ? {} : { name }),
  };
}

/** About whom a SubjectAccessReview asks. */
export function subjectIn(spec: unknown): Subject {
  const user = word(spec, "user");
  const given = fieldOf(spec, "groups") ?? [];
  const groups = (Array.isArray(given) ? given : []).filter((each) => typeof each === "string");
  if (user === "" && groups.length === 0) {
    throw new ApiError("bad-request", "Found no subject: expected spec.user, spec.groups or both.");
  }
  const most = ACCESS_LIMITS.subjects.value;
  if (groups.length <= most) return { user, groups };
  throw new ApiError(
    "bad-request",
    `spec.groups has ${groups.length} entries; the limit is ${most}.`,
  );
}

export const reviewStatus = (decision: AccessDecision): object =>
  decision.isAllowed
    ? { allowed: true, reason: `Allowed by ${decision.by}.` }
    : { allowed: false, reason: decision.reason };

/** As `kubectl auth can-i --list` reads them. */
export function rulesStatus(rules: readonly AccessRule[]): object {
  return {
    resourceRules: rules
      .filter(({ resources }) => resources !== undefined)
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs,
        apiGroups,
        resources,
        ...(resourceNames === undefined ? {} : { resourceNames }),
      })),
    nonResourceRules: rules
      .filter(({ nonResourceURLs }) => nonResourceURLs !== undefined)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: false,
  };
}

/** Empty where it is not there, as Kubernetes' clients leave out what is empty. */
function word(of: unknown, field: string): string {
  const value = fieldOf(of, field) ?? "";
  if (typeof value !== "string") {
    throw new ApiError("bad-request", `${field} is not a text.`);
  }
  const most = ACCESS_LIMITS.subjectCharacters.value;
  if (value.length <= most) return value;
  throw new ApiError(
    "bad-request",
    `${field} has ${value.length} characters; the limit is ${most}.`,
  );
}
