/** The cases that were found once, by people or by the fuzzer: each showed something, and must not show it again. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { HostileCase } from "./hostile-case.ts";

export const casesFolder = fileURLToPath(new URL("cases/", import.meta.url));

export const keptCases: readonly HostileCase[] = readdirSync(casesFolder)
  .filter((file) => file.endsWith(".json"))
  .toSorted()
  .map((file) => JSON.parse(readFileSync(`${casesFolder}${file}`, "utf8")) as HostileCase);
