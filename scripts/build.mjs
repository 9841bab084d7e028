/**
 * Bundles the command line into dist/berth.js. Packages stay outside, so that npm resolves them once. What is
 * imported dynamically becomes a file of its own, so that a command loads only what it needs.
 */
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

// A file left from an earlier build must never be what a later bundle loads.
rmSync(new URL("../dist", import.meta.url), { recursive: true, force: true });

await build({
  absWorkingDir: root,
  entryPoints: [{ in: "src/cli/main.ts", out: "berth" }],
  outdir: "dist",
  splitting: true,
  chunkNames: "berth-[hash]",
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
  sourcemap: true,
  logLevel: "warning",
});
