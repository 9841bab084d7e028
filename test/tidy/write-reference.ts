/** `npm run reference`: writes docs/reference. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { referencePages } from "./reference-pages.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
for (const { path, text } of referencePages((example) => readFileSync(root + example, "utf8"))) {
  writeFileSync(root + path, text);
}
