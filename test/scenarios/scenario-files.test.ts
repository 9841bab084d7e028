import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../src/sim/run.ts";
import { loadScenario, optionsOf } from "./tell.ts";

const files = readdirSync(import.meta.dirname);
const names = files.filter((file) => file.endsWith(".yaml")).map((file) => path.parse(file).name);

const tests = files
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => readFileSync(path.join(import.meta.dirname, file), "utf8"))
  .join("\n");

describe("scenario files", () => {
  it.each(names)(
    "%s bears the name of its file, says what it is about, and is told by a test",
    (name) => {
      const { scenario, world } = loadScenario(name);
      expect(scenario.name).toBe(name);
      expect(scenario.about).not.toBe("");
      const { attacks = [], regional } = world;
      expect([...scenario.faults, ...attacks, ...(regional?.events ?? [])]).not.toEqual([]);
      expect(tests).toContain(`"${name}"`);
    },
  );

  it.each(names)(
    "%s comes out the same whatever order lists and changes arrive in [SIM3]",
    (name) => {
      const options = { ...optionsOf(loadScenario(name)), trace: false };
      expect(run({ ...options, shakeOrder: true }).hash).toBe(run(options).hash);
    },
  );
});
