/** Values of environment variables with the real kubectl, for a user who deploys and may not see them. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ObjectKey } from "../../src/core/model/ids.ts";
import type { Workload } from "../../src/core/model/objects.ts";
import { aCertificate } from "../builders/a-certificate.ts";
import { ServedPlane } from "./served-plane.ts";

const tls = aCertificate();
const served = new ServedPlane({
  tls,
  auth: {
    tokens: [
      { token: "secret-of-root", kind: "local", name: "root" },
      { token: "secret-of-dep", kind: "user", name: "dep" },
    ],
  },
});
type User = "root" | "dep";

beforeAll(async () => {
  await served.start();
  await kubectl("root", "create", "namespace", "payments");
  const verbs = "--verb=get,list,watch,create,update,patch";
  await kubectl("root", "create", "role", "deploy", verbs, "--resource=workloads.berth.dev");
  await kubectl("root", "create", "rolebinding", "dep", "--role=deploy", "--user=dep");
});
afterAll(() => served.remove());

async function kubectl(user: User, ...args: readonly string[]): Promise<string> {
  const cache = path.join(served.folder, "kube-cache");
  const where = ["--kubeconfig", configOf(user), `--cache-dir=${cache}`, "--namespace=payments"];
  const child = spawn("kubectl", [...where, ...args]);
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await new Promise((resolve) => child.on("close", resolve));
  return said;
}

function configOf(name: User): string {
  const cluster = {
    server: served.url,
    "certificate-authority-data": Buffer.from(tls.cert).toString("base64"),
    "tls-server-name": "localhost",
  };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "berth", cluster }],
    users: [{ name, user: { token: `secret-of-${name}` } }],
    contexts: [{ name: "berth", context: { cluster: "berth", user: name } }],
    "current-context": "berth",
  };
  return file(`${name}.json`, JSON.stringify(config));
}

function file(name: string, text: string): string {
  const at = path.join(served.folder, name);
  writeFileSync(at, text);
  return at;
}

const manifest = (env: string): string =>
  file(
    "api.yaml",
    `apiVersion: berth.dev/v1
kind: Workload
metadata: { name: api }
spec:
  replicas: 1
  resources: { cpu: 100m, memory: 64Mi }
  run: { command: [serve], env: ${env} }
`,
  );
const values = () => {
  const held = served.running.objects.get("Workload/payments/api" as ObjectKey) as Workload;
  return held.spec.template.run?.env;
};

test("kubectl shows no value, and apply, label and replace of what was read keep them [AZ49]", async () => {
  const before = { KEY: "marker-one", LOG: "marker-info" };
  await kubectl("root", "apply", "-f", manifest("{ KEY: marker-one, LOG: marker-info }"));
  expect(values()).toEqual(before);
  const read = await kubectl("dep", "get", "workload", "api", "-o", "yaml");
  expect(read).toContain("KEY: <hidden>");
  expect(read).not.toContain("marker");
  expect(await kubectl("dep", "replace", "-f", file("read.yaml", read))).toContain("replaced");
  expect(await kubectl("dep", "label", "workload", "api", "app=risk")).toContain("labeled");
  expect(values()).toEqual(before);
  await kubectl("dep", "apply", "-f", manifest("{ KEY: <hidden>, LOG: debug, NEW: one }"));
  expect(values()).toEqual({ KEY: "marker-one", LOG: "debug", NEW: "one" });
  // kubectl knows from its annotation, whose values are hidden too, which names have gone.
  await kubectl("dep", "apply", "-f", manifest("{ KEY: <hidden> }"));
  expect(values()).toEqual({ KEY: "marker-one" });
  const side = ["apply", "--server-side", "--force-conflicts", "-f"];
  await kubectl("dep", ...side, manifest("{ KEY: <hidden>, MORE: two }"));
  expect(values()).toEqual({ KEY: "marker-one", MORE: "two" });
  const refused = await kubectl("dep", "apply", "-f", manifest("{ NONE: <hidden> }"));
  expect(refused).toContain("spec.run.env.NONE: is the placeholder");
});
