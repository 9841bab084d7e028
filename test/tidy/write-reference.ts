/** `npm run reference`: writes docs/reference. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { exampleFiles, referencePages } from "./reference-pages.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pages = referencePages((example) => readFileSync(root + example, "utf8"));
for (const { path, text } of [...exampleFiles(), ...pages]) writeFileSync(root + path, text);
