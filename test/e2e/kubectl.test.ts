/** The real kubectl against a real plane: what people type first must work. */
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../host/a-running-plane.ts";
import { ServedPlane } from "./served-plane.ts";

const served = new ServedPlane();
beforeAll(() => served.start());
afterAll(() => served.remove());

const flags = (): string[] => [
  `--server=${served.url}`,
  `--cache-dir=${path.join(served.folder, "kube-cache")}`,
];

interface Said {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The plane runs in this very process, so kubectl must not be waited for in one blocking call. */
async function kubectl(...args: string[]): Promise<Said> {
  const child = spawn("kubectl", [...flags(), ...args]);
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, out, err };
}

async function ok(...args: string[]): Promise<string> {
  const { code, out, err } = await kubectl(...args);
  expect(`${err}${code === 0 ? "" : ` exit ${code}`}`).toBe("");
  return out;
}

function manifest(name: string, text: string): string {
  const file = path.join(served.folder, name);
  writeFileSync(file, text);
  return file;
}

const TENANT = `
apiVersion: berth.dev/v1
kind: Tenant
metadata: { name: payments }
spec: { displayName: Payments }
---
apiVersion: berth.dev/v1
kind: Quota
metadata: { name: default, namespace: payments }
spec: { limit: { cpu: "8", memory: 8Gi } }
`;

const workload = (replicas: number): string => `
apiVersion: berth.dev/v1
kind: Workload
metadata: { name: risk-api, namespace: payments, labels: { app: risk } }
spec:
  type: service
  replicas: ${replicas}
  resources: { cpu: 500m, memory: 256Mi }
  placement: { regions: [eu-west], spread: [{ by: zone, maxSkew: 1 }] }
  run: { command: [node, server.js], ports: [http], env: { LOG: "debug" } }
`;

describe("kubectl", () => {
  test("is there", () => {
    expect(spawnSync("kubectl", ["version", "--client"]).status).toBe(0);
  });

  test("apply creates, changes and leaves alone", async () => {
    expect(await ok("apply", "-f", manifest("tenant.yaml", TENANT))).toContain("created");
    expect(await ok("apply", "-f", manifest("wl.yaml", workload(2)))).toContain("created");
    expect(await ok("apply", "-f", manifest("wl.yaml", workload(2)))).toContain("unchanged");
    expect(await ok("apply", "-f", manifest("wl.yaml", workload(3)))).toContain("configured");
  });

  test("get shows tables, labels select, and JSON is whole", async () => {
    await until("three queued replicas", () =>
      served.running.objects.all("Replica").size === 3 ? true : undefined,
    );
    const table = await ok("get", "workloads", "-A");
    expect(table).toMatch(/NAMESPACE\s+NAME\s+READY\s+STAGES/);
    expect(table).toMatch(/payments\s+risk-api\s+0\/3/);
    expect(await ok("get", "wl", "-n", "payments", "-l", "app=risk", "-o", "name")).toBe(
      "workload.berth.dev/risk-api\n",
    );
    const none = await kubectl("get", "wl", "-n", "payments", "-l", "app!=risk");
    expect(none.err).toContain("No resources found");
    const object = JSON.parse(
      await ok("get", "wl", "risk-api", "-n", "payments", "-o", "json"),
    ) as {
      spec: { resources: unknown };
    };
    expect(object.spec.resources).toEqual({ cpu: "500m", memory: "256Mi" });
  });

  test("describe says where it stopped, explain knows the fields", async () => {
    const described = await ok("describe", "wl", "risk-api", "-n", "payments");
    expect(described).toContain("WaitingForNode");
    expect(await ok("explain", "workloads.spec.placement")).toContain("nodeSelector");
  });

  test("scale and patch go through the API's own checks", async () => {
    await ok("scale", "wl/risk-api", "-n", "payments", "--replicas=1");
    await ok(
      "patch",
      "wl",
      "risk-api",
      "-n",
      "payments",
      "--type=merge",
      "-p",
      '{"spec":{"replicas":2}}',
    );
    const jsonPatch = '[{"op":"replace","path":"/spec/replicas","value":4}]';
    await ok("patch", "wl", "risk-api", "-n", "payments", "--type=json", "-p", jsonPatch);
    expect(
      await ok("get", "wl", "risk-api", "-n", "payments", "-o", "jsonpath={.spec.replicas}"),
    ).toBe("4");
    const bad = await kubectl(
      "patch",
      "wl",
      "risk-api",
      "-n",
      "payments",
      "--type=merge",
      "-p",
      '{"spec":{"replicas":-1}}',
    );
    expect(bad.code).not.toBe(0);
    expect(bad.err).toContain("replicas");
  });

  test("a misspelt field is named, with what was probably meant", async () => {
    const file = manifest("bad.yaml", workload(2).replace("replicas:", "replica:"));
    const { code, err } = await kubectl("apply", "-f", file);
    expect(code).not.toBe(0);
    expect(err).toContain("replica");
  });

  test("get -w shows changes as they happen", async () => {
    const child = spawn("kubectl", [...flags(), "get", "wl", "-n", "payments", "-w"]);
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    await until("the first row", () => (out.includes("risk-api") ? true : undefined));
    await ok("scale", "wl/risk-api", "-n", "payments", "--replicas=6");
    await until("the change", () => (out.includes("0/6") ? true : undefined));
    child.kill();
    expect(out.indexOf("0/4")).toBeLessThan(out.indexOf("0/6"));
  });

  test("delete waits until the last replica is gone, wait hears of it", async () => {
    const waiting = kubectl(
      "wait",
      "wl/risk-api",
      "-n",
      "payments",
      "--for=delete",
      "--timeout=60s",
    );
    expect(await ok("delete", "wl", "risk-api", "-n", "payments")).toContain("deleted");
    expect((await waiting).code).toBe(0);
    expect(served.running.objects.all("Replica").size).toBe(0);
    const gone = await kubectl("get", "wl", "risk-api", "-n", "payments");
    expect(gone.err).toContain("NotFound");
  });
});
