/**
 * Who may do what, by a scan over all roles and bindings as they are written: without the index of
 * the core, its translation of names, its comparison of roles and its calendar. Rules are matched
 * as they stand, for each way in which a request can be spelled.
 */
import type {
  AccessRequest,
  AccessRule,
  BindingSubject,
  ResourceRequest,
  RoleRef,
  Subject,
} from "../../../core/model/access.ts";
import type { Labels } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { READY_RULES } from "./naive-ready-roles.ts";

export type Objects = Pick<ObjectIndex, "all">;

/** A binding as it is written, or one of those that every plane has. */
export interface WrittenBinding {
  readonly name: string;
  /** Empty: of the whole cluster. */
  readonly place: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly BindingSubject[];
  /** Infinite: it does not end. */
  readonly endMs: number;
}

/** One way to write the same request. */
interface Spelled {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly name: string | undefined;
  /** Only a rule that names the resource means it: a star does not reach powers. */
  readonly isPower: boolean;
}

const OWN = "berth.dev";
const SAME: readonly (readonly [group: string, theirs: string, own: string])[] = [
  ["", "pods", "replicas"],
  ["", "namespaces", "tenants"],
  ["", "secrets", "secrets"],
  ["", "events", "events"],
  ["events.k8s.io", "events", "events"],
  ["coordination.k8s.io", "leases", "leaderleases"],
];
/** `verb subresource` of replicas, and the power that it is. */
const POWER_OF: Readonly<Record<string, string>> = {
  "get log": "log",
  "get exec": "exec",
  "create exec": "exec",
  "get attach": "exec",
  "create attach": "exec",
  "get portforward": "exec",
  "create portforward": "exec",
};
/** A verb, group, resource or name that no rule can have written: what only a star means. */
const ANY = "\u0000";

export function naiveMay(
  objects: Objects,
  who: Subject,
  request: AccessRequest,
  nowMs: number,
): boolean {
  if (who.groups.includes("system:masters")) return true;
  const place = placeOf(request);
  return allBindings(objects).some(
    (binding) =>
      isInForce(binding, { who, place, nowMs }) && bindingAllows(objects, binding, request),
  );
}

/** Whatever its subjects and its end. */
export const bindingAllows = (
  objects: Objects,
  binding: WrittenBinding,
  request: AccessRequest,
): boolean =>
  (rulesOf(objects, binding.roleRef, binding.place) ?? []).some((rule) =>
    naiveAllows(rule, request),
  );

/** Each rule that its holder may not give, with the first thing in it that it lacks. */
export function naiveBeyond(
  objects: Objects,
  gift: {
    readonly who: Subject;
    readonly rules: readonly AccessRule[];
    readonly place: string;
    /** Infinite: it is for good. */
    readonly endMs: number;
  },
): string | undefined {
  const { who, rules, place, endMs } = gift;
  if (who.groups.includes("system:masters")) return undefined;
  const held = allBindings(objects)
    .filter((binding) => binding.endMs >= endMs && isInForce(binding, { who, place, nowMs: 0 }))
    .flatMap((binding) => rulesOf(objects, binding.roleRef, binding.place) ?? []);
  for (const atom of rules.flatMap(atomsOf)) {
    if (held.some((rule) => naiveAllows(rule, atom))) continue;
    return JSON.stringify(atom).replaceAll("\\u0000", "*");
  }
  return undefined;
}

/** Undefined: there is no such role. */
export function rulesOf(
  objects: Objects,
  { kind, name }: RoleRef,
  place: string,
): readonly AccessRule[] | undefined {
  for (const { meta, spec } of objects.all(kind).values()) {
    if (meta.name === name && (kind === "ClusterRole" || meta.namespace === place)) {
      return spec.rules;
    }
  }
  return kind === "ClusterRole" ? READY_RULES[name] : undefined;
}

/** Those in the log, and those of groups that every plane has. */
export function allBindings(objects: Objects): readonly WrittenBinding[] {
  const written = [
    ...objects.all("ClusterRoleBinding").values(),
    ...objects.all("RoleBinding").values(),
  ].map(({ meta, spec: { roleRef, subjects } }) => {
    const endMs = naiveEnd(meta.annotations);
    return { name: meta.name, place: meta.namespace, roleRef, subjects, endMs };
  });
  return [...written, ...OF_EVERY_PLANE];
}

const OF_EVERY_PLANE: readonly WrittenBinding[] = [
  ["system:basic-user", "system:authenticated"],
  ["system:discovery", "system:authenticated"],
].map(([role = "", group = ""]) => ({
  name: role,
  place: "",
  roleRef: { kind: "ClusterRole", name: role },
  subjects: [{ kind: "Group", name: group }],
  endMs: Number.POSITIVE_INFINITY,
}));

function isInForce(
  { place: of, subjects, endMs }: WrittenBinding,
  { who, place, nowMs }: { who: Subject; place: string; nowMs: number },
): boolean {
  if (of !== "" && of !== place) return false;
  const hasEnded = endMs !== Number.POSITIVE_INFINITY && endMs <= nowMs;
  return !hasEnded && subjects.some((each) => isMeant(each, who));
}

function isMeant({ kind, name, namespace }: BindingSubject, { user, groups }: Subject): boolean {
  if (kind === "Group") return groups.includes(name);
  return user === (kind === "User" ? name : `system:serviceaccount:${namespace ?? ""}:${name}`);
}

/** A binding whose annotation is no time has ended long ago. */
export function naiveEnd(annotations: Labels | undefined): number {
  const text = annotations?.["berth.dev/expires-at"];
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const [date = "", time = ""] = text.replace("Z", "").split("T");
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const [hour = 0, minute = 0, second = 0] = time.split(":").map(Number);
  let days = day - 1;
  for (let before = 1970; before < year; before += 1) days += daysOfYear(before);
  const lengths = [31, daysOfYear(year) - 337, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  for (const length of lengths.slice(0, month - 1)) days += length;
  const ms = (((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000;
  return Number.isNaN(ms) ? 0 : ms;
}

const daysOfYear = (year: number): number =>
  year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0) ? 366 : 365;

/** The namespace in which bindings count; a tenant is in itself. */
function placeOf(request: AccessRequest): string {
  if ("path" in request) return "";
  const { resource, name, namespace } = meantBy(request);
  return (resource === "tenants" ? (name ?? namespace) : namespace) ?? "";
}

const has = (list: readonly string[] | undefined, word: string): boolean =>
  list !== undefined && (list.includes(word) || list.includes("*"));

function naiveAllows(rule: AccessRule, request: AccessRequest): boolean {
  if ("path" in request) {
    const { path, verb } = request;
    const covers = (pattern: string): boolean =>
      pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : pattern === path;
    return has(rule.verbs, verb) && (rule.nonResourceURLs ?? []).some(covers);
  }
  return spellingsOf(request).some(({ verb, group, resource, name, isPower }) => {
    if (!has(rule.verbs, verb) || !has(rule.apiGroups, group)) return false;
    const names = rule.resourceNames ?? [];
    if (names.length > 0 && (name === undefined || !names.includes(name))) return false;
    const resources = rule.resources ?? [];
    if (resources.includes(resource)) return true;
    if (isPower) return false;
    const [, part] = resource.split("/");
    return resources.includes("*") || (part !== undefined && resources.includes(`*/${part}`));
  });
}

/** In Berth's own words, where it has words for it. */
function meantBy(request: ResourceRequest): ResourceRequest {
  const { group, resource, subresource, verb } = request;
  const own =
    group === OWN
      ? resource
      : SAME.find(([of, theirs]) => of === group && theirs === resource)?.[2];
  if (own === undefined) return request;
  const power = own === "replicas" ? POWER_OF[`${verb} ${subresource}`] : undefined;
  const { subresource: _, ...rest } = request;
  if (power !== undefined) {
    return { ...rest, group: OWN, resource: own, verb: power as ResourceRequest["verb"] };
  }
  return { ...request, group: OWN, resource: own };
}

function spellingsOf(request: ResourceRequest): readonly Spelled[] {
  const { verb, group, resource, subresource, name } = meantBy(request);
  const rest = subresource === undefined ? "" : `/${subresource}`;
  const as = (by: string, of: string, what: string, isPower = false): Spelled => ({
    verb: by,
    group: of,
    resource: what,
    name,
    isPower,
  });
  if (group !== OWN) return [as(verb, group, `${resource}${rest}`)];
  const all = [[OWN, resource] as const].concat(
    SAME.filter(([, , own]) => own === resource).map(([of, theirs]) => [of, theirs] as never),
  );
  const plain = all.map(([of, what]) => as(verb, of, `${what}${rest}`));
  if (resource !== "replicas" || rest !== "") return plain;
  const powers = Object.entries(POWER_OF).filter(([, power]) => power === verb);
  return [
    ...plain,
    ...powers.flatMap(([asked]) => {
      const [by = "", part = ""] = asked.split(" ");
      return all.map(([of, what]) => as(by, of, `${what}/${part}`, true));
    }),
  ];
}

/** Everything that a rule allows, one by one. */
function atomsOf(rule: AccessRule): readonly AccessRequest[] {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const names = resourceNames.length === 0 ? [ANY] : resourceNames;
  const atoms: AccessRequest[] = [];
  for (const written of verbs) {
    const verb = wordOf(written) as ResourceRequest["verb"];
    for (const path of nonResourceURLs) atoms.push({ verb, path: path.replace(/\*$/, ANY) });
    for (const group of apiGroups) {
      for (const each of resources) {
        const [resource = "", part] = each.split("/");
        for (const name of names) {
          const of = part === undefined ? {} : { subresource: part };
          atoms.push({ verb, group: wordOf(group), resource: wordOf(resource), ...of, name });
          atoms.push(...meansBesides({ verb: written, group, resource, part, name }));
        }
      }
    }
  }
  return atoms;
}

const wordOf = (written: string): string => (written === "*" ? ANY : written);

/** What a star means among the names that Berth has for the same, and powers that are named. */
function meansBesides(of: {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly part: string | undefined;
  readonly name: string;
}): readonly AccessRequest[] {
  const { verb, group, resource, part, name } = of;
  const isStar = group === "*" || resource === "*";
  const known = SAME.filter(
    ([g, theirs]) => (group === "*" || group === g) && (resource === "*" || resource === theirs),
  ).map(([, , own]) => own);
  const own = group === "*" || group === OWN ? [...known, resource] : known;
  const parts = part === undefined ? {} : { subresource: part };
  const besides: AccessRequest[] = [];
  for (const what of isStar ? known : []) {
    besides.push({ verb: wordOf(verb) as "get", group: OWN, resource: what, ...parts, name });
  }
  if (verb !== "*" || part === undefined || !own.includes("replicas")) return besides;
  for (const [asked, power] of Object.entries(POWER_OF)) {
    if (!asked.endsWith(` ${part}`)) continue;
    besides.push({ verb: power as "log", group: OWN, resource: "replicas", name });
  }
  return besides;
}
