/** What callers with few roles may do at the server, and what they are answered. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ShownRefusal } from "../../../src/api/access/refusals.ts";
import { listen } from "../../../src/api/http/listen.ts";
import type { ApiToken } from "../../../src/api/identity/token-registry.ts";
import { keyOf } from "../../../src/core/model/ids.ts";
import { putting } from "../../builders/a-plane.ts";
import { grant } from "../../builders/grant.ts";
import {
  anApi,
  type Answer,
  type Api,
  aTenantObject,
  aWorkloadObject,
  BERTH,
  textAt,
} from "../an-api.ts";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const asRoot = bearer("token-of-root-0001");
const asAna = bearer("token-of-ana-00001");
const asNil = bearer("token-of-nil-00001");
const asEve = bearer("token-of-eve-00001");
const auth: { readonly tokens: readonly ApiToken[] } = {
  tokens: [
    { token: "token-of-root-0001", kind: "local", name: "root" },
    { token: "token-of-ana-00001", kind: "user", name: "ana" },
    { token: "token-of-nil-00001", kind: "user", name: "nil" },
    { token: "token-of-eve-00001", kind: "user", name: "eve" },
  ],
};
const edit = { kind: "ClusterRole", name: "edit" } as const;
const view = { kind: "ClusterRole", name: "view" } as const;
const OWN = `${BERTH}/namespaces/payments/workloads`;
const OTHER = `${BERTH}/namespaces/fraud/workloads`;

let api: Api;
let url: string;
beforeAll(async () => {
  api = await anApi({ auth, admins: [] });
  url = await listen(api.app, { port: 0, auth });
  for (const tenant of ["payments", "fraud"]) {
    await api.post(`${BERTH}/tenants`, aTenantObject(tenant), asRoot);
    const workloads = `${BERTH}/namespaces/${tenant}/workloads`;
    await api.post(workloads, aWorkloadObject(`${tenant}-api`), asRoot);
  }
  await grant(api.plane, { user: "ana", role: view, namespace: "payments" });
});
afterAll(() => api.close());

const ended = () => "ended";
const said = ({ status, json }: Answer): readonly [number, string] => [
  status,
  textAt(json, "message"),
];

describe("a caller without a binding", () => {
  test("reads discovery, health and itself [AZ41]", async () => {
    for (const path of ["/version", "/whoami", "/api", "/apis", BERTH, "/openapi/v3", "/livez"]) {
      expect([path, (await api.get(path, asNil)).status]).toEqual([path, 200]);
    }
  });

  test("reads and writes nothing else [AZ41]", async () => {
    const paths = ["/metrics", "/capacity", "/series", "/backup", "/fleet", "/recordings"];
    for (const path of [...paths, "/audit/head", OWN, `${OWN}/payments-api`, `${BERTH}/nodes`]) {
      expect([path, (await api.get(path, asNil)).status]).toEqual([path, 403]);
    }
    expect((await api.post(OWN, aWorkloadObject("x"), asNil)).status).toBe(403);
    expect((await api.delete(`${OWN}/payments-api`, undefined, asNil)).status).toBe(403);
    const search = await api.get("/search?q=payments", asNil);
    expect(search.json["count"]).toBe(0);
  });
});

describe("a caller with a role in one tenant", () => {
  test("is refused in Kubernetes' words what no binding allows [AZ42]", async () => {
    expect(said(await api.get(`${BERTH}/workloads`, asAna))).toEqual([
      403,
      'workloads.berth.dev is forbidden: User "ana" cannot list resource "workloads" in API group "berth.dev" at the cluster scope',
    ]);
    expect(said(await api.delete(`${OWN}/payments-api`, undefined, asAna))).toEqual([
      403,
      'workloads.berth.dev "payments-api" is forbidden: User "ana" cannot delete resource "workloads" in API group "berth.dev" in the namespace "payments"',
    ]);
    expect(said(await api.get("/capacity", asAna))).toEqual([
      403,
      'forbidden: User "ana" cannot get path "/capacity"',
    ]);
    const scale = await api.patch(`${OWN}/payments-api/scale`, {}, undefined, asAna);
    expect(said(scale)[1]).toContain('cannot patch resource "workloads/scale"');
  });

  test("does not learn whether an object of another tenant exists [AZ42]", async () => {
    const there = await api.get(`${OTHER}/fraud-api`, asAna);
    const nowhere = await api.get(`${OTHER}/no-such`, asAna);
    expect(there.status).toBe(403);
    expect(there.text.replaceAll("fraud-api", "no-such")).toBe(nowhere.text);
    const log = (name: string) => api.get(`${BERTH}/namespaces/fraud/replicas/${name}/log`, asAna);
    expect([(await log("fraud-api.1.0")).status, (await log("x")).status]).toEqual([403, 403]);
  });

  test("sees its own tenant in Berth's views, and no other [AZ44]", async () => {
    const { json } = await api.get("/views/workloads", asAna);
    expect((json["rows"] as unknown as unknown[][]).map(([key]) => key)).toEqual([
      "payments/payments-api",
    ]);
    const found = await api.get("/search?q=api", asAna);
    expect(found.json["count"]).toBe(1);
    const audit = await api.get("/audit", asAna);
    expect(audit.text).toContain("payments-api");
    expect(audit.text).not.toContain("fraud");
    const diff = await api.get("/diff?from=1", asAna);
    expect(diff.text).toContain("payments-api");
    expect(diff.text).not.toContain("fraud");
  });
});

describe("a right that is taken away", () => {
  test("ends a watch that rests on it within some seconds, and refuses the next [AZ43]", async () => {
    await grant(api.plane, { user: "eve", role: view, namespace: "payments" });
    const paths = [`${OWN}?watch=true`, "/views/workloads?watch=true"];
    const responses = await Promise.all(
      paths.map((path) => fetch(`${url}${path}`, { headers: asEve })),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const ends = Promise.all(responses.map((response) => response.text().then(ended, ended)));
    await api.send(
      {
        kind: "delete",
        expect: {},
        key: keyOf({ kind: "RoleBinding", namespace: "payments", name: "eve-view" }),
      },
      "user",
    );
    const late = sleep(60_000, "still open", { ref: false });
    expect(await Promise.race([ends, late])).toEqual(["ended", "ended"]);
    expect((await api.get(OWN, asEve)).status).toBe(403);
  });
});

const asAnother = (who: Record<string, string>, user: string, groups?: string) => ({
  ...who,
  "impersonate-user": user,
  ...(groups === undefined ? {} : { "impersonate-group": groups }),
});

describe("a caller that asks for the rights of another", () => {
  test("has them, and none of its own [AZ45]", async () => {
    expect((await api.get(OWN, asAnother(asRoot, "ana"))).status).toBe(200);
    expect((await api.get(OTHER, asAnother(asRoot, "ana"))).status).toBe(403);
    const { json } = await api.get("/whoami", asAnother(asRoot, "ana", "devs, ops"));
    expect(json).toMatchObject({ user: "ana", groups: ["devs", "ops", "system:authenticated"] });
  });

  test("needs the verb impersonate for the user and for each group [AZ45]", async () => {
    const refused = await api.get("/whoami", asAnother(asAna, "root"));
    expect(said(refused)).toEqual([
      403,
      'users "root" is forbidden: User "ana" cannot impersonate resource "users" in API group "" at the cluster scope',
    ]);
    const rule = { verbs: ["impersonate"], apiGroups: [""], resources: ["users"] };
    const key = keyOf({ kind: "ClusterRole", namespace: "", name: "be-ana" });
    const desired = { kind: "ClusterRole", spec: { rules: [{ ...rule, resourceNames: ["ana"] }] } };
    await api.send(putting(key, desired as never), "user");
    await grant(api.plane, { user: "nil", role: { kind: "ClusterRole", name: "be-ana" } });
    expect((await api.get(OWN, asAnother(asNil, "ana"))).status).toBe(200);
    expect((await api.get(OWN, asAnother(asNil, "eve"))).status).toBe(403);
    expect((await api.get(OWN, asAnother(asNil, "ana", "system:masters"))).status).toBe(403);
    expect((await api.get(OWN, { ...asNil, "impersonate-group": "devs" })).status).toBe(400);
  });
});

const asUser = (user: string) => ({ spec: { run: { command: ["serve"], user } } });

const near = (kind: string, ...tenants: string[]) => {
  const weight = kind.endsWith("referred") ? { weight: 1 } : {};
  const term = { by: "node", labels: { app: "api" }, tenants, ...weight };
  return { spec: { placement: { affinity: { [kind]: [term] } } } };
};

const owned = (kind: string, name: string) => {
  const owner = { apiVersion: "berth.dev/v1", kind, name, uid: "u-guessed" };
  return aWorkloadObject("owned", { metadata: { name: "owned", ownerReferences: [owner] } });
};

describe("a power beside the verb", () => {
  const critical = { spec: { priorityClass: "critical" } };

  test("is asked for by what a workload names [AZ47]", async () => {
    await grant(api.plane, { user: "eve", role: edit, namespace: "payments" });
    const spec = { value: 1_000 };
    const made = {
      apiVersion: "berth.dev/v1",
      kind: "PriorityClass",
      metadata: { name: "critical" },
      spec,
    };
    expect((await api.post(`${BERTH}/priorityclasses`, made, asRoot)).status).toBe(201);
    expect(said(await api.post(OWN, aWorkloadObject("fast", critical), asEve))).toEqual([
      403,
      'priorityclasses.berth.dev "critical" is forbidden: User "eve" cannot use resource "priorityclasses" in API group "berth.dev" at the cluster scope',
    ]);
    for (const user of ["root", "0", "0:0", "root:daemon"]) {
      const refused = await api.post(OWN, aWorkloadObject("power", asUser(user)), asEve);
      expect(said(refused)[1]).toContain('cannot run-as-root resource "workloads"');
    }
    expect((await api.post(OWN, aWorkloadObject("plain", asUser("1000")), asEve)).status).toBe(201);
  });

  test("is not asked for again by a write that leaves it as it was [AZ47]", async () => {
    const both = { spec: { ...critical.spec, ...asUser("root").spec } };
    expect((await api.post(OWN, aWorkloadObject("strong", both), asRoot)).status).toBe(201);
    const more = await api.patch(`${OWN}/strong`, { spec: { replicas: 2 } }, undefined, asEve);
    expect(more.status).toBe(200);
  });

  test("is asked for by an affinity that is about another tenant, and not again [AZ51]", async () => {
    const post = async (kind: string, ...tenants: string[]) =>
      said(
        await api.post(
          OWN,
          aWorkloadObject(`near-${kind.toLowerCase()}`, near(kind, ...tenants)),
          asEve,
        ),
      );
    for (const kind of ["required", "preferred", "antiPreferred"]) {
      expect(await post(kind, "payments", "fraud")).toEqual([
        403,
        'replicas.berth.dev is forbidden: User "eve" cannot list resource "replicas" in API group "berth.dev" in the namespace "fraud"',
      ]);
    }
    const update =
      'cannot update resource "workloads" in API group "berth.dev" in the namespace "fraud"';
    expect((await post("antiRequired", "fraud"))[1]).toContain(update);
    expect((await post("antiRequired", "payments"))[0]).toBe(201);
    await grant(api.plane, { user: "eve", role: view, namespace: "fraud" });
    expect((await post("required", "fraud"))[0]).toBe(201);
    expect((await post("antiPreferred", "fraud"))[0]).toBe(201);
    const patched = near("antiRequired", "fraud");
    const path = `${OWN}/near-antirequired`;
    expect(said(await api.patch(path, patched, undefined, asEve))[1]).toContain(update);
    expect((await api.patch(path, patched, undefined, asRoot)).status).toBe(200);
    expect((await api.patch(path, { spec: { replicas: 2 } }, undefined, asEve)).status).toBe(200);
  });

  test("is asked for by an owner, whether or not it exists [AZ50]", async () => {
    const post = async (kind: string, name: string) =>
      said(await api.post(OWN, owned(kind, name), asEve));
    await api.post(`${BERTH}/tenants`, aTenantObject("research"), asRoot);
    for (const name of ["research", "no-such"]) {
      expect(await post("Tenant", name)).toEqual([
        403,
        `tenants.berth.dev "${name}" is forbidden: User "eve" cannot get resource "tenants" in API group "berth.dev" at the cluster scope`,
      ]);
      expect((await post("Node", name))[0]).toBe(403);
    }
    expect((await post("Tenant", "payments"))[1]).toContain("the uid of Tenant//payments");
  });

  test("is asked for by an override, and by commands that no object expresses [AZ47]", async () => {
    const override = {
      apiVersion: "berth.dev/v1",
      kind: "Override",
      metadata: { name: "o1" },
      spec: { action: "freeze-tenant", target: { tenant: "payments" }, reason: "why", ttl: "1h" },
    };
    const writes = { verbs: ["*"], apiGroups: ["berth.dev"], resources: ["overrides"] };
    const key = keyOf({ kind: "ClusterRole", namespace: "", name: "writes-overrides" });
    const rules = [{ ...writes, verbs: ["create", "get"] }];
    await api.send(putting(key, { kind: "ClusterRole", spec: { rules } }), "user");
    await grant(api.plane, {
      user: "eve",
      role: { kind: "ClusterRole", name: "writes-overrides" },
    });
    expect(said(await api.post(`${BERTH}/overrides`, override, asEve))[1]).toContain(
      'cannot override resource "overrides"',
    );
    const activate = {
      kind: "activate",
      operation: "a-1",
      policy: "default",
      from: "",
      to: "x",
      reason: "y",
    };
    const sent = {
      from: "eve",
      request: {
        kind: "command",
        attempt: 1,
        command: { actor: { role: "user", name: "eve" }, epoch: 1, basis: 1, intent: activate },
      },
    };
    const answer = await api.post("/commands", sent, asEve);
    expect(said(answer)).toEqual([
      403,
      'policies.berth.dev "default" is forbidden: User "eve" cannot activate resource "policies" in API group "berth.dev" at the cluster scope',
    ]);
  });
});

describe("the audit", () => {
  test("names the binding that allowed a write [AZ48]", async () => {
    await grant(api.plane, {
      user: "eve",
      role: edit,
      namespace: "payments",
    });
    expect((await api.post(OWN, aWorkloadObject("by-eve"), asEve)).status).toBe(201);
    const { json } = await api.get("/audit?actor=eve&limit=1", asRoot);
    expect(textAt(json, "entries", "0", "actor", "by", "allowed")).toBe(
      "RoleBinding/payments/eve-edit",
    );
    expect((await api.post(`${BERTH}/tenants`, aTenantObject("more"), asRoot)).status).toBe(201);
    const own = await api.get("/audit?actor=root&limit=1", asRoot);
    expect(own.text).toContain('"allowed":"Group/system:masters"');
  });

  test("counts refused requests by caller and minute, with the first of them [AZ48]", async () => {
    const before = (await refusalsOf("nil")).reduce((sum, { count }) => sum + count, 0);
    for (let at = 0; at < 50; at += 1) await api.get(OTHER, asNil);
    const entries = await refusalsOf("nil");
    expect(entries.reduce((sum, { count }) => sum + count, 0)).toBe(before + 50);
    // However many requests: an entry for each minute in which there were some.
    expect(entries.length).toBeLessThan(4);
    expect(entries[0]).toMatchObject({ user: "nil", by: "default" });
    expect((await api.get("/audit/refusals", asAna)).status).toBe(403);
  });
});

const refusalsOf = async (user: string) =>
  ((await api.get("/audit/refusals", asRoot)).json["refusals"] as unknown as ShownRefusal[]).filter(
    (each) => each.user === user,
  );
