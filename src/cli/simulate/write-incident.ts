/**
 * Writes an incident as one page that a browser opens by itself: the viewer as it was built, with
 * the document packed into it. A page goes into a ticket or a chat, so it is a megabyte at most,
 * whatever the run was.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { fitIncident } from "../../incident/fit-incident.ts";
import type { IncidentDocument } from "../../incident/incident-document.ts";
import { UserError } from "../../shell/errors.ts";
import { writeOutput } from "../write-output.ts";

export const MAX_PAGE_BYTES = 1_000_000;

/** Where the page of the viewer takes its document from. */
const HOLDER = /(<script\b[^>]*\bid="incident"[^>]*>)\s*(<\/script>)/;

export interface IncidentFile {
  readonly file: string;
  readonly document: IncidentDocument;
  /** For tests: another page than the one that was built. */
  readonly viewer?: string | undefined;
}

/** Says in one line what was written. */
export function writeIncident({ file, document, viewer }: IncidentFile): string {
  const page = incidentPage(readViewer(viewer), document);
  writeOutput(file, page.text);
  const { turns, leftOut } = page.document;
  const rest = leftOut === undefined ? "" : ` (${leftOut.turns} more did not fit)`;
  return `Wrote ${file} with ${turns.length} steps${rest}: open it in a browser.`;
}

/** The page, and the document as it is in there. */
export function incidentPage(
  viewer: string,
  document: IncidentDocument,
): { readonly text: string; readonly document: IncidentDocument } {
  const empty = Buffer.byteLength(viewer);
  const fitted = fitIncident(document, {
    maxSize: MAX_PAGE_BYTES - empty,
    sizeOf: (tried) => packed(tried).length,
    what: "The page",
  });
  const text = viewer.replace(
    HOLDER,
    (_, open: string, close: string) => `${open}${packed(fitted)}${close}`,
  );
  return { text, document: fitted };
}

/** Base64 has no letter that ends a script. */
const packed = (document: IncidentDocument): string =>
  JSON.stringify({ gzip: gzipSync(JSON.stringify(document)).toString("base64") });

/** Whether there is a page to pack documents into. */
export const hasViewer = (viewer = builtViewer()): boolean =>
  existsSync(viewer) && HOLDER.test(readFileSync(viewer, "utf8"));

function readViewer(viewer = builtViewer()): string {
  const text = existsSync(viewer) ? readFileSync(viewer, "utf8") : "";
  if (HOLDER.test(text)) return text;
  const found = text === "" ? "does not exist" : "is not a valid page";
  throw new UserError("unreadable-file", `The viewer ${found}. Build it with \`npm run build\`.`, {
    file: viewer,
  });
}

/** Beside the bundle; from source, where the build puts it. */
function builtViewer(): string {
  const isSource = import.meta.url.endsWith(".ts");
  const place = isSource ? "../../../dist/web/incident.html" : "./web/incident.html";
  return fileURLToPath(new URL(place, import.meta.url));
}
