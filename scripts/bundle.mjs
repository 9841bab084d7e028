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

/**
 * Commands that people wait for. Each has a file with all that it runs at first: a part costs more
 * to find and to link than its text costs to read, and a command has some thirty of them.
 */
const QUICK = ["get", "describe", "explain"];

/**
 * Of the table of commands, a quick file has the one that it is for; `bin/berth` asks it for no
 * other.
 *
 * @param {string} name
 * @returns {import("esbuild").Plugin}
 */
const only = (name) => ({
  name: "only",
  setup(building) {
    building.onResolve({ filter: /^\.\/commands\// }, ({ kind, path }) =>
      kind === "dynamic-import" && path !== `./commands/${name}.ts`
        ? { path, external: true }
        : undefined,
    );
  },
});

/** @param {string} folder */
export async function bundle(folder) {
  const quick = QUICK.map((name) =>
    build({
      ...options(folder),
      entryPoints: [{ in: "src/cli/main.ts", out: `quick-${name}` }],
      chunkNames: `quick-${name}-[hash]`,
      plugins: [only(name)],
    }),
  );
  await Promise.all([whole(folder), ...quick]);
  copyFileSync(
    join(root, "node_modules", BUNDLED, "LICENSE"),
    join(folder, `LICENSE.${BUNDLED}.txt`),
  );
}

/**
 * The library that users import.
 *
 * @param {string} folder
 */
export const bundleClient = (folder) =>
  build({
    ...options(folder),
    entryPoints: [{ in: "src/client/client.ts", out: "client" }],
    chunkNames: "client-[hash]",
  });

/** @param {string} folder */
const whole = (folder) =>
  build({
    ...options(folder),
    entryPoints: [
      { in: "src/cli/main.ts", out: "berth" },
      // An entry keeps it in a file without the rest of the plane, which its thread would load a
      // second time.
      { in: "src/host/store/sqlite-worker.ts", out: "log-thread" },
      { in: "src/replay/incident-thread.ts", out: "incident-thread" },
      { in: "src/promises/promise-thread.ts", out: "promise-thread" },
    ],
    chunkNames: "berth-[hash]",
  });

/**
 * @param {string} outdir
 * @returns {import("esbuild").BuildOptions}
 */
const options = (outdir) => ({
  absWorkingDir: root,
  outdir,
  splitting: true,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  external: OUTSIDE,
  banner: { js: REQUIRE },
  logLevel: "warning",
});
