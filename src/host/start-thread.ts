/**
 * Starts a thread that runs the caller's module; that module finds by its `workerData` that it is
 * on one.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { type ResourceLimits, threadId, Worker } from "node:worker_threads";

/** As deep in the tree as `dist`, so that packages are found from there. */
const BUILT = new URL("../../.tsbuild/threads/", import.meta.url);

const built = new Map<string, URL>();

/**
 * In the bundle a module runs from the file that it is in; `own` is the `import.meta.url` of the
 * caller.
 */
export function startThread(
  own: URL,
  workerData: unknown,
  resourceLimits: ResourceLimits = {},
): Worker {
  const file = own.pathname.endsWith(".ts") ? fromSource(own) : own;
  return new Worker(file, { workerData, resourceLimits });
}

/**
 * Node has no translator on a thread. One file per module is translated in four times as long as it
 * takes to start a thread with a bundle, so each process bundles once.
 */
function fromSource(own: URL): URL {
  const known = built.get(own.href) ?? bundled(own);
  built.set(own.href, known);
  return known;
}

function bundled(own: URL): URL {
  const { buildSync } = createRequire(own)("esbuild") as {
    readonly buildSync: (options: object) => { readonly outputFiles: readonly { text: string }[] };
  };
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(own)],
    bundle: true,
    packages: "external",
    platform: "node",
    target: "node20",
    format: "esm",
    write: false,
  });
  const text = outputFiles.map((file) => file.text).join("");
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const file = new URL(`${hash}.mjs`, BUILT);
  if (existsSync(file)) return file;
  mkdirSync(BUILT, { recursive: true });
  // Whole or not at all: another process may start the same thread at this moment.
  const making = new URL(`${hash}.${process.pid}.${threadId}`, BUILT);
  writeFileSync(making, text);
  renameSync(making, file);
  return file;
}
