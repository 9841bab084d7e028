/**
 * Builds the viewer of incidents into one file with nothing beside it, so that an incident can be
 * mailed and opened anywhere. `berth simulate --html` and `berth replay --html` write their
 * document into the placeholder.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

/** What the command line looks for, word for word. */
export const PLACEHOLDER = '<script type="application/json" id="incident"></script>';

const web = (/** @type {string} */ path) =>
  fileURLToPath(new URL(`../web/${path}`, import.meta.url));

/** @param {string} folder */
export async function buildIncidentPage(folder) {
  const made = await build({
    configFile: web("vite.config.ts"),
    build: {
      write: false,
      cssCodeSplit: false,
      rolldownOptions: { input: web("incident.html"), output: { codeSplitting: false } },
    },
  });
  const { output } = /** @type {import("vite").Rolldown.RolldownOutput} */ (made);
  const page = inlined(output);
  if (page.split(PLACEHOLDER).length !== 2) {
    throw new Error(`incident.html must have ${PLACEHOLDER} exactly once.`);
  }
  writeFileSync(join(folder, "incident.html"), page);
}

/** @param {import("vite").Rolldown.RolldownOutput["output"]} output */
function inlined(output) {
  let page = "";
  let script = "";
  let style = "";
  for (const part of output) {
    if (part.type === "chunk") script += part.code;
    else if (part.fileName.endsWith(".html")) page = String(part.source);
    else if (part.fileName.endsWith(".css")) style += String(part.source);
    else throw new Error(`${part.fileName} cannot be part of one file: leave it out of the page.`);
  }
  return (
    page
      .replace(/\s*<link\b[^>]*rel="stylesheet"[^>]*>/g, "")
      // A function, because a dollar sign in the code must stay one; and no tag may end inside it.
      .replace(
        /<script type="module"[^>]*><\/script>/,
        () =>
          `<style>${style}</style>\n    <script type="module">${script.replaceAll("</script", "<\\/script")}</script>`,
      )
  );
}
