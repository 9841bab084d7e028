/**
 * Random roles, bindings and requests at the server, against a model that looks at every rule of every binding: a request
 * is refused exactly if the model refuses it.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AccessRule, RoleRef } from "../../../src/core/model/access.ts";
import { keyOf } from "../../../src/core/model/ids.ts";
import { Draw } from "../../hostile/draw.ts";
import { putting } from "../../builders/a-plane.ts";
import { anApi, type Api, BERTH } from "../an-api.ts";

const SEED = 20_261_119;
const ROUNDS = 25;
const REQUESTS = 40;
const USERS = ["u0", "u1", "u2"];
const NAMESPACES = ["n0", "n1"];
const RESOURCES = ["workloads", "workloads/scale", "workloads/status", "quotas", "nodes", "*"];
const VERBS = ["get", "list", "create", "update", "patch", "delete", "deletecollection", "*"];
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

interface Held {
  readonly user: string;
  /** Empty: everywhere. */
  readonly namespace: string;
  readonly rule: AccessRule;
}

interface Asked {
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

const random = new Draw(SEED, "roles");
const pick = <T>(list: readonly T[]): T => random.pick(list);
const some = <T>(list: readonly T[]): readonly T[] => [pick(list), pick(list)];

let api: Api;
beforeAll(async () => {
  const tokens = USERS.map(
    (name) => ({ token: `token-of-${name}-0001`, kind: "user", name }) as const,
  );
  api = await anApi({ auth: { tokens }, admins: [] });
  for (const name of NAMESPACES) {
    const key = keyOf({ kind: "Tenant", namespace: "", name });
    await api.send(putting(key, { kind: "Tenant", spec: { displayName: name } }), "user");
  }
});
afterAll(() => api.close());

/** Another set of roles under the same names: each round replaces the one before. */
async function bindAnew(round: number): Promise<readonly Held[]> {
  const held: Held[] = [];
  for (const user of USERS) {
    const namespace = pick(["", ...NAMESPACES]);
    const rule: AccessRule = {
      verbs: some(VERBS),
      apiGroups: [pick(["berth.dev", "apps", "*"])],
      resources: some(RESOURCES),
      ...(random.below(4) === 0 ? { resourceNames: ["o1"] } : {}),
    };
    const name = `${user}-${round}`;
    const roleRef: RoleRef = { kind: "ClusterRole", name };
    const role = { kind: "ClusterRole", spec: { rules: [rule] } } as const;
    await api.send(putting(keyOf({ kind: "ClusterRole", namespace: "", name }), role), "user");
    const kind = namespace === "" ? "ClusterRoleBinding" : "RoleBinding";
    const spec = { roleRef, subjects: [{ kind: "User", name: user }] } as const;
    await api.send(putting(keyOf({ kind, namespace, name }), { kind, spec }), "user");
    held.push({ user, namespace, rule });
  }
  return held;
}

const has = (list: readonly string[] = [], word: string) =>
  list.includes("*") || list.includes(word);

const isAllowed = (held: readonly Held[], user: string, asked: Asked): boolean =>
  held.some(
    ({ rule, ...of }) =>
      of.user === user &&
      (of.namespace === "" || of.namespace === asked.namespace) &&
      has(rule.verbs, asked.verb) &&
      has(rule.apiGroups, "berth.dev") &&
      has(rule.resources, asked.resource) &&
      (rule.resourceNames === undefined || rule.resourceNames.includes(asked.name)),
  );

/** A request as the routes of the server read it, and what it means. */
function draw(): {
  readonly method: (typeof METHODS)[number];
  readonly url: string;
  readonly asked: Asked;
} {
  const kind = pick(["workloads", "quotas", "nodes"]);
  const namespace = kind === "nodes" ? "" : pick(["", ...NAMESPACES]);
  const isAcross = kind !== "nodes" && namespace === "";
  const name = isAcross ? "" : pick(["", "o1", "o2"]);
  const sub = kind === "workloads" && name !== "" ? pick(["", "scale", "status"]) : "";
  const method = isAcross ? "GET" : pick(METHODS.filter((each) => has(methodsOf(name, sub), each)));
  const scope = namespace === "" ? BERTH : `${BERTH}/namespaces/${namespace}`;
  const url = [scope, kind, name, sub].filter((part) => part !== "").join("/");
  const resource = sub === "" ? kind : `${kind}/${sub}`;
  return { method, url, asked: { verb: verbOf(method, name), resource, namespace, name } };
}

function methodsOf(name: string, sub: string): readonly string[] {
  if (name === "") return ["GET", "POST", "DELETE"];
  return sub === "" ? ["GET", "PUT", "PATCH", "DELETE"] : ["GET", "PUT", "PATCH"];
}

function verbOf(method: string, name: string): string {
  if (method === "GET") return name === "" ? "list" : "get";
  if (method === "DELETE") return name === "" ? "deletecollection" : "delete";
  return { POST: "create", PUT: "update", PATCH: "patch" }[method] ?? "";
}

test("the server refuses a request exactly if a scan of all bindings does [AZ40] [AZ41]", async () => {
  const held: Held[] = [];
  const seen = { allowed: 0, refused: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    held.push(...(await bindAnew(round)));
    for (let at = 0; at < REQUESTS; at += 1) {
      const user = pick(USERS);
      const { method, url, asked } = draw();
      const headers = { authorization: `Bearer token-of-${user}-0001` };
      const { statusCode } = await api.app.inject({ method, url, headers });
      const expected = isAllowed(held, user, asked);
      seen[expected ? "allowed" : "refused"] += 1;
      expect([user, method, url, statusCode !== 403]).toEqual([user, method, url, expected]);
    }
    // Roles pile up; from time to time all of them are taken back at once.
    if (round % 5 === 4) await takeBack(held);
  }
  expect(Math.min(seen.allowed, seen.refused)).toBeGreaterThan(100);
});

async function takeBack(held: Held[]): Promise<void> {
  held.length = 0;
  for (const kind of ["RoleBinding", "ClusterRoleBinding"] as const) {
    const keys = [...api.plane.objects.all(kind).keys()];
    for (const key of keys) {
      await api.send({ kind: "delete", key, expect: {} }, "user");
    }
  }
}
