/** `berth auth preview` of a change that takes a right to read away, against what callers have read. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listen } from "../../src/api/http/listen.ts";
import type { ApiToken } from "../../src/api/identity/token-registry.ts";
import { anApi, type Api, aTenantObject, BERTH } from "../api/an-api.ts";
import { runBerth } from "../builders/run-berth.ts";
import { scratchFolder } from "../contract/scratch-folder.ts";

const folder = scratchFolder();
const tokens: readonly ApiToken[] = [
  { token: "token-of-root-0001", kind: "local", name: "root" },
  ...["ana", "bob", "eve"].map((name) => ({
    token: `token-of-${name}-00001`,
    kind: "user" as const,
    name,
    groups: name === "eve" ? [] : ["devs"],
  })),
];
const as = (name: string) => ({
  authorization: `Bearer ${tokens.find((each) => each.name === name)?.token}`,
});
const ROLES = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader }
rules: [{ apiGroups: [berth.dev], resources: [workloads, quotas], verbs: [get, list] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: devs, namespace: shop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: Group, name: devs }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: auditors }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: auditor }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: eve }]
`;

let api: Api;
let server: string;
beforeAll(async () => {
  const auth = { tokens };
  api = await anApi({ auth, admins: [], auditFolder: join(folder, "audit") });
  server = await listen(api.app, { port: 0, auth });
  writeFileSync(join(folder, "root.token"), "token-of-root-0001", { mode: 0o600 });
  await api.post(`${BERTH}/tenants`, aTenantObject("shop"), as("root"));
  await berth("apply", "-f", written("roles", ROLES));
  for (let at = 0; at < 3; at += 1) await read("ana", `${BERTH}/namespaces/shop/workloads`);
  await read("bob", `${BERTH}/namespaces/shop/quotas`);
  await read("eve", "/metrics");
});
afterAll(() => api.close());

const berth = (...args: string[]) =>
  runBerth(...args, "--server", server, "--token-file", join(folder, "root.token"));

async function read(name: string, path: string): Promise<void> {
  const { status } = await api.get(path, as(name));
  if (status !== 200) throw new Error(`${name} got ${status} for ${path}.`);
}

function written(name: string, text: string): string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, text);
  return file;
}

const preview = async (name: string, text: string, ...args: string[]) => {
  const { code, out, err } = await berth("auth", "preview", "-f", written(name, text), ...args);
  expect(err).toBe("");
  return { code, out };
};

test("a role that loses a resource names the callers that read it, and no others [AZ54]", async () => {
  const { code, out } = await preview("less", ROLES.replace("[workloads, quotas]", "[quotas]"));
  expect(out).toMatch(
    /^1 caller would be refused:\n {2}ana\n {4}list workloads in shop, 3 times, last at \S+: allowed by RoleBinding\/shop\/devs now\n/,
  );
  expect(out).toMatch(/So were \d+ rights that callers used at this plane, reads among them\.\n$/);
  expect(code).toBe(1);
});

test("a binding that is deleted names all callers that rest on it, and their paths [AZ54]", async () => {
  const { out } = await preview("none", ROLES, "--delete", "--json");
  const { refused } = JSON.parse(out) as { refused: { caller: string; requests: object[] }[] };
  expect(refused.map(({ caller }) => caller).toSorted()).toEqual(["ana", "bob", "eve"]);
  expect(refused.find(({ caller }) => caller === "eve")?.requests).toMatchObject([
    { verb: "get", resource: "/metrics", namespace: "", times: 1 },
  ]);
});

test("a change that takes nothing away refuses no caller [AZ54]", async () => {
  const more = ROLES.replace("[get, list]", "[get, list, watch]");
  expect(await preview("more", more)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^No caller would be refused/) as string,
  });
});

test("which rights others use is shown to callers with a right to it [AZ54]", async () => {
  expect((await api.get("/access/uses?since=2026-01-01", as("ana"))).status).toBe(403);
  expect((await api.get("/access/uses?since=2026-01-01", as("eve"))).status).toBe(200);
  expect((await api.get("/access/uses?since=lately", as("root"))).status).toBe(400);
});
