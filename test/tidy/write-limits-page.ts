/** `npm run limits`: writes docs/limits.md. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { limitsPage, readLimitTables } from "./limits-page.ts";
import { readTree } from "./source-file.ts";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
writeFileSync(`${root}/docs/limits.md`, limitsPage(await readLimitTables(readTree(root))));
