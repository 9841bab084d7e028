import * as fc from "fast-check";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { anyScenario } from "../../test/builders/any-scenario.ts";
import { UserError } from "../shell/errors.ts";
import { standardWorld } from "../sim/world/standard-world.ts";
import { drawSwarm } from "../sim/swarm/swarm.ts";
import type { Scenario } from "./scenario.ts";
import { formatScenario, parseScenario, readScenarioFile } from "./scenario-file.ts";
import { formatWorld } from "./world-file.ts";

const mistakeIn = (text: string): string => {
  try {
    parseScenario(text, "s.yaml");
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return `${error.place.line}:${error.place.column}: ${error.message}`;
  }
  return "none";
};

describe("scenario files", () => {
  it("property: a scenario with its world inline is read back as it was written", () => {
    fc.assert(
      fc.property(anyScenario, (scenario) => {
        const read = parseScenario(formatScenario(scenario), "s.yaml");
        expect(read.scenario).toEqual(scenario);
        expect(scenario.world).toMatchObject({ world: read.world });
      }),
      { numRuns: 300 },
    );
  });

  it("carry any world the swarm draws, and the standard one", () => {
    const worlds = Array.from({ length: 100 }, (_, seed) => drawSwarm(seed).world);
    for (const world of [standardWorld(), ...worlds]) {
      const scenario: Scenario = {
        name: "x",
        about: "",
        world: { kind: "inline", world },
        seed: 1,
        expect: { kind: "clean" },
        faults: [],
      };
      expect(parseScenario(formatScenario(scenario), "s.yaml").world).toEqual(world);
    }
  });

  it("put each fault on a line of its own", () => {
    const text = formatScenario({
      name: "lost",
      about: "",
      world: { kind: "standard" },
      seed: 7,
      expect: { kind: "violation", rule: "INV5" },
      faults: [{ fault: "lose-reply", to: "place-1", operation: "bind/a", attempt: 1 }],
    });
    expect(text).toBe(
      [
        "scenario: lost",
        "world: standard",
        "seed: 7",
        "expect: violation INV5",
        "faults:",
        "  - { lose-reply: { to: place-1, operation: bind/a, attempt: 1 } }",
        "",
      ].join("\n"),
    );
  });

  it("find a world in another file beside them", () => {
    const folder = mkdtempSync(join(tmpdir(), "berth-scenario-"));
    try {
      writeFileSync(join(folder, "w.yaml"), formatWorld(standardWorld()));
      writeFileSync(join(folder, "s.yaml"), "scenario: x\nworld: { file: w.yaml }\n");
      const { scenario, world } = readScenarioFile(join(folder, "s.yaml"));
      expect(world).toEqual(standardWorld());
      expect(scenario).toEqual({
        name: "x",
        about: "",
        world: { kind: "file", path: "w.yaml" },
        seed: 0,
        expect: { kind: "clean" },
        faults: [],
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    {
      title: "an unknown fault",
      lines: ["faults:", "  - lose-replay: { to: place-1 }"],
      found: /^4:5: .*unknown fault "lose-replay".*Did you mean "lose-reply"\?$/,
    },
    {
      title: "a component that is not in the world",
      lines: ["faults:", "  - crash: { component: place-99, at: 1s, down: 1s }"],
      found: /^4:25: .*the world has no component "place-99"/,
    },
    {
      title: "a time without a unit",
      lines: ["faults:", "  - restart-leader: { at: 5, down: 1s }"],
      found: /^4:27: .*found 5, expected a duration such as/,
    },
    {
      title: "a field that a fault does not have",
      lines: ["faults:", "  - second-leader: { at: 5s, down: 1s }"],
      found: /^4:30: .*unknown field "down", expected one of at\./,
    },
    {
      title: "a rule that there is not",
      lines: ["expect: violation INV99"],
      found: /^3:9: .*unknown rule "INV99"/,
    },
    {
      title: "an expectation that is neither",
      lines: ["expect: green"],
      found: /^3:9: .*found "green", expected clean or violation RULE\.$/,
    },
  ])("point at $title", ({ lines, found }) => {
    expect(mistakeIn(["scenario: x", "world: standard", ...lines, ""].join("\n"))).toMatch(found);
  });

  it("need a name and a world", () => {
    expect(mistakeIn("seed: 1\n")).toMatch(/^1:1: .*"world" is missing[^]*"scenario" is missing/);
  });
});
