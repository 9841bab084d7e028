/** Runs the bundle as a user does, in a process of its own: exit codes, streams and worker threads. */
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../../scripts/bundle.mjs";
import { aBuildFolder } from "../builders/a-build-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
// Inside the repository, so that the bundle finds its packages; apart from dist, which may be older.
const folder = aBuildFolder("e2e");
const script = join(folder, "berth.mjs");

beforeAll(async () => {
  await bundle(folder);
  const start = `import { main } from "./berth.js";\nprocess.exitCode = await main(process.argv.slice(2));\n`;
  writeFileSync(script, start);
});
afterAll(() => rmSync(folder, { recursive: true }));

function berth(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: "utf8" });
}

describe("berth simulate, as a process", () => {
  it("finds the same on two threads as on one, and prints one object and nothing else", () => {
    const args = ["simulate", "--seeds", "1..4", "--faults", "none", "--json"];
    const one = berth(...args);
    const two = berth(...args, "--workers", "2");
    expect(one.stderr).toBe("");
    expect(two.stderr).toBe("");
    const { hash, events, violations } = JSON.parse(one.stdout) as Record<string, unknown>;
    expect(JSON.parse(two.stdout)).toMatchObject({ seeds: 4, hash, events, violations });
  });

  it("puts the recoveries of all threads together, and tells as much as one thread does", () => {
    const world = join(root, "examples", "risk-api-recovery.yaml");
    const args = ["simulate", "--world", world, "--seeds", "1..4", "--json"];
    const one = JSON.parse(berth(...args).stdout) as Record<string, unknown>;
    const two = JSON.parse(berth(...args, "--workers", "2").stdout) as Record<string, unknown>;
    expect(one).toMatchObject({ seeds: 4, violations: [], recoveries: { count: 4 } });
    expect(two["recoveries"]).toEqual(one["recoveries"]);
    expect(two["hash"]).toBe(one["hash"]);
  });

  it("exits with 2 on a mistake, and says it on standard error", () => {
    const { status, stdout, stderr } = berth("simulate", "--seed", "x");
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/^berth: .*--seed: found "x"/);
  });
});
