/**
 * Findings of a review that was stopped: kept in a file, found again by the fleet and the promise,
 * so that a review of many promises goes on where it was.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { StatedPromise } from "../../review/promise.ts";
import type { Finding } from "../../review/review.ts";
import { UserError } from "../../shell/errors.ts";
import { writeOutput } from "../write-output.ts";

const FORMAT = 1;

interface Kept {
  readonly berthReview: typeof FORMAT;
  readonly findings: Readonly<Record<string, Finding>>;
}

export class FinishedFindings {
  private readonly file: string | undefined;
  private readonly about: string;
  private findings: Record<string, Finding>;

  /** `about` is all that a finding depends on besides its promise. */
  constructor(file: string | undefined, about: readonly unknown[]) {
    this.file = file;
    this.about = JSON.stringify(about);
    this.findings = file === undefined || !existsSync(file) ? {} : { ...readKept(file) };
  }

  find(promise: StatedPromise): Finding | undefined {
    return this.findings[this.keyOf(promise)];
  }

  add(promise: StatedPromise, finding: Finding): void {
    if (this.file === undefined) return;
    this.findings = { ...this.findings, [this.keyOf(promise)]: finding };
    const kept: Kept = { berthReview: FORMAT, findings: this.findings };
    writeOutput(this.file, `${JSON.stringify(kept)}\n`);
  }

  private keyOf(promise: StatedPromise): string {
    return createHash("sha256")
      .update(`${this.about}\n${JSON.stringify(promise)}`)
      .digest("hex");
  }
}

function readKept(file: string): Readonly<Record<string, Finding>> {
  const wrong = "It holds no findings of a review. Name another file with --resume.";
  try {
    const kept = JSON.parse(readFileSync(file, "utf8")) as Partial<Kept>;
    if (kept.berthReview === FORMAT && typeof kept.findings === "object") return kept.findings;
  } catch {
    throw new UserError("invalid-file", wrong, { file });
  }
  throw new UserError("invalid-file", wrong, { file });
}
