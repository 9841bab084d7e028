/**
 * Builds the dashboard into a folder: index.html, assets whose names change with what is in them,
 * and incident.html.
 */
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { buildIncidentPage } from "./build-incident-page.mjs";

/** @param {string} folder */
export async function buildWeb(folder) {
  const configFile = fileURLToPath(new URL("../web/vite.config.ts", import.meta.url));
  await build({ configFile, build: { outDir: folder } });
  // After it, because it empties the folder first.
  await buildIncidentPage(folder);
}
