/** Secrets with the real kubectl: what it writes is sealed, and what it reads has no values. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ObjectKey } from "../../src/core/model/ids.ts";
import type { Secret } from "../../src/core/model/objects.ts";
import { openValues } from "../../src/host/seal/seal-secret.ts";
import { parseSecretKeys, type SecretKeys } from "../../src/host/seal/secret-keys.ts";
import { ServedPlane } from "./served-plane.ts";

const keys = parseSecretKeys(randomBytes(32).toString("base64")) as SecretKeys;
const served = new ServedPlane({ secretKeys: { current: keys } });
beforeAll(async () => {
  await served.start();
  await kubectl("create", "namespace", "payments");
});
afterAll(() => served.remove());

async function kubectl(...args: readonly string[]): Promise<string> {
  const where = [
    `--server=${served.url}`,
    `--cache-dir=${path.join(served.folder, "kube-cache")}`,
    "--namespace=payments",
  ];
  const child = spawn("kubectl", [...where, ...args]);
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await new Promise((resolve) => child.on("close", resolve));
  return said;
}

const held = (name: string): Secret =>
  served.running.objects.get(`Secret/payments/${name}` as ObjectKey) as Secret;
const valuesOf = (name: string): Record<string, string> => {
  const { key, spec } = held(name);
  return Object.fromEntries([...openValues(key, spec, keys)].map(([k, v]) => [k, v.toString()]));
};
function manifest(text: string): string {
  const file = path.join(served.folder, "secret.yaml");
  writeFileSync(file, `apiVersion: v1\nkind: Secret\nmetadata: { name: db }\n${text}`);
  return file;
}

test("kubectl creates, lists, describes and deletes a secret, and reads no value [SE1]", async () => {
  const literals = ["--from-literal=password=correct-horse", "--from-literal=user=ann"];
  expect(await kubectl("create", "secret", "generic", "made", ...literals)).toContain("created");
  expect(valuesOf("made")).toEqual({ password: "correct-horse", user: "ann" });
  expect(await kubectl("get", "secrets")).toMatch(/NAME +TYPE +DATA +AGE\s+made +Opaque +2/);
  const described = await kubectl("describe", "secret", "made");
  expect(described).toMatch(/password: +13 bytes/);
  expect(described).toMatch(/user: +3 bytes/);
  const yaml = await kubectl("get", "secret", "made", "-o", "yaml");
  expect(yaml).toContain(`password: ${Buffer.alloc(13).toString("base64")}`);
  expect(await kubectl("create", "secret", "generic", "made", ...literals)).toContain("exists");
  expect(await kubectl("explain", "secret.stringData")).toContain("Values as text");
  expect(await kubectl("delete", "secret", "made")).toContain("deleted");
  expect(await kubectl("get", "secrets")).toContain("No resources found");
});

test("kubectl apply changes values, drops keys and keeps no value in its annotation [SE2][SE4]", async () => {
  await kubectl("apply", "-f", manifest("stringData: { password: marker-one, user: ann }\n"));
  const first = held("db");
  expect(valuesOf("db")).toEqual({ password: "marker-one", user: "ann" });
  expect(JSON.stringify(first)).not.toContain("marker");
  await kubectl("apply", "-f", manifest("stringData: { password: marker-one, user: ann }\n"));
  expect(held("db").spec).toEqual(first.spec);
  const two = Buffer.from("marker-two").toString("base64");
  await kubectl("apply", "-f", manifest(`data: { password: ${two}, more: "" }\n`));
  await kubectl("apply", "-f", manifest(`data: { password: ${two} }\n`));
  // As in Kubernetes, what came from stringData stays until data names it.
  expect(valuesOf("db")).toEqual({ password: "marker-two", user: "ann" });
  const text = JSON.stringify(held("db"));
  expect(text).not.toContain("marker");
  expect(text).not.toContain(two);
});

test("server-side apply, labels and a replace of what was read keep the values [SE1]", async () => {
  const applying = ["apply", "--server-side", "--force-conflicts", "-f"];
  await kubectl(...applying, manifest("stringData: { password: marker-three }\n"));
  expect(valuesOf("db")["password"]).toBe("marker-three");
  await kubectl("label", "secret", "db", "app=risk");
  const read = await kubectl("get", "secret", "db", "-o", "json");
  const file = path.join(served.folder, "read.json");
  writeFileSync(file, read);
  expect(await kubectl("replace", "-f", file)).toContain("replaced");
  expect(valuesOf("db")).toEqual({ password: "marker-three" });
  const elsewhere = path.join(served.folder, "copied.json");
  writeFileSync(elsewhere, read.replace('"name": "db"', '"name": "copy"'));
  const copied = await kubectl("create", "-f", elsewhere);
  expect(copied).toMatch(/data\.password: has only zero bytes/);
});

test("what is wrong with a secret is told without its values [SE2][SE7]", async () => {
  const wrong = await kubectl("apply", "-f", manifest("stringData: { pin: 918273 }\n"));
  expect(wrong).toContain("stringData.pin: expected text; numbers need quotes");
  expect(wrong).not.toContain("918273");
  const not64 = await kubectl("create", "-f", manifest("data: { pin: 'marker?' }\n"));
  expect(not64).toContain("base64");
  expect(not64).not.toContain("marker?");
  const long = manifest(`stringData: { pin: ${"x".repeat(17_000)} }\n`);
  expect(await kubectl("create", "-f", long)).toContain(
    "found 17000 bytes; expected at most 16384",
  );
});

test("an immutable secret keeps its values [SE6]", async () => {
  const made = ["create", "secret", "generic", "fixed", "--from-literal=a=1"];
  await kubectl(...made);
  await kubectl("patch", "secret", "fixed", "-p", '{"immutable":true}');
  const changed = await kubectl("patch", "secret", "fixed", "-p", '{"stringData":{"a":"2"}}');
  expect(changed).toContain("the secret is immutable");
  expect(valuesOf("fixed")).toEqual({ a: "1" });
  await kubectl("label", "secret", "fixed", "app=risk");
  expect(held("fixed").meta.labels).toEqual({ app: "risk" });
});
