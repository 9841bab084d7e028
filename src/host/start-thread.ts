/**
 * Starts a thread that runs the caller's module; that module finds by its `workerData` that it is
 * on one.
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { type ResourceLimits, Worker } from "node:worker_threads";

/**
 * In the bundle a module runs from the file that it is in; `own` is the `import.meta.url` of the
 * caller.
 */
export function startThread(
  own: URL,
  workerData: unknown,
  resourceLimits: ResourceLimits = {},
): Worker {
  const options = { workerData, resourceLimits };
  if (!own.pathname.endsWith(".ts")) return new Worker(own, options);
  // From source, the thread needs the translator that this process already has.
  const tsx = pathToFileURL(createRequire(own).resolve("tsx/package.json"));
  const translator = new URL("./dist/esm/api/index.mjs", tsx).href;
  const start = `import("${translator}").then(({ register }) => register()).then(() => import("${own.href}"))`;
  return new Worker(start, { eval: true, ...options });
}
