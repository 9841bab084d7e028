/** Bundles a program with a mutant's sources in place of the real ones; nothing on disk is changed. */
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

/** Only these come from here: the bundler reads all other files itself, many times as fast. */
const inPlaceOf = (sources: ReadonlyMap<string, string>): Plugin => ({
  name: "mutant",
  setup(bundler) {
    for (const [file, contents] of sources) {
      const exactly = path.join(ROOT, file).replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
      bundler.onLoad({ filter: new RegExp(`^${exactly}$`) }, () => ({ contents, loader: "ts" }));
    }
  },
});
