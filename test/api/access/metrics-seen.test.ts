/** What `GET /metrics` shows to callers with few roles: series of their own tenants, and nothing summed over others. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiToken } from "../../../src/api/identity/token-registry.ts";
import { keyOf } from "../../../src/core/model/ids.ts";
import { putting } from "../../builders/a-plane.ts";
import { grant } from "../../builders/grant.ts";
import { anApi, type Api, aTenantObject, aWorkloadObject, BERTH } from "../an-api.ts";

const tokens: readonly ApiToken[] = [
  { token: "token-of-root-0001", kind: "local", name: "root" },
  ...["ana", "nil", "olga", "wil"].map((name) => ({
    token: `token-of-${name}-00001`,
    kind: "user" as const,
    name,
  })),
];
const as = (name: string) => ({
  authorization: `Bearer ${tokens.find((each) => each.name === name)?.token}`,
});
const role = (name: string) => ({ kind: "ClusterRole", name }) as const;
let api: Api;

beforeAll(async () => {
  api = await anApi({ auth: { tokens }, admins: [] });
  for (const tenant of ["shop", "fraud"]) await aTenant(tenant);
  await grant(api.plane, { user: "ana", role: role("view"), namespace: "shop" });
  await grant(api.plane, { user: "olga", role: role("operator") });
  const key = keyOf({ kind: "ClusterRole", namespace: "", name: "works" });
  const rules = [{ verbs: ["list"], apiGroups: ["berth.dev"], resources: ["workloads"] }];
  await api.send(putting(key, { kind: "ClusterRole", spec: { rules } }), "user");
  await grant(api.plane, { user: "wil", role: role("works"), namespace: "fraud" });
});
afterAll(() => api.close());

async function aTenant(tenant: string): Promise<void> {
  await api.post(`${BERTH}/tenants`, aTenantObject(tenant), as("root"));
  await api.post(
    `${BERTH}/namespaces/${tenant}/workloads`,
    aWorkloadObject(`${tenant}-api`, { spec: { replicas: 3 } }),
    as("root"),
  );
}
const scraped = (name: string) => api.get("/metrics", as(name));
const namesIn = (text: string) => {
  const found = [...text.matchAll(/^(?:berth|process)_\w+/gm)].map(([name]) => name);
  return [...new Set<string>(found)].toSorted();
};

test("a caller with a role in one tenant gets the series of that tenant and no other [AZ55]", async () => {
  const { status, text, headers } = await scraped("ana");
  expect([status, headers["content-type"]]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
  expect(namesIn(text)).toEqual([
    "berth_tenant_replicas",
    "berth_tenant_replicas_wanted",
    "berth_tenant_workloads",
  ]);
  expect(text).toContain('berth_tenant_replicas_wanted{tenant="shop"} 3\n');
  expect(text).toContain('berth_tenant_replicas{tenant="shop",stage="serving"} 0\n');
  expect(text).not.toContain("fraud");
});

test("what another tenant does changes nothing of it [AZ55]", async () => {
  const { text } = await scraped("ana");
  const more = aWorkloadObject("more", { spec: { replicas: 7 } });
  await api.post(`${BERTH}/namespaces/fraud/workloads`, more, as("root"));
  await aTenant("later");
  expect((await scraped("ana")).text).toBe(text);
});

test("a right to one kind shows the series of that kind alone [AZ55]", async () => {
  const { text } = await scraped("wil");
  expect(text).toMatch(/^berth_tenant_workloads\{tenant="fraud"\} \d/m);
  expect(text).not.toMatch(/berth_tenant_replicas\{|shop/);
});

test("series of the whole plane are for callers with a right to the path [AZ55]", async () => {
  for (const name of ["root", "olga"]) {
    const { status, text } = await scraped(name);
    expect([status, text.includes("berth_objects{")]).toEqual([200, true]);
    expect(text).not.toContain("berth_tenant_");
  }
  const refused = await scraped("nil");
  expect([refused.status, refused.text]).toEqual([
    403,
    expect.stringContaining('cannot get path \\"/metrics\\"'),
  ]);
});
