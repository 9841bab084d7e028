/** Clients of other people against one plane: what the page says of each is what it can do. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { faultsOf, pageWith, type Result, runClients, TABLE_PAGE } from "./clients/client-table.ts";

let results: readonly Result[];
beforeAll(async () => {
  results = await runClients();
});

test("[AP320] every client can do what it has a command or function for", () => {
  expect(faultsOf(results)).toEqual([]);
});

test("[AP320] the table of the page is that of this run", () => {
  const page = readFileSync(TABLE_PAGE, "utf8");
  expect(pageWith(page, results)).toBe(page);
});
