/** World files: the places, the tenants, what they ask for, and what people do when. */
import type { World } from "../sim/world/world.ts";
import { openYaml } from "./open-yaml.ts";
import { readInput } from "../shell/read-input.ts";
import { plainWorld, readWorld } from "./world-fields.ts";
import { yamlText } from "./yaml-text.ts";

export function readWorldFile(file: string): World {
  return parseWorld(readInput(file), file);
}

/** `file` is only for the messages. */
export function parseWorld(text: string, file: string): World {
  const { root, mistakes } = openYaml(text, file);
  const world = readWorld(root);
  mistakes.throwIfAny("invalid-file");
  return world;
}

export function formatWorld(world: World): string {
  return yamlText(plainWorld(world));
}
