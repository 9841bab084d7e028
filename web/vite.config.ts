/**
 * Builds the dashboard into files with hashed names; `npm run dev` serves it from the sources in
 * front of a running plane.
 */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** Where `npm run dev` finds a plane: the default address of `berth plane` and `npm start`. */
const PLANE = process.env["BERTH_SERVER"] ?? "http://127.0.0.1:6900";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  logLevel: "warn",
  publicDir: false,
  // Tests build with another NODE_ENV, and must see the code that users get.
  oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
  build: {
    outDir: fileURLToPath(new URL("../dist/web", import.meta.url)),
    emptyOutDir: true,
    assetsDir: "assets",
    // The pages' policy allows no data: address, and a small file costs little beside the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    // Tests measure the served files, which are compressed as they are sent.
    reportCompressedSize: false,
  },
  server: {
    host: "127.0.0.1",
    // All other paths belong to the plane. The Host stays, so a plane without tokens answers.
    proxy: { "^/(?!ui(/|$)|src/|@|node_modules/|index\\.html|$)": { target: PLANE } },
  },
});
