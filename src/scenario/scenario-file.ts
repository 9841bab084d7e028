/**
 * Scenario files. They list their faults one by one, so they keep their meaning when the code
 * changes; a seed does not.
 */
import { dirname, resolve } from "node:path";
import { RULE_SENTENCES } from "../sim/check/rule-sentences.ts";
import { standardWorld } from "../sim/world/standard-world.ts";
import type { World } from "../sim/world/world.ts";
import type { PlainFields } from "../manifest/write-fields.ts";
import type { Cursor } from "./cursor.ts";
import { plainFault, readFaults } from "./fault-fields.ts";
import { didYouMean } from "../spelling/nearest.ts";
import { openYaml } from "./open-yaml.ts";
import type { Expectation, Scenario, WorldSource } from "./scenario.ts";
import { readInput } from "../shell/read-input.ts";
import { readWorldFile } from "./world-file.ts";
import { plainWorld, readWorld } from "./world-fields.ts";
import { yamlText } from "./yaml-text.ts";

export interface LoadedScenario {
  readonly scenario: Scenario;
  /** The world the scenario names, whether it stands in this file, in another or nowhere. */
  readonly world: World;
}

export function readScenarioFile(file: string): LoadedScenario {
  return parseScenario(readInput(file), file);
}

/** `file` is for the messages and for finding a world that stands in another file. */
export function parseScenario(text: string, file: string): LoadedScenario {
  const { root, mistakes } = openYaml(text, file);
  const fields = root.fields(["scenario", "about", "world", "seed", "expect", "faults"]);
  const source = readWorldSource(fields.need("world"));
  const world = source && loadWorld(source, file);
  const scenario = {
    name: fields.need("scenario").text("the scenario's name"),
    about: fields.get("about", (about) => about.text(), ""),
    seed: fields.get("seed", (seed) => seed.integer(0), 0),
    expect: fields.get<Expectation>("expect", readExpectation, { kind: "clean" }),
    faults: fields.get("faults", (list) => readFaults(list, world), []),
  };
  mistakes.throwIfAny("invalid-file");
  if (!source || !world) throw new Error("a scenario without a world was not refused");
  return { scenario: { ...scenario, world: source }, world };
}

/** Undefined when there is none; the mistake is noted. */
function readWorldSource(cursor: Cursor): WorldSource | undefined {
  if (cursor.isMissing) return undefined;
  if (!cursor.isMapping) {
    if (cursor.scalar() === "standard") return { kind: "standard" };
    cursor.expected("standard, a world, or { file: path }");
    return undefined;
  }
  if (!cursor.entries().has("file")) return { kind: "inline", world: readWorld(cursor) };
  return {
    kind: "file",
    path: cursor.fields(["file"]).need("file").text("the path of a world file"),
  };
}

function loadWorld(source: WorldSource, file: string): World {
  switch (source.kind) {
    case "standard":
      return standardWorld();
    case "inline":
      return source.world;
    case "file":
      return readWorldFile(resolve(dirname(file), source.path));
  }
}

function readExpectation(cursor: Cursor): Expectation {
  const text = cursor.text("clean or violation RULE");
  if (text === "clean") return { kind: "clean" };
  const rule = /^violation +(\S+)$/.exec(text)?.[1];
  if (rule === undefined) {
    if (text !== "") cursor.expected("clean or violation RULE");
    return { kind: "clean" };
  }
  const rules = Object.keys(RULE_SENTENCES);
  if (!rules.includes(rule)) cursor.fail(`unknown rule "${rule}".${didYouMean(rule, rules)}`);
  return { kind: "violation", rule };
}

export function formatScenario(scenario: Scenario): string {
  const plain: PlainFields = { scenario: scenario.name };
  if (scenario.about !== "") plain["about"] = scenario.about;
  plain["world"] = plainWorldSource(scenario.world);
  plain["seed"] = scenario.seed;
  plain["expect"] =
    scenario.expect.kind === "clean" ? "clean" : `violation ${scenario.expect.rule}`;
  plain["faults"] = scenario.faults.map(plainFault);
  return yamlText(plain);
}

function plainWorldSource(source: WorldSource): string | PlainFields {
  switch (source.kind) {
    case "standard":
      return "standard";
    case "inline":
      return plainWorld(source.world);
    case "file":
      return { file: source.path };
  }
}
