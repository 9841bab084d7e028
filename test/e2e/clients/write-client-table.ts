/** `npm run clients`: runs every client and writes the table into docs/api-conformance.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { faultsOf, pageWith, runClients, TABLE_PAGE } from "./client-table.ts";

const results = await runClients();
writeFileSync(TABLE_PAGE, pageWith(readFileSync(TABLE_PAGE, "utf8"), results));
for (const fault of faultsOf(results)) console.log(fault);
