/**
 * Runs tests on the source of a mutant, for defects that no simulated world reaches: `BERTH_MUTANT` names it, and its
 * files are loaded as they are after its edits. Nothing on disk changes.
 */
import path from "node:path";
import { mutatedSources, readMutants, ROOT } from "./mutant-file.ts";

interface Loader {
  readonly name: string;
  readonly enforce: "pre";
  readonly load: (id: string) => string | undefined;
}

export function mutateSources(name: string | undefined): Loader[] {
  if (name === undefined) return [];
  const mutant = readMutants().find((each) => each.name === name);
  if (mutant === undefined) throw new Error(`There is no mutant ${name}.`);
  const sources = mutatedSources(mutant);
  const load = (id: string): string | undefined =>
    sources.get(path.relative(ROOT, id.split("?")[0] ?? ""));
  return [{ name: "berth-mutant", enforce: "pre", load }];
}
