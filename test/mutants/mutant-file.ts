/**
 * Reads a mutant: a defect somebody could have written, as replacements in the product's own source. A
 * replacement must match exactly once, so that a mutant can never quietly turn into no change at all.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";

export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface Mutant {
  readonly name: string;
  readonly about: string;
  /** The scenario that reaches it, where no seed can: it rests on faults the swarm may not draw. */
  readonly scenario?: string;
  /** Only worlds with regional planes have what it is about. */
  readonly isRegional?: true;
  /** The file of tests that finds it, where no world has what it is about. */
  readonly test?: string;
  readonly edits: readonly Edit[];
}

export const ROOT = path.resolve(import.meta.dirname, "../..");
const DEFECTS = path.join(import.meta.dirname, "defects");

let known: readonly Mutant[] | undefined;

/** Read once: every proof of a scenario's power asks for one of several hundred. */
export function readMutants(): readonly Mutant[] {
  known ??= readAll();
  return known;
}

function readAll(): readonly Mutant[] {
  return readdirSync(DEFECTS)
    .filter((file) => file.endsWith(".yaml"))
    .toSorted()
    .map((file) => {
      const { mutant, about, scenario, regional, test, edits } = parse(
        readFileSync(path.join(DEFECTS, file), "utf8"),
      ) as {
        mutant: string;
        about: string;
        scenario?: string;
        regional?: boolean;
        test?: string;
        edits: readonly Edit[];
      };
      return {
        name: mutant,
        about,
        edits,
        ...(scenario === undefined ? {} : { scenario }),
        ...(regional === true ? { isRegional: true } : {}),
        ...(test === undefined ? {} : { test }),
      };
    });
}

/** The source of every file the mutant touches, as it is after its edits. */
export function mutatedSources(mutant: Mutant): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  for (const { file, find, replace } of mutant.edits) {
    const source = sources.get(file) ?? readFileSync(path.join(ROOT, file), "utf8");
    const found = source.split(find).length - 1;
    if (found !== 1) {
      throw new Error(
        `Mutant ${mutant.name}: expected its text once in ${file}, found it ${found} times. ` +
          `The code has moved on; write the defect anew:\n${find}`,
      );
    }
    sources.set(
      file,
      source.replace(find, () => replace),
    );
  }
  return sources;
}
