/** What a tenant's writer may ask of nodes only with a power: plain processes, and pools with taints. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiToken } from "../../../src/api/identity/token-registry.ts";
import { keyOf } from "../../../src/core/model/ids.ts";
import { nodePoolKey } from "../../../src/core/model/node/node-pool.ts";
import { aNodePoolSpec } from "../../builders/a-pooled-plane.ts";
import { putting } from "../../builders/a-plane.ts";
import { grant } from "../../builders/grant.ts";
import { anApi, type Api, aTenantObject, aWorkloadObject, BERTH, textAt } from "../an-api.ts";

const OWN = `${BERTH}/namespaces/payments/workloads`;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const asRoot = bearer("token-of-root-0001");
const asEve = bearer("token-of-eve-00001");
const tokens: readonly ApiToken[] = [
  { token: "token-of-root-0001", kind: "local", name: "root" },
  { token: "token-of-eve-00001", kind: "user", name: "eve" },
];
const taints = [{ key: "work", value: "gpu", effect: "no-schedule" }] as const;
const plain = { spec: { driver: "process" } };
const pooled = { spec: { placement: { tolerations: [{ key: "work" }] } } };
const anywhere = { spec: { placement: { tolerations: [{ operator: "Exists" }] } } };

let api: Api;
beforeAll(async () => {
  api = await anApi({ auth: { tokens }, admins: [] });
  await api.post(`${BERTH}/tenants`, aTenantObject("payments"), asRoot);
  const spec = aNodePoolSpec({ taints });
  await api.send(putting(nodePoolKey("gpu"), { kind: "NodePool", spec }), "user");
  await grant(api.plane, {
    user: "eve",
    role: { kind: "ClusterRole", name: "admin" },
    namespace: "payments",
  });
});
afterAll(() => api.close());

const post = async (name: string, of: object) => {
  const { status, json } = await api.post(OWN, aWorkloadObject(name, of), asEve);
  return [status, status === 201 ? "" : textAt(json, "message")];
};
const cannot = (of: string, resource: string) =>
  `${resource}.berth.dev${of} is forbidden: User "eve" cannot use resource "${resource}" in API group "berth.dev" at the cluster scope`;

test("the administrator of a tenant names neither a plain process nor a pool with taints [AZ47]", async () => {
  expect(await post("plain", plain)).toEqual([403, cannot(' "process"', "drivers")]);
  expect(await post("pooled", pooled)).toEqual([403, cannot(' "gpu"', "nodepools")]);
  expect(await post("anywhere", anywhere)).toEqual([403, cannot("", "nodepools")]);
  expect(await post("usual", {})).toEqual([201, ""]);
  const patched = await api.patch(`${OWN}/usual`, plain, undefined, asEve);
  expect(patched.status).toBe(403);
});

test("a role lets it, and what it named is not asked for again [AZ47]", async () => {
  const key = keyOf({ kind: "ClusterRole", namespace: "", name: "special" });
  const use = { verbs: ["use"], apiGroups: ["berth.dev"] };
  const rules = [
    { ...use, resources: ["drivers"], resourceNames: ["process"] },
    { ...use, resources: ["nodepools"], resourceNames: ["gpu"] },
  ];
  await api.send(putting(key, { kind: "ClusterRole", spec: { rules } }), "user");
  await grant(api.plane, { user: "eve", role: { kind: "ClusterRole", name: "special" } });
  expect(await post("plain", plain)).toEqual([201, ""]);
  expect(await post("pooled", pooled)).toEqual([201, ""]);
  const binding = keyOf({ kind: "ClusterRoleBinding", namespace: "", name: "eve-special" });
  await api.send({ kind: "delete", expect: {}, key: binding }, "user");
  const more = { spec: { replicas: 2 } };
  expect((await api.patch(`${OWN}/plain`, more, undefined, asEve)).status).toBe(200);
  expect((await post("plainer", plain))[0]).toBe(403);
});
