/** Refused requests in the audit of a plane with roles, by the command that operators use. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen } from "../../src/api/http/listen.ts";
import { newToken } from "../../src/api/identity/token-digest.ts";
import type { ApiToken } from "../../src/api/identity/token-registry.ts";
import { keyOf } from "../../src/core/model/ids.ts";
import { putting } from "../builders/a-plane.ts";
import { grant } from "../builders/grant.ts";
import { anApi, type Api, aTenantObject, BERTH } from "../api/an-api.ts";
import { scratchFolder } from "../contract/scratch-folder.ts";
import { runBerth } from "../builders/run-berth.ts";

const folder = scratchFolder();
const tokens: readonly ApiToken[] = [
  { token: "token-of-root-0001", kind: "local", name: "root" },
  { token: "token-of-nil-00001", kind: "user", name: "nil" },
  { token: "token-of-eve-00001", kind: "user", name: "eve" },
  { token: "token-of-agent-001", kind: "agent", name: "n1" },
];
const as = (name: string) => ({
  authorization: `Bearer ${tokens.find((each) => each.name === name)?.token}`,
});
let api: Api;
let server: string;
beforeAll(async () => {
  const auth = { tokens };
  api = await anApi({ auth, admins: [], auditFolder: join(folder, "audit") });
  server = await listen(api.app, { port: 0, auth });
  writeFileSync(join(folder, "root.token"), "token-of-root-0001", { mode: 0o600 });
});
afterAll(() => api.close());

const audit = (...args: string[]) =>
  runBerth("audit", ...args, "--server", server, "--token-file", join(folder, "root.token"));

describe("berth audit --refused", () => {
  test("shows who was refused, by default or by which rule, and how often [AZ53]", async () => {
    const none = await audit("--refused");
    expect([none.out, none.err]).toEqual(["", "This plane has refused no request.\n"]);
    for (let at = 0; at < 20; at += 1) await api.get(`${BERTH}/nodes`, as("nil"));
    const rules = [
      { verbs: ["create"], apiGroups: ["rbac.authorization.k8s.io"], resources: ["roles"] },
    ];
    const key = keyOf({ kind: "ClusterRole", namespace: "", name: "writes-roles" });
    await api.send(putting(key, { kind: "ClusterRole", spec: { rules } }), "user");
    await grant(api.plane, { user: "eve", role: { kind: "ClusterRole", name: "writes-roles" } });
    await api.post(`${BERTH}/tenants`, aTenantObject("shop"), as("root"));
    const more = [{ verbs: ["get"], apiGroups: ["berth.dev"], resources: ["workloads"] }];
    const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/shop/roles";
    const role = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: "more" },
      rules: more,
    };
    expect((await api.post(roles, role, as("eve"))).status).toBe(403);
    expect((await api.get("/metrics", as("n1"))).status).toBe(403);
    const { out } = await audit("--refused");
    expect(out).toMatch(/nil \([0-9a-f]{8}\) +list nodes\.berth\.dev: no role allows it, 20 req/);
    expect(out).toMatch(/eve \([0-9a-f]{8}\) +POST \S+shop\/roles: rule AZ12\n/);
    const own = await audit("--refused", "--actor", "eve", "--json");
    expect(JSON.parse(own.out)).toMatchObject({ user: "eve", by: "AZ12", count: 1 });
    expect(own.out).not.toContain("token-of");
  });

  test("and the rights that were used have no token that a caller put into a path [AN11]", async () => {
    const wrong = newToken();
    expect((await api.get(`${BERTH}/nodes/${wrong}`, as("eve"))).status).toBe(403);
    const all = { verbs: ["get"], apiGroups: ["berth.dev"], resources: ["slos"] };
    const key = keyOf({ kind: "ClusterRole", namespace: "", name: "gets" });
    await api.send(putting(key, { kind: "ClusterRole", spec: { rules: [all] } }), "user");
    await grant(api.plane, { user: "nil", role: { kind: "ClusterRole", name: "gets" } });
    expect((await api.get(`${BERTH}/slos/${wrong}`, as("nil"))).status).toBe(404);
    const { out } = await audit("--refused", "--actor", "eve");
    expect(out).toContain("get nodes.berth.dev <token>");
    const uses = await api.get("/access/uses?since=2020-01-01", as("root"));
    expect(uses.text).toContain("slos");
    const kept = (readdirSync(join(folder, "audit"), { recursive: true }) as string[])
      .filter((name) => /\.jsonl?$/.test(name))
      .map((name) => readFileSync(join(folder, "audit", name), "utf8"));
    expect(kept.length).toBeGreaterThan(2);
    expect([out, uses.text, ...kept].filter((text) => text.includes(wrong))).toEqual([]);
  });

  test("grows the log by nothing [AZ53]", async () => {
    const { revision } = api.plane;
    for (let at = 0; at < 50; at += 1) await api.get(`${BERTH}/nodes`, as("nil"));
    expect(api.plane.revision).toBe(revision);
  });

  test("verifies what is kept, and exports it as a file that can be verified [AZ53]", async () => {
    expect((await audit("--refused", "--verify")).out).toMatch(
      /^Verified \d+ kept lines of \d call/,
    );
    const file = join(folder, "refused.jsonl");
    const { err } = await audit("--refused", "--export", file);
    const [, head = ""] = /--head HEAD: (\S+)\n/.exec(err) ?? [];
    const good = await runBerth("audit", "--verify-file", file, "--head", head);
    expect(good.out).toMatch(/The file is unchanged since the export/);
    writeFileSync(file, readFileSync(file, "utf8").replace('"eve"', '"ada"'));
    expect((await runBerth("audit", "--verify-file", file)).out).toMatch(/Hash mismatch in line/);
  });

  test("is for callers with a right to it [AZ53]", async () => {
    for (const path of ["/audit/refusals", "/audit/refusals/verify"]) {
      expect((await api.get(path, as("eve"))).status).toBe(403);
    }
  });
});
