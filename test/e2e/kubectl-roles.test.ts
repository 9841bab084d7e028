/** Roles and bindings by the real kubectl: made, shown, applied, reconciled and deleted. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ObjectKey } from "../../src/core/model/ids.ts";
import { until } from "../host/a-running-plane.ts";
import { aCertificate } from "../builders/a-certificate.ts";
import { ServedPlane } from "./served-plane.ts";

const tls = aCertificate();
const served = new ServedPlane({
  tls,
  auth: {
    tokens: [
      { token: "secret-of-root", kind: "local", name: "root" },
      { token: "secret-of-ana", kind: "user", name: "ana", groups: ["devs"] },
    ],
  },
});
const ROOT = "secret-of-root";
const ANA = "secret-of-ana";
beforeAll(async () => {
  await served.start();
  await kubectl(["create", "namespace", "payments"]);
});
afterAll(() => served.remove());

async function kubectl(args: readonly string[]): Promise<string> {
  const { out, err, code } = await said(args);
  expect(`${err}${code === 0 ? "" : ` exit ${code}`}`).toBe("");
  return out;
}

async function said(args: readonly string[], token = ROOT) {
  const cache = path.join(served.folder, "kube-cache");
  const child = spawn("kubectl", [
    "--kubeconfig",
    configOf(token),
    `--cache-dir=${cache}`,
    ...args,
  ]);
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { out, err, code };
}

/** kubectl takes a token from its file alone when it is given no other credential. */
function configOf(token: string): string {
  const authority = Buffer.from(tls.cert).toString("base64");
  const cluster = {
    server: served.url,
    "certificate-authority-data": authority,
    "tls-server-name": "localhost",
  };
  const user = { token };
  return file(
    `${token}.json`,
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "berth", cluster }],
      users: [{ name: "user", user }],
      contexts: [{ name: "berth", context: { cluster: "berth", user: "user" } }],
      "current-context": "berth",
    }),
  );
}

function file(name: string, text: string): string {
  const at = path.join(served.folder, name);
  writeFileSync(at, text);
  return at;
}

const IN = ["-n", "payments"] as const;
const json = async (args: readonly string[]) =>
  JSON.parse(await kubectl([...args, "-o", "json"])) as Record<string, unknown>;

test("create role, rolebinding, clusterrole and clusterrolebinding make objects in Kubernetes' form [AP450]", async () => {
  const verbs = ["--verb=get,list", "--resource=workloads.berth.dev"];
  await kubectl(["create", "role", "reader", ...verbs, ...IN]);
  await kubectl(["create", "rolebinding", "readers", "--role=reader", "--user=ana", ...IN]);
  await kubectl([
    "create",
    "clusterrole",
    "team:metrics",
    "--verb=get",
    "--non-resource-url=/metrics",
  ]);
  const given = ["--clusterrole=operator", "--group=platform", "--serviceaccount=payments:bot"];
  await kubectl(["create", "clusterrolebinding", "operators", ...given]);

  expect(await json(["get", "role", "reader", ...IN])).toMatchObject({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    rules: [{ verbs: ["get", "list"], apiGroups: ["berth.dev"], resources: ["workloads"] }],
  });
  const readers = await json(["get", "rolebinding", "readers", ...IN]);
  expect(readers).not.toHaveProperty("spec");
  expect(readers).toMatchObject({
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "reader" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "ana" }],
  });
  expect(await json(["get", "clusterrolebinding", "operators"])).toMatchObject({
    subjects: [
      { apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "platform" },
      { kind: "ServiceAccount", name: "bot", namespace: "payments" },
    ],
  });
  const table = await kubectl(["get", "clusterrolebindings"]);
  expect(table).toMatch(/NAME\s+ROLE\s+AGE/);
  expect(table).toMatch(/operators\s+ClusterRole\/operator/);
  const described = await kubectl(["describe", "clusterrole", "team:metrics"]);
  expect(described).toContain("/metrics");
  expect(await kubectl(["explain", "role.rules.verbs"])).toContain("FIELD: verbs");
});

const MANIFEST = (verbs: string): string => `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: scaler, namespace: payments }
rules:
  - { apiGroups: [berth.dev], resources: [workloads/scale], verbs: [${verbs}] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: scalers, namespace: payments }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: scaler }
subjects:
  - { apiGroup: rbac.authorization.k8s.io, kind: Group, name: oncall }
`;

test("apply changes what the file changed, server-side, too, and an unchanged file changes nothing", async () => {
  const first = file("first.yaml", MANIFEST("get"));
  const second = file("second.yaml", MANIFEST("get, update"));
  expect(await kubectl(["apply", "-f", first])).toContain(
    "role.rbac.authorization.k8s.io/scaler created",
  );
  expect(await kubectl(["apply", "-f", first])).toMatch(/scaler unchanged\n.*scalers unchanged/);
  expect(await kubectl(["apply", "-f", second])).toMatch(/scaler configured\n.*scalers unchanged/);
  expect(await json(["get", "role", "scaler", ...IN])).toMatchObject({
    rules: [{ verbs: ["get", "update"] }],
  });
  const force = ["--server-side", "--force-conflicts"];
  expect(await kubectl(["apply", ...force, "-f", first])).toContain("serverside-applied");
  expect(await said(["diff", "-f", first])).toEqual({ out: "", err: "", code: 0 });
});

test("auth reconcile adds what is missing, and makes a binding anew for another role", async () => {
  const wider = MANIFEST("get, patch").replace(
    "name: scaler }\nsubjects",
    "name: reader }\nsubjects",
  );
  const { out, err, code } = await said(["auth", "reconcile", "-f", file("wider.yaml", wider)]);
  expect(code).toBe(0);
  expect(err).toContain("missing rules added");
  expect(out).toContain("role.rbac.authorization.k8s.io/scaler reconciled");
  expect(out).toContain("rolebinding.rbac.authorization.k8s.io/scalers reconciled");
  expect(await json(["get", "role", "scaler", ...IN])).toMatchObject({
    rules: [{ verbs: ["get"] }, { verbs: ["patch"] }],
  });
  expect(await json(["get", "rolebinding", "scalers", ...IN])).toMatchObject({
    roleRef: { name: "reader" },
  });
});

test("another role for a binding is refused with what to do instead [AZ13]", async () => {
  const patch = JSON.stringify({ roleRef: { name: "scaler" } });
  const { err, code } = await said([
    "patch",
    "rolebinding",
    "scalers",
    ...IN,
    "--type=merge",
    "-p",
    patch,
  ]);
  expect(code).toBe(1);
  expect(err).toContain("delete the binding and make another");
});

test("a mistake in a rule is told at its place", async () => {
  const wrong = MANIFEST("get").replace("resources: [workloads/scale], ", "");
  const { err } = await said(["apply", "-f", file("wrong.yaml", wrong)]);
  expect(err).toContain('rules[0].resources: found "none"; expected at least one resource');
});

const can = async (args: readonly string[], token = ANA) =>
  (await said(["auth", "can-i", ...args], token)).out.trim();

test("auth can-i, can-i --list and whoami tell each caller the truth [AZ17] [AP451]", async () => {
  const readers = ["create", "rolebinding", "devs", "--role=reader", "--group=devs", ...IN];
  await kubectl(readers);
  expect(await can(["list", "workloads.berth.dev", ...IN])).toBe("yes");
  expect(await can(["delete", "workloads.berth.dev", ...IN])).toBe(
    "no - No role binding allows it.",
  );
  expect(await can(["list", "workloads.berth.dev", "-n", "fraud"])).toContain("no - ");
  expect(await can(["list", "workloads.berth.dev", "-A"])).toContain("no - ");
  expect(await can(["get", "/metrics"])).toContain("no - ");
  expect(await can(["get", "/healthz"])).toBe("yes");
  expect(await can(["*", "*"], ROOT)).toBe("yes");
  const as = ["--as=ana", "--as-group=devs"];
  expect(await can(["list", "workloads.berth.dev", ...IN, ...as], ROOT)).toBe("yes");
  expect(await can(["list", "workloads.berth.dev", ...IN, "--as=eve"], ROOT)).toContain("no - ");
  const list = await can(["--list", ...IN]);
  expect(list).toMatch(/workloads\.berth\.dev\s+\[\]\s+\[\]\s+\[get list\]/);
  expect(list).toMatch(
    /selfsubjectaccessreviews\.authorization\.k8s\.io\s+\[\]\s+\[\]\s+\[create\]/,
  );
  expect(list).not.toContain("clusterroles");
  const whoami = await said(["auth", "whoami", "-o", "json"], ANA);
  expect(JSON.parse(whoami.out)).toMatchObject({
    status: { userInfo: { username: "ana", groups: ["devs", "system:authenticated"] } },
  });
});

const glass = (name: string, inMs: number): string => `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: ${name}
  annotations: { berth.dev/expires-at: "${new Date(Date.now() + inMs).toISOString()}" }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: break-glass }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: ana }]
`;

/** On a busy machine a short time may be over before kubectl has sent it: then a longer one is given. */
async function applyShort(): Promise<void> {
  let isGiven = false;
  for (let lastsMs = 2_000; !isGiven; lastsMs *= 4) {
    const { err, code } = await said(["apply", "-f", file("short.yaml", glass("short", lastsMs))]);
    isGiven = code === 0;
    expect(err).toMatch(isGiven ? /^$/ : /expected a time to come/);
  }
}

test("break-glass is told of when it is given, at each use, and when its time is over [AZ18]", async () => {
  await kubectl(["apply", "-f", file("glass.yaml", glass("glass", 3_600_000))]);
  const used = await said(["create", "namespace", "fire"], ANA);
  expect(used.err).toBe("");
  await applyShort();
  const binding = "ClusterRoleBinding//short" as ObjectKey;
  await until(
    "the binding to go",
    () => served.running.objects.get(binding) === undefined || undefined,
  );
  const events = await json(["get", "events", "-A"]);
  const told = (events["items"] as readonly Record<string, string>[]).map(
    ({ type, reason, message }) => `${type} ${reason}: ${message}`,
  );
  expect(
    told.some((each) =>
      each.startsWith("Warning RoleBound: root gave ClusterRole break-glass to User ana until "),
    ),
  ).toBe(true);
  expect(told).toContain(
    "Warning BreakGlassUsed: ana sent a put that ClusterRoleBinding/glass (break-glass) allowed.",
  );
  expect(told).toContain("Warning RoleUnbound: ClusterRole break-glass of User ana has ended.");
});

test("the ready roles are shown as every other, and cannot be changed [AZ11]", async () => {
  const table = await kubectl([
    "get",
    "clusterroles",
    "--sort-by=.metadata.name",
    "--chunk-size=5",
  ]);
  expect(table).toMatch(/^NAME +AGE\n/);
  expect(table).toMatch(/^admin +<unknown>$/m);
  expect(table).toMatch(/^system:node +<unknown>$/m);
  expect(table).toMatch(/^team:metrics +\d+\w+$/m);
  const written = ["get", "clusterroles", "-l", "!berth.dev/ready-role", "-o", "name"];
  expect(await kubectl(written)).toBe("clusterrole.rbac.authorization.k8s.io/team:metrics\n");
  const view = await kubectl(["describe", "clusterrole", "view"]);
  expect(view).toMatch(/^Labels: +berth\.dev\/ready-role=true$/m);
  expect(view).toMatch(/workloads\.berth\.dev +\[\] +\[\] +\[get list watch\]/);

  const refused = /every plane has this role/;
  expect(
    (await said(["create", "clusterrole", "view", "--verb=get", "--resource=pods"])).err,
  ).toMatch(refused);
  expect((await said(["label", "clusterrole", "view", "a=b"])).err).toMatch(refused);
  expect((await said(["delete", "clusterrole", "view"])).err).toMatch(refused);
  const own = file("view.json", JSON.stringify(await json(["get", "clusterrole", "view"])));
  expect((await said(["replace", "-f", own])).err).toMatch(refused);
  expect((await said(["apply", "--server-side", "--force-conflicts", "-f", own])).err).toMatch(
    refused,
  );
});

test("delete takes them away", async () => {
  expect(await kubectl(["delete", "-f", file("first.yaml", MANIFEST("get"))])).toContain("deleted");
  // The ready roles stay.
  const all = ["clusterrole,clusterrolebinding", "-l", "!berth.dev/ready-role"];
  expect(await kubectl(["delete", ...all])).toContain("deleted");
  expect(await kubectl(["get", "clusterrolebinding", "-o", "name"])).toBe("");
});
