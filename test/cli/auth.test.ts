/** `berth auth`: questions about roles, and the preview of a change of them. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { READY_ROLES } from "../../src/core/rules/access/ready-roles.ts";
import { putting } from "../builders/a-plane.ts";
import { operationId, tenantKey } from "../../src/core/model/ids.ts";
import { CommandLine, runCommand } from "./a-served-plane.ts";

const ROLES = `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: deployer, namespace: shop }
rules:
  - { apiGroups: [berth.dev], resources: [workloads], verbs: [get, list, create, update, delete] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: deployers, namespace: shop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: deployer }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: Group, name: devs }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: operators }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: operator }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: olga }]
`;

let line: CommandLine;
beforeAll(async () => {
  line = await CommandLine.start();
  const shop = line.write(
    "shop.yaml",
    "apiVersion: berth.dev/v1\nkind: Tenant\nmetadata: { name: shop }\n",
  );
  await line.must("apply", "-f", shop);
  await line.must("apply", "-f", line.write("roles.yaml", ROLES));
});
afterAll(() => line.stop());

it("can-i says yes or no with the reason, and the exit code says it, too [AZ17]", async () => {
  const as = ["--as", "ana", "--as-group", "devs"];
  expect(await line.berth("auth", "can-i", "create", "workloads", "-n", "shop", ...as)).toEqual({
    code: 0,
    out: "yes: Allowed by RoleBinding/shop/deployers.\n",
    err: "",
  });
  const no = await line.berth("auth", "can-i", "create", "workloads", "-n", "bank", ...as);
  expect(no).toEqual({ code: 1, out: "no: No role binding allows it.\n", err: "" });
  const log = await line.berth("auth", "can-i", "get", "pods/log", "-n", "shop", ...as);
  expect(log.code).toBe(1);
  expect((await line.berth("auth", "can-i", "get", "/metrics", "--as", "olga")).code).toBe(0);
  expect(await line.must("auth", "can-i", "*", "*")).toContain("Group/system:masters");
});

it("who-can lists the subjects with their bindings", async () => {
  const who = await line.must("auth", "who-can", "delete", "workloads", "-n", "shop");
  expect(who).toMatch(/^SUBJECT +BINDING +ROLE +UNTIL\n/);
  expect(who).toMatch(/Group\/devs +RoleBinding\/shop\/deployers +Role\/deployer/);
  expect(who).not.toContain("olga");
  expect(await line.must("auth", "who-can", "fence", "nodes")).toMatch(
    /User\/olga +ClusterRoleBinding\/operators +ClusterRole\/operator/,
  );
});

it("preview names the callers of the audit that a change of roles would refuse", async () => {
  for (const name of ["one", "two"]) {
    const { key, desired, ...rest } = putting(tenantKey(name), {
      kind: "Tenant",
      spec: { displayName: "" },
    });
    const put = { ...rest, key, desired, operation: operationId(name) };
    await line.plane.submit(put, {
      role: "user",
      name: "olga",
      by: { kind: "user", token: "87654321" },
    });
  }
  const file = line.write("roles.yaml", ROLES.replace("name: olga", "name: ole"));
  const { code, out, err } = await line.berth("auth", "preview", "-f", file);
  expect(err).toBe("");
  expect(out).toMatch(
    /^1 caller would be refused:\n {2}olga\n {4}create tenants, 2 times, last at /,
  );
  expect(code).toBe(1);
  const gone = await line.berth("auth", "preview", "-f", file, "--delete", "--json");
  expect(JSON.parse(gone.out)).toMatchObject({ isWhole: true, refused: [{ caller: "olga" }] });
  const same = await line.must("auth", "preview", "-f", line.write("same.yaml", ROLES));
  expect(same).toMatch(/^No caller would be refused\. \d+ writes of the last 7d were checked/);
});

it("the examples apply, and docs/roles.md has every ready role as berth auth roles tells it", async () => {
  const tenant = "apiVersion: berth.dev/v1\nkind: Tenant\nmetadata: { name: payments }\n";
  await line.must("apply", "-f", line.write("payments.yaml", tenant));
  expect(await line.must("apply", "-f", "examples/roles")).toContain("rolebinding/payments/leads");
  const described = await line.must("describe", "rolebinding", "payments/leads");
  expect(described).toMatch(/Role Ref:[^]*name: admin[^]*Subjects:[^]*name: ana/);
  const page = readFileSync("docs/roles.md", "utf8");
  for (const { name, about } of READY_ROLES) {
    expect(page).toContain(`| \`${name}\` | ${about} |`);
    expect((await runCommand(["auth", "roles"])).out).toContain(`${name} `);
  }
  const { out } = await runCommand(["auth", "roles", "view"]);
  expect(out).toContain("kind: ClusterRole");
  expect(await runCommand(["auth", "roles", "veiw"])).toMatchObject({ code: 2 });
});
