/** Opens YAML text as a cursor on its top, after refusing text that is not YAML at all. */
import { LineCounter, parseDocument } from "yaml";
import { Cursor } from "./cursor.ts";
import { Mistakes } from "./mistakes.ts";

export interface OpenYaml {
  readonly root: Cursor;
  readonly mistakes: Mistakes;
}

export function openYaml(text: string, file: string): OpenYaml {
  const lines = new LineCounter();
  const mistakes = new Mistakes(file);
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  for (const error of document.errors) {
    const { line, col } = lines.linePos(error.pos[0]);
    mistakes.add({ line, column: col, text: `${error.message}.` });
  }
  mistakes.throwIfAny("invalid-yaml");
  return { root: Cursor.root({ document, lines, mistakes }), mistakes };
}
