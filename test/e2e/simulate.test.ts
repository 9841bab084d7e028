/** Runs the bundle as a user does, in a process of its own: exit codes, streams and worker threads. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BuiltBerth } from "../bench/a-built-berth.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const berth = new BuiltBerth();

beforeAll(() => berth.build());
afterAll(() => berth.remove());

async function told(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { code, out, err } = await berth.run(...args);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out) as Record<string, unknown>;
}

describe("berth simulate, as a process", () => {
  it("finds the same on two threads as on one, and prints one object and nothing else", async () => {
    const args = ["simulate", "--seeds", "1..4", "--faults", "none", "--json"];
    const one = await berth.run(...args);
    const two = await berth.run(...args, "--workers", "2");
    expect(one.err).toBe("");
    expect(two.err).toBe("");
    const { hash, events, violations } = JSON.parse(one.out) as Record<string, unknown>;
    expect(JSON.parse(two.out)).toMatchObject({ seeds: 4, hash, events, violations });
  });

  it("puts the recoveries of all threads together, and tells as much as one thread does", async () => {
    const world = join(root, "examples", "risk-api-recovery.yaml");
    const args = ["simulate", "--world", world, "--seeds", "1..4", "--json"];
    const one = await told(...args);
    const two = await told(...args, "--workers", "2");
    expect(one).toMatchObject({ seeds: 4, violations: [], recoveries: { count: 4 } });
    expect(two["recoveries"]).toEqual(one["recoveries"]);
    expect(two["hash"]).toBe(one["hash"]);
  });

  it("exits with 2 on a mistake, and says it on standard error", async () => {
    const { code, out, err } = await berth.run("simulate", "--seed", "x");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^berth: .*--seed: found "x"/);
  });
});
