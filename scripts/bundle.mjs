/**
 * Bundles the command line into a folder, as berth.js and the parts it loads when it needs them.
 * Packages stay outside, so that npm resolves them once, except the one that every command loads.
 * What is imported dynamically becomes a file of its own: a command loads only what it uses, and a
 * thread runs the file that its module is in. There are no source maps: names and lines of the
 * bundle are readable, and Node would read a map for every file that it loads.
 */
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

const { dependencies, devDependencies } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);

/**
 * Not among those that users install: every command needs it, and its seven files take longer to
 * find than to run.
 */
const BUNDLED = "commander";

const OUTSIDE = Object.keys({ ...dependencies, ...devDependencies }).filter(
  (name) => name !== BUNDLED,
);

/** What a CommonJS package requires of Node. */
const REQUIRE =
  'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);';

const COMMAND_LINE = [
  { in: "src/cli/main.ts", out: "berth" },
  // An entry keeps it in a file without the rest of the plane, which its thread would load a
  // second time.
  { in: "src/host/store/sqlite-worker.ts", out: "log-thread" },
  { in: "src/replay/incident-thread.ts", out: "incident-thread" },
];

/** The library that users import. */
export const CLIENT = [{ in: "src/client/client.ts", out: "client" }];

/**
 * @param {string} folder
 * @param {{ in: string, out: string }[]} entryPoints
 */
export async function bundle(folder, entryPoints = COMMAND_LINE) {
  await build({
    absWorkingDir: root,
    entryPoints,
    outdir: folder,
    splitting: true,
    chunkNames: "berth-[hash]",
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: OUTSIDE,
    banner: { js: REQUIRE },
    logLevel: "warning",
  });
  if (entryPoints !== COMMAND_LINE) return;
  copyFileSync(
    join(root, "node_modules", BUNDLED, "LICENSE"),
    join(folder, `LICENSE.${BUNDLED}.txt`),
  );
}
