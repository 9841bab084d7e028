/**
 * Computes the chain of a log anew, a little at a time, and tells how far it has come and what came
 * of it. Used by a plane for its own store and by a person for a store whose plane is stopped.
 */
import type { Revision } from "../../core/model/ids.ts";
import { type KeptParts, LogMovedOn } from "../../host/backup/kept-log.ts";
import { ChainCheck, type ChainReport } from "../../host/check/chain-check.ts";
import { type ChainHead, headText } from "../../host/store/chain-link.ts";
import { LogDamaged } from "../../host/store/log-store.ts";

export interface VerifyProgress {
  readonly type: "progress";
  readonly revision: Revision;
  readonly end: Revision;
}

export interface VerifyResult extends ChainReport {
  readonly type: "result";
  readonly isGood: boolean;
  readonly says: string;
}

/** The log was compacted again and again while it was read, or it cannot be reached. */
export interface VerifyFailure {
  readonly type: "failure";
  readonly says: string;
}

export type VerifyLine = VerifyProgress | VerifyResult | VerifyFailure;

/** About a megabyte. */
const REVISIONS_A_LINE = 1_000;
/** A log is compacted every few minutes at most, and reading it takes seconds. */
const TRIES = 3;

export async function* verifyChain(
  parts: () => KeptParts,
  wanted: ChainHead | undefined,
): AsyncGenerator<VerifyLine> {
  for (let tries = 1; ; tries += 1) {
    const check = new ChainCheck(wanted);
    try {
      yield* progressOf(parts(), check);
      yield resultOf(check.report());
      return;
    } catch (error) {
      if (error instanceof LogMovedOn && tries < TRIES) continue;
      yield { type: "failure", says: error instanceof Error ? error.message : String(error) };
      return;
    }
  }
}

async function* progressOf(parts: KeptParts, check: ChainCheck): AsyncGenerator<VerifyProgress> {
  let told = 0;
  try {
    for await (const part of parts) {
      check.add(part);
      const end = check.bounds?.end ?? 0;
      if (part.kind !== "batch" || check.at < told + REVISIONS_A_LINE) continue;
      told = check.at;
      yield { type: "progress", revision: check.at, end };
    }
  } catch (error) {
    // The storage itself refused to be read on; what was found before stands.
    if (!(error instanceof LogDamaged)) throw error;
    const flaw = { kind: "storage", where: "the store", found: error.message } as const;
    check.add({ kind: "flaw", flaw });
  }
}

export function resultOf(report: ChainReport): VerifyResult {
  const { broken, kept } = report;
  const isGood = broken === undefined && (kept === undefined || kept.outcome === "fits");
  return { type: "result", isGood, ...report, says: wordsOf(report) };
}

function wordsOf(report: ChainReport): string {
  const { from, head, broken, kept, batches, gaps } = report;
  const words: string[] = [];
  if (broken !== undefined) {
    words.push(
      `The chain breaks at revision ${broken.revision}: ${broken.found}.`,
      "That batch or an earlier one was changed, moved or removed after it was written, or the storage is damaged: run `berth store check`.",
    );
  } else if (from === undefined || head === undefined) {
    words.push("There is nothing to verify yet: no batch is kept.");
  } else {
    const each = batches === 1 ? "1 batch" : `${batches} batches`;
    words.push(`Verified from revision ${from} to ${head.revision} (${each}).`);
  }
  if (gaps.length > 0) {
    words.push(
      `Revisions before ${from} are not verified: from revision ${gaps.join(" and ")} on, the log has no hashes. An older version wrote it, or they were removed.`,
    );
  }
  if (kept !== undefined) words.push(KEPT_WORDS[kept.outcome](kept, report));
  if (broken === undefined && head !== undefined) words.push(`The head is ${headText(head)}.`);
  return words.join(" ");
}

const KEPT_WORDS: Readonly<
  Record<NonNullable<ChainReport["kept"]>["outcome"], (kept: ChainHead, of: ChainReport) => string>
> = {
  fits: ({ revision }) => `It matches the saved head of revision ${revision}.`,
  differs: ({ revision }) =>
    `It does not match the saved head of revision ${revision}: earlier entries were changed since, or the head is of another log.`,
  missing: ({ revision }, { to }) =>
    `The log ends at revision ${to}, before the saved head of revision ${revision}: it was truncated or replaced by an older copy, or the head is of another log.`,
  dropped: ({ revision }) =>
    `The saved head of revision ${revision} cannot be compared: that part of the log was compacted. Save a newer head.`,
};
