/**
 * The client library as a consumer has it: the built package in a node_modules of its own, the
 * example controller beside it, and a plane with a log on disk.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildTypes } from "../../scripts/build-types.mjs";
import { bundleClient } from "../../scripts/bundle.mjs";
import { aBuildFolder } from "../builders/a-build-folder.ts";
import { removeFolder } from "../builders/remove-folder.ts";
import { BerthClient } from "../../src/client/client.ts";
import { ServedPlane } from "./served-plane.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const consumer = mkdtempSync(join(tmpdir(), "berth-consumer-"));
const installed = join(consumer, "node_modules", "@berth-dev", "berth");
const built = aBuildFolder("client-package");
const plane = new ServedPlane();
let controller: ChildProcess | undefined;

beforeAll(async () => {
  mkdirSync(installed, { recursive: true });
  await Promise.all([bundleClient(built), buildTypes(join(built, "types"))]);
  cpSync(built, join(installed, "dist"), { recursive: true });
  copyFileSync(join(root, "package.json"), join(installed, "package.json"));
  copyFileSync(join(root, "examples/controller/controller.mjs"), join(consumer, "controller.mjs"));
  await plane.start();
});
afterAll(async () => {
  controller?.kill("SIGKILL");
  await plane.remove();
  await Promise.all([removeFolder(consumer), removeFolder(built)]);
});

test("[AP350] the built client library imports nothing but Node's own modules", () => {
  const seen = new Set<string>();
  const waiting = ["client.js"];
  for (const file of waiting) {
    const text = readFileSync(join(installed, "dist", file), "utf8");
    for (const [, name = ""] of text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)) {
      if (name.startsWith("./")) waiting.push(name.slice(2));
      else seen.add(name);
    }
  }
  expect([...seen].filter((name) => !name.startsWith("node:"))).toEqual([]);
});

test("[AP350] a consumer's compiler checks the example against the shipped types", async () => {
  const wrong = `import { BerthClient, type Kinds } from "@berth-dev/berth/client";
const client = new BerthClient({ server: "http://127.0.0.1:1" });
export const workload: Promise<Kinds["Workload"]> = client.kind("Workload").get("a");
// @ts-expect-error There is no such kind.
client.kind("Pod");
// @ts-expect-error A number of replicas is a number.
void client.kind("Workload").apply({ metadata: { name: "a" }, spec: { replicas: "three" } });
`;
  writeFileSync(join(consumer, "usage.mts"), wrong);
  writeFileSync(
    join(consumer, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        target: "es2023",
        module: "nodenext",
        strict: true,
        noEmit: true,
        checkJs: true,
        types: ["node"],
        typeRoots: [join(root, "node_modules/@types")],
      },
      files: ["controller.mjs", "usage.mts"],
    }),
  );
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const run = promisify(execFile)(process.execPath, [compiler, "-p", consumer]);
  const said = await run.catch(({ stdout }: { readonly stdout: string }) => ({ stdout }));
  expect(said.stdout).toBe("");
});

test("[AP352] the example controller follows workloads through a restart of the plane", async () => {
  const client = new BerthClient({ server: plane.url, namespace: "payments" });
  await client.kind("Tenant").apply({ metadata: { name: "payments" } });
  const workloads = client.kind("Workload");
  const spec = { resources: { cpu: "100m", memory: "16Mi" }, run: { command: ["serve"] } };
  await workloads.apply({ metadata: { name: "a" }, spec });
  controller = spawn(process.execPath, ["controller.mjs"], {
    cwd: consumer,
    env: { ...process.env, BERTH_SERVER: plane.url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const isSaid = async (name: string, message: string): Promise<void> => {
    for await (const event of workloads.watch({ fieldSelector: `metadata.name=${name}` })) {
      const objects = event.type === "LISTED" ? event.objects : [event.object];
      const conditions = objects.flatMap(({ status }) => status?.conditions ?? []);
      if (conditions.some((condition) => condition.message === message)) return;
    }
  };
  await isSaid("a", "Add the label team.");
  await workloads.patch("a", { metadata: { labels: { team: "risk" } } });
  await isSaid("a", "Owned by risk.");
  await plane.stop();
  await plane.start();
  await workloads.apply({ metadata: { name: "b", labels: { team: "core" } }, spec });
  await isSaid("b", "Owned by core.");
  const ended = new Promise((resolve) => controller?.once("exit", resolve));
  controller.kill("SIGTERM");
  expect(await ended).toBe(0);
});
