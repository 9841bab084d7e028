/**
 * Whether what a subject may do includes all that a role allows. A caller that could write or bind
 * a role with more would have given itself more than it was given (AZ12).
 */
import type { AccessRule } from "../../model/access.ts";
import { ACCESS_LIMITS } from "../../model/limits/access-limits.ts";
import type { KnownRole } from "./access-rules.ts";
import { isSaidAgain } from "./same-resource.ts";

/** `rule`: the first that is not included. `too-many`: the comparison was given up. */
export type Escalation =
  | { readonly kind: "rule"; readonly rule: AccessRule }
  | { readonly kind: "too-many" };

export function escalationOf(role: KnownRole, held: Iterable<KnownRole>): Escalation | undefined {
  // A caller that is bound to one role by many bindings has it once.
  const rules = [...new Set(held)].flatMap((each) => each.rules);
  let left: number = ACCESS_LIMITS.comparisons.value;
  // In Berth's names, too: who may get every resource has not got the power that `get pods/log` is.
  for (const rule of role.rules) {
    left -= rules.length;
    if (rules.some((own) => coversRule(own, rule))) continue;
    for (const part of partsOf(rule)) {
      if (left <= 0) return { kind: "too-many" };
      left -= rules.length;
      if (!rules.some((own) => allowsPart(own, part))) return { kind: "rule", rule };
    }
  }
  return undefined;
}

/** Most rules are included in one of the caller's, which needs no look at their parts. */
function coversRule(own: AccessRule, rule: AccessRule): boolean {
  const { resourceNames: ownNames = [] } = own;
  const { resourceNames: names = [] } = rule;
  return (
    coversList(own.verbs, rule.verbs) &&
    coversList(own.apiGroups, rule.apiGroups) &&
    (rule.resources ?? []).every((each) => allowsResource(own, each)) &&
    (rule.nonResourceURLs ?? []).every((each) => allowsPath(own, each)) &&
    (ownNames.length === 0 || (names.length > 0 && names.every((each) => ownNames.includes(each))))
  );
}

const coversList = (own: readonly string[] = [], asked: readonly string[] = []): boolean =>
  own.includes("*") || asked.every((each) => own.includes(each));

/** One verb on one resource of one group, or on one path; `*` is only in what says `*`. */
type Part = ResourcePart | PathPart;

interface ResourcePart {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** Left out: all names. */
  readonly name?: string;
}

interface PathPart {
  readonly verb: string;
  readonly path: string;
}

function* partsOf(rule: AccessRule): Generator<Part, void> {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  for (const verb of verbs) {
    for (const path of nonResourceURLs) yield { verb, path };
    for (const group of apiGroups) {
      for (const resource of resources) {
        // Who has a right may give it under its other name, too.
        if (isSaidAgain(verb, { group, resource })) continue;
        if (resourceNames.length === 0) yield { verb, group, resource };
        for (const name of resourceNames) yield { verb, group, resource, name };
      }
    }
  }
}

function allowsPart(own: AccessRule, part: Part): boolean {
  if (!coversList(own.verbs, [part.verb])) return false;
  if ("path" in part) return allowsPath(own, part.path);
  const { group, resource, name } = part;
  const { resourceNames = [] } = own;
  return (
    coversList(own.apiGroups, [group]) &&
    (own.apiGroups ?? []).length > 0 &&
    allowsResource(own, resource) &&
    (resourceNames.length === 0 || (name !== undefined && resourceNames.includes(name)))
  );
}

/** A pattern is in a pattern that begins it. */
function allowsPath(own: AccessRule, path: string): boolean {
  return (own.nonResourceURLs ?? []).some(
    (pattern) =>
      pattern === path || (pattern.endsWith("*") && path.startsWith(pattern.slice(0, -1))),
  );
}

/** `workloads/*` is no pattern; a star before the slash is, and so is `*` alone. */
function allowsResource({ resources = [] }: AccessRule, asked: string): boolean {
  if (resources.includes("*") || resources.includes(asked)) return true;
  const slash = asked.indexOf("/");
  return slash >= 0 && resources.includes(`*${asked.slice(slash)}`);
}
