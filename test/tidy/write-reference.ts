/** `npm run reference`: writes docs/reference and the types of the client library. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { clientTypes } from "./client-types.ts";
import { editorSchema } from "./editor-schema.ts";
import { exampleFiles, referencePages } from "./reference-pages.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
for (const { path, text } of [
  ...exampleFiles(),
  ...referencePages(),
  editorSchema(),
  ...clientTypes(),
]) {
  writeFileSync(root + path, text);
}
