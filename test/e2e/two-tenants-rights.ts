/** What `kubectl auth can-i --list` says, and what the plane really lets the caller do, as two lists of the same form. */
import { inOwnNames } from "../../src/core/rules/access/same-resource.ts";
import { TOKENS, type TwoTenants } from "./two-tenants-world.ts";

interface Resource {
  readonly name: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

const GROUPS = [
  "/api/v1",
  "/apis/berth.dev/v1",
  "/apis/rbac.authorization.k8s.io/v1",
  "/apis/coordination.k8s.io/v1",
];

/** No such object: what is allowed finds none, and changes nothing. */
const NONE = "no-such-object";
const HARMLESS = "dryRun=All&labelSelector=no%3Dsuch";

const METHODS: Readonly<
  Record<string, { readonly method: string; readonly at: string; readonly type?: string }>
> = {
  get: { method: "GET", at: `/${NONE}` },
  list: { method: "GET", at: "?limit=1" },
  watch: { method: "GET", at: "?watch=true&timeoutSeconds=1" },
  create: { method: "POST", at: "?dryRun=All" },
  update: { method: "PUT", at: `/${NONE}?dryRun=All` },
  patch: { method: "PATCH", at: `/${NONE}?dryRun=All`, type: "application/merge-patch+json" },
  delete: { method: "DELETE", at: `/${NONE}?dryRun=All` },
  deletecollection: { method: "DELETE", at: `?${HARMLESS}` },
};

export async function trueRights(
  world: TwoTenants,
  of: { readonly who: "ana" | "eve"; readonly tenant: string; readonly list: string },
): Promise<{ readonly said: readonly string[]; readonly seen: readonly string[] }> {
  const rules = parseList(of.list);
  const said: string[] = [];
  const seen: string[] = [];
  for (const base of GROUPS) {
    const group = base.split("/")[2] === "v1" ? "" : (base.split("/")[2] ?? "");
    const { text } = await world.ask(of.who, base);
    const { resources } = JSON.parse(text) as { readonly resources: readonly Resource[] };
    for (const { name, verbs } of resources.filter(
      (each) => each.namespaced && !each.name.includes("/"),
    )) {
      for (const verb of verbs.filter((each) => METHODS[each] !== undefined)) {
        const right = `${verb} ${name}.${group}`;
        if (isSaid(rules, { verb, group, resource: name })) said.push(right);
        const path = `${base}/namespaces/${of.tenant}/${name}`;
        if (await isAllowed(world, of.who, { verb, path })) seen.push(right);
      }
    }
  }
  for (const power of ["log", "exec"]) {
    if (rules.get("replicas.berth.dev")?.has(power) === true) said.push(`${power} replicas`);
    const path = `/apis/berth.dev/v1/namespaces/${of.tenant}/replicas/${NONE}/${power}?command=id`;
    if ((await world.ask(of.who, path)).status !== 403) seen.push(`${power} replicas`);
  }
  return { said, seen };
}

async function isAllowed(
  world: TwoTenants,
  who: "ana" | "eve",
  { verb, path }: { readonly verb: string; readonly path: string },
): Promise<boolean> {
  const { method, at, type = "application/json" } = METHODS[verb]!;
  const hasBody = method !== "GET" && method !== "DELETE";
  const leaving = new AbortController();
  const answer = await fetch(`${world.url}${path}${at}`, {
    method,
    headers: {
      authorization: `Bearer ${TOKENS[who]}`,
      ...(hasBody ? { "content-type": type } : {}),
    },
    ...(hasBody ? { body: "{}" } : {}),
    signal: leaving.signal,
  });
  // A watch is allowed as soon as it begins.
  leaving.abort();
  return answer.status !== 403;
}

function isSaid(
  rules: ReadonlyMap<string, ReadonlySet<string>>,
  asked: { readonly verb: string; readonly group: string; readonly resource: string },
): boolean {
  const own = inOwnNames({ ...asked, verb: asked.verb as "get" });
  const names = [asked, ...("resource" in own ? [own] : [])];
  return names.some(({ group, resource }) => {
    const verbs = rules.get(group === "" ? resource : `${resource}.${group}`);
    return verbs !== undefined && (verbs.has(asked.verb) || verbs.has("*"));
  });
}

/** The verbs of each resource, from the table that kubectl prints. */
function parseList(list: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const line of list.split("\n")) {
    const [, resource, verbs] = /^(\S+)\s+\[\]\s+\[\]\s+\[([^\]]*)\]$/.exec(line.trim()) ?? [];
    if (resource === undefined || verbs === undefined) continue;
    const of = found.get(resource) ?? new Set();
    for (const verb of verbs.split(" ")) of.add(verb);
    found.set(resource, of);
  }
  return found;
}
