/** Grants that are larger than their reserve, said in the units that people write. */
import { shortage } from "../../core/model/amounts.ts";
import type { RecoveryRules } from "../../core/model/recovery-budget.ts";
import type { SpecReader } from "./spec-reader.ts";
import { writeAmounts } from "./text/amounts-text.ts";

const FIELDS = { cpuMillis: "cpu", memoryMiB: "memory", deviceMillis: "devices" } as const;

/** They could never be granted. The authority says so, too, in its own units. */
export function noteLargeGrants({ reserve, grants = [] }: RecoveryRules, reader: SpecReader): void {
  for (const [at, { amounts }] of grants.entries()) {
    const short = shortage(amounts, reserve);
    if (short === undefined) continue;
    const name = FIELDS[short];
    const [asked, has] = [writeAmounts(amounts)[name], writeAmounts(reserve)[name]];
    const found = `found ${asked}; expected at most the reserve (${has}).`;
    reader.mistake(`spec.recovery.grants[${at}].${name}`, found);
  }
}
