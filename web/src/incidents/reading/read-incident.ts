/**
 * Reads an incident from what a person has: the JSON of a document, the same compressed, or a page
 * that `--html` made. For any other file, the answer says what it seems to be and what to do.
 */
import type { IncidentDocument } from "../../../../src/incident/incident-document.ts";

export type ReadIncident =
  | { readonly kind: "read"; readonly document: IncidentDocument }
  /** A page with no document in it. */
  | { readonly kind: "empty" }
  | { readonly kind: "unreadable"; readonly says: string; readonly todo: string };

/** Of src/incident/incident-document.ts, which a browser may read only the types of. */
const FORMAT: IncidentDocument["berthIncident"] = 1;

const MAKE_ONE = "Make one with: berth simulate --seed 889 --html incident.html";

const HOLDER = /<script[^>]*\bid="incident"[^>]*>([\s\S]*?)<\/script>/;

export async function readIncident(text: string): Promise<ReadIncident> {
  const trimmed = text.trim();
  if (!trimmed.startsWith("<")) return readJson(trimmed);
  const holder = HOLDER.exec(trimmed);
  if (holder) return readJson((holder[1] ?? "").trim());
  return unreadable("This page has no incident in it.", MAKE_ONE);
}

async function readJson(text: string): Promise<ReadIncident> {
  if (text === "") return { kind: "empty" };
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value) && typeof value["gzip"] === "string") {
      return checked(JSON.parse(await unpack(value["gzip"])));
    }
    return checked(value);
  } catch (error) {
    return unreadable(
      `The file is not a complete document: ${error instanceof Error ? error.message : String(error)}.`,
      `If it is a trace, convert it with: berth replay FILE --html incident.html. ${MAKE_ONE}`,
    );
  }
}

async function unpack(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0);
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain).text();
}

function checked(value: unknown): ReadIncident {
  if (!isRecord(value) || value["berthIncident"] === undefined) {
    return unreadable("The file is JSON, but not a Berth incident.", MAKE_ONE);
  }
  if (value["berthIncident"] !== FORMAT) {
    return unreadable(
      `The document has format ${JSON.stringify(value["berthIncident"])}, and this page reads format ${FORMAT}.`,
      "Open it with the Berth version that created it, or create it again with this one.",
    );
  }
  const missing = ["lanes", "turns", "arrows", "base", "commits", "marks"].find(
    (name) => !Array.isArray(value[name]),
  );
  if (missing !== undefined || !isRecord(value["source"])) {
    return unreadable(`The document has no ${missing ?? "source"}.`, MAKE_ONE);
  }
  return { kind: "read", document: value as unknown as IncidentDocument };
}

const unreadable = (says: string, todo: string): ReadIncident => ({
  kind: "unreadable",
  says,
  todo,
});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
