/** What a test reads off an incident document: what was true and what a component believed at one of its turns. */
import type { IncidentDocument, Shown } from "../../src/incident/incident-document.ts";

export type Rows = ReadonlyMap<string, Shown["cells"]>;

/** All rows at a revision. */
export function rowsAt({ base, commits }: IncidentDocument, revision: number): Rows {
  const rows = new Map(base.map(({ key, cells }) => [key, cells]));
  for (const commit of commits) {
    if (commit.revision > revision) break;
    for (const { key, cells } of commit.changes) {
      if (cells === undefined) rows.delete(key);
      else rows.set(key, cells);
    }
  }
  return rows;
}

/** What a lane held when a turn was over: the state at its revision, but for where it has gone astray. */
export function believedAt(
  document: IncidentDocument,
  name: string,
  turn = document.turns.length - 1,
): { readonly revision: number | undefined; readonly rows: Rows } {
  const lane = document.lanes.findIndex((each) => each.name === name);
  const own = document.turns.slice(0, turn + 1).filter((each) => each.lane === lane);
  const revision = own.findLast((each) => each.revision !== undefined)?.revision;
  const rows = new Map(rowsAt(document, revision ?? 0));
  for (const { key, cells } of own.findLast(({ astray }) => astray !== undefined)?.astray ?? []) {
    if (cells === undefined) rows.delete(key);
    else rows.set(key, cells);
  }
  return { revision, rows };
}

/** A page to put a document into, as long as the real one may get. */
export const aViewer = (padding = 0): string =>
  `<!doctype html><title>Incident</title><script type="application/json" id="incident"></script><p>${"x".repeat(padding)}</p>`;
