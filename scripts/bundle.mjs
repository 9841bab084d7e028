/**
 * Bundles the command line into a folder, as berth.js and the parts it loads when it needs them.
 * Packages stay outside, so that npm resolves them once. What is imported dynamically becomes a
 * file of its own: a command loads only what it uses, and a thread runs the file that its module is
 * in.
 */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** @param {string} folder */
export async function bundle(folder) {
  await build({
    absWorkingDir: root,
    entryPoints: [
      { in: "src/cli/main.ts", out: "berth" },
      // An entry keeps it in a file without the rest of the plane, which its thread would load a
      // second time.
      { in: "src/host/store/sqlite-worker.ts", out: "log-thread" },
      { in: "src/replay/incident-thread.ts", out: "incident-thread" },
    ],
    outdir: folder,
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
}
