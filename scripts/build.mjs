/** Makes dist, which is what users run. */
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildWeb } from "./build-web.mjs";
import { buildTypes } from "./build-types.mjs";
import { bundle, bundleClient } from "./bundle.mjs";

const dist = new URL("../dist", import.meta.url);

// A file left from an earlier build must never be what a later bundle loads.
rmSync(dist, { recursive: true, force: true });
await Promise.all([
  bundle(fileURLToPath(dist)),
  bundleClient(fileURLToPath(dist)),
  buildTypes(fileURLToPath(new URL("../dist/types", import.meta.url))),
  buildWeb(fileURLToPath(new URL("../dist/web", import.meta.url))),
]);
