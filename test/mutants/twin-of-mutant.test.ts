/** A twin reports a defect of the core itself: its checkers are those of the simulator, and they see what the mutant does. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { aBuildFolder } from "../builders/a-build-folder.ts";
import { removeFolder } from "../builders/remove-folder.ts";
import { buildMutant } from "./build-mutant.ts";
import { type Mutant, readMutants } from "./mutant-file.ts";

const ENTRY = join(import.meta.dirname, "lose-agents-of-twin.ts");
const folder = aBuildFolder("twin-of-mutant");
afterAll(() => removeFolder(folder));

async function violationsOf(mutant: Mutant | undefined): Promise<unknown> {
  const file = join(folder, `${mutant?.name ?? "real"}.mjs`);
  await buildMutant(mutant, file, ENTRY);
  const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: "utf8" });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

describe("the twin of a fleet that loses an agent", () => {
  it("reports no violation of the real core", async () => {
    expect(await violationsOf(undefined)).toEqual([]);
  });

  it("reports the violation of a core that takes a node for dead before its lease is over", async () => {
    const mutant = readMutants().find(({ name }) => name === "fence-too-early");
    expect(mutant).toBeDefined();
    const violations = await violationsOf(mutant);
    expect(violations).toHaveLength(1);
    expect(String(violations)).toMatch(/^[A-Z]+\d+: /);
  });
});
