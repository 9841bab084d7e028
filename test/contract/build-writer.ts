/** Bundles the writer the way `dist/berth.js` is bundled, so that its log's thread starts from a bundle too. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export async function buildWriter(name: string, program = "writer-process"): Promise<string> {
  const outfile = fileURLToPath(new URL(`../../.tsbuild/contract/${name}.mjs`, import.meta.url));
  await build({
    entryPoints: [fileURLToPath(new URL(`./${program}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    logLevel: "warning",
  });
  return outfile;
}
