/** Looks at all that a store holds of a log and says what is wrong. Changes nothing. */
import { InvariantBroken } from "../../core/model/assert.ts";
import type { Revision } from "../../core/model/ids.ts";
import type { KeptParts } from "../backup/kept-log.ts";
import { LogDamaged } from "../store/log-store.ts";
import { type CheckEntry, type CheckName, CHECKS, type Finding } from "./check-names.ts";
import { KeptFold } from "./kept-fold.ts";
import { NodeCheck } from "./node-check.ts";
import { ObjectCheck } from "./object-check.ts";
import { QuotaCheck } from "./quota-check.ts";

export interface CheckLine extends CheckEntry {
  readonly name: CheckName;
  readonly count: number;
  /** False: what was found before left nothing to look at. */
  readonly isDone: boolean;
  readonly findings: readonly Finding[];
}

/** They look at what the log comes to. */
const OF_THE_STATE: ReadonlySet<CheckName> = new Set([
  "quota",
  "bindings",
  "indexes",
  "devices",
  "capacity",
  "reservations",
  "finalizers",
  "names",
]);

export interface CheckedLog {
  readonly isGood: boolean;
  /** Where it ends; undefined when not even that can be said. */
  readonly revision: Revision | undefined;
  readonly objects: number | undefined;
  readonly lines: readonly CheckLine[];
}

export async function checkLog(parts: KeptParts): Promise<CheckedLog> {
  const fold = new KeptFold([new QuotaCheck(), new NodeCheck(), new ObjectCheck()]);
  try {
    for await (const part of parts) fold.add(part);
    fold.finish();
  } catch (error) {
    // The storage itself refused to be read on; what was found before stands.
    if (!(error instanceof LogDamaged) && !(error instanceof InvariantBroken)) throw error;
    fold.findings.push({ check: "storage", where: "the store", found: error.message });
  }
  const names = Object.keys(CHECKS) as CheckName[];
  const lines = names.map((name) => ({
    name,
    ...CHECKS[name],
    count: fold.counts[name] ?? 0,
    isDone: fold.ledger !== undefined || !OF_THE_STATE.has(name),
    findings: fold.findings.filter(({ check }) => check === name),
  }));
  return {
    isGood: fold.findings.every(({ isDrift }) => isDrift === true),
    revision: fold.bounds?.end,
    objects: fold.ledger?.objects.size,
    lines,
  };
}
