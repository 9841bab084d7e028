/** `npm run reference`: writes docs/reference. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { editorSchema } from "./editor-schema.ts";
import { exampleFiles, referencePages } from "./reference-pages.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
for (const { path, text } of [...exampleFiles(), ...referencePages(), editorSchema()]) {
  writeFileSync(root + path, text);
}
