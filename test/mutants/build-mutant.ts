/** Bundles a program with a mutant's sources in place of the real ones; nothing on disk is changed. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { build, type Plugin } from "esbuild";
import { mutatedSources, type Mutant, ROOT } from "./mutant-file.ts";

const HUNT = path.join(import.meta.dirname, "hunt.ts");

export async function buildMutant(
  mutant: Mutant | undefined,
  outfile: string,
  entry: string = HUNT,
): Promise<void> {
  await build({
    entryPoints: [entry],
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    outfile,
    plugins: mutant ? [inPlaceOf(mutatedSources(mutant))] : [],
  });
}

const inPlaceOf = (sources: ReadonlyMap<string, string>): Plugin => ({
  name: "mutant",
  setup(bundler) {
    bundler.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      const mutated = sources.get(path.relative(ROOT, file).split(path.sep).join("/"));
      return { contents: mutated ?? readFileSync(file, "utf8"), loader: "ts" };
    });
  },
});
