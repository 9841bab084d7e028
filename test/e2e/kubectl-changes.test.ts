/** What people change with the real kubectl: an object in an editor, a status, a namespace; and what it tells them. */
import { spawn } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tenantKey, workloadKey } from "../../src/core/model/ids.ts";
import { until } from "../host/a-running-plane.ts";
import { ServedPlane } from "./served-plane.ts";

const served = new ServedPlane();
beforeAll(() => served.start());
afterAll(() => served.remove());

/** The plane runs in this very process, so kubectl must not be waited for in one blocking call. */
async function kubectl(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { out, err, code } = await said(args, env);
  expect(`${err}${code === 0 ? "" : ` exit ${code}`}`).toBe("");
  return out;
}

async function said(args: readonly string[], env: Record<string, string>) {
  const cache = path.join(served.folder, "kube-cache");
  const child = spawn("kubectl", [`--server=${served.url}`, `--cache-dir=${cache}`, ...args], {
    env: { ...process.env, ...env },
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { out, err, code };
}

function file(name: string, text: string): string {
  const at = path.join(served.folder, name);
  writeFileSync(at, text);
  return at;
}

const QUOTA = `
apiVersion: berth.dev/v1
kind: Quota
metadata: { name: default, namespace: payments }
spec: { limit: { cpu: "8", memory: 8Gi } }
---
apiVersion: berth.dev/v1
kind: Workload
metadata: { name: risk-api, namespace: payments }
spec:
  replicas: 1
  resources: { cpu: 500m, memory: 256Mi }
  run: { command: [node, server.js] }
`;

const IN = ["-n", "payments"] as const;
const WORKLOAD = ["workload", "risk-api", ...IN] as const;

const revision = (): number =>
  served.running.objects.workload(workloadKey("payments", "risk-api"))!.meta.revision;

test("create namespace makes a tenant, and work is applied into it", async () => {
  expect(await kubectl(["create", "namespace", "payments"])).toContain("created");
  expect(await kubectl(["get", "tenants", "-o", "name"])).toBe("tenant.berth.dev/payments\n");
  expect(await kubectl(["get", "ns"])).toMatch(/payments\s+Active/);
  expect(await kubectl(["apply", "-f", file("work.yaml", QUOTA)])).toContain("created");
});

test("edit changes what the editor changed", async () => {
  const editor = file("editor.sh", '#!/bin/sh\nexec sed -i "s/replicas: 1/replicas: 3/" "$1"\n');
  chmodSync(editor, 0o755);
  expect(await kubectl(["edit", ...WORKLOAD], { KUBE_EDITOR: editor })).toContain("edited");
  const replicas = ["get", ...WORKLOAD, "-o", "jsonpath={.spec.replicas}"];
  expect(await kubectl(replicas)).toBe("3");
});

test("an edit that changes nothing changes nothing", async () => {
  const before = revision();
  const { err, code } = await said(["edit", ...WORKLOAD], { KUBE_EDITOR: "true" });
  expect(err).toContain("no changes made");
  expect(code).toBe(0);
  expect(revision()).toBe(before);
});

test("patch --subresource=status keeps a condition that wait then hears of", async () => {
  const condition = { type: "Reviewed", status: "True", reason: "LooksGood", message: "Fine." };
  const patch = JSON.stringify({ status: { conditions: [condition] } });
  const status = ["--subresource=status", "--type=merge", "-p", patch];
  await kubectl(["patch", ...WORKLOAD, ...status]);
  await kubectl(["wait", ...WORKLOAD, "--for=condition=Reviewed", "--timeout=30s"]);
  const generation = ["get", ...WORKLOAD, "-o", "jsonpath={.metadata.generation}"];
  expect(await kubectl(generation)).toBe("2");
});

test("describe shows the events of a replica, and get events those of all", async () => {
  await until("a replica to wait for a node", () =>
    [...served.running.objects.all("Replica").keys(), workloadKey("payments", "risk-api")]
      .flatMap((key) => served.running.decisions.about(key))
      .find(({ controller, decision }) => controller === "place-1" && decision.kind === "wait"),
  );
  const described = await kubectl(["describe", "replica", "risk-api.1.0", ...IN]);
  expect(described).toMatch(/Events:\s+Type\s+Reason\s+Age\s+From\s+Message/);
  expect(described).toMatch(/Normal\s+Admitted\s.*admit\s+Starting incarnation 1\./);
  expect(described).toMatch(/Normal\s+Queued\s/);
  expect(described).toMatch(/Warning\s+Pending\s.*place-1\s+Pending: /);
  const events = await kubectl(["get", "events", ...IN]);
  expect(events).toMatch(/LAST SEEN\s+TYPE\s+REASON\s+OBJECT\s+MESSAGE/);
  expect(events).toMatch(/Normal\s+Scaled\s+workload\/risk-api\s+Scaled from 1 to 3 replicas\./);
  expect(await kubectl(["events", ...IN, "--for", "replica/risk-api.1.0"])).toContain("Admitted");
});

test("apply changes a namespace, and says which kind does not exist", async () => {
  const namespace = (label: string): string =>
    file(
      "ns.yaml",
      `apiVersion: v1\nkind: Namespace\nmetadata: {name: web, labels: {${label}: a}}\n`,
    );
  expect(await kubectl(["apply", "-f", namespace("red")])).toContain("created");
  expect(await kubectl(["apply", "-f", namespace("blue")])).toContain("configured");
  const labels = ["get", "namespace", "web", "-o", "jsonpath={.metadata.labels}"];
  expect(await kubectl(labels)).toBe('{"blue":"a"}');
  const unknown = "apiVersion: x.dev/v1\nkind: Foo\nmetadata: {name: a}\n";
  const { err } = await said(["apply", "-f", file("foo.yaml", unknown)], {});
  expect(err).toContain('no matches for kind "Foo" in version "x.dev/v1"');
  const config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
  const ofCore = await said(["apply", "-f", file("config.yaml", config)], {});
  expect(ofCore.err).toContain('no matches for kind "ConfigMap" in version "v1"');
  const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: web}\n";
  const ofPod = await said(["apply", "-f", file("pod.yaml", pod)], {});
  expect(ofPod.err).toContain("Pods show the replicas of workloads");
});

test("delete takes back one's own manifest, and all of a namespace, in any order", async () => {
  const namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: web}\n---\n";
  const own = file("own.yaml", `${namespace}${QUOTA.replaceAll("payments", "web")}`);
  await kubectl(["apply", "-f", own]);
  await until("a replica that holds quota", () =>
    [...served.running.objects.all("Replica").values()].find(
      ({ meta, status }) => meta.namespace === "web" && status.stage === "queued",
    ),
  );
  expect(await kubectl(["delete", "all", "--all", "-n", "web"])).toContain(
    'workload.berth.dev "risk-api" deleted',
  );
  await kubectl(["apply", "-f", own]);
  expect(await kubectl(["delete", "-f", own])).toContain('quota.berth.dev "default" deleted');
  expect(served.running.objects.get(tenantKey("web"))).toBeUndefined();
});

test("delete namespace waits until all it owns has gone with it", async () => {
  expect(await kubectl(["delete", "namespace", "payments"])).toContain("deleted");
  for (const kind of ["Tenant", "Workload", "Quota", "Replica"] as const) {
    expect(served.running.objects.all(kind).size).toBe(0);
  }
});
