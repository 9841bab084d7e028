/**
 * An export of the audit trail: a line of JSON for each entry, oldest first, and a last line that
 * says how many there are and of which log. Each line ends with a hash over the line before it and
 * its own text, so the hash of the last line suffices to tell whether a line was changed, left out
 * or moved.
 */
import { createHash } from "node:crypto";
import type { AuditEntry } from "../../api/audit/audit-entry.ts";
import type { ChainHead } from "../../host/store/chain-link.ts";

export interface ExportEnd {
  readonly type: "end";
  readonly count: number;
  /** What was let through; left out: every entry that is kept. */
  readonly filter?: Readonly<Record<string, string>>;
  /** The newest revision that was looked at. */
  readonly revision: number;
  /** Of the log's own chain when the export was made; left out by a plane that keeps none. */
  readonly head?: ChainHead;
  /** What the plane said of what is older. */
  readonly says: string;
}

/** What the first line hangs on. */
const START = "0".repeat(64);
const CHAIN_MEMBER = /,"chain":"([0-9a-f]{64})"\}$/;

export class ExportChain {
  chain = START;

  /** The next line, without its end. */
  line(value: AuditEntry | ExportEnd): string {
    const text = JSON.stringify(value);
    this.chain = after(this.chain, text);
    return `${text.slice(0, -1)},"chain":"${this.chain}"}`;
  }
}

export interface CheckedLine {
  /** The line as it was before its hash was put there; undefined when it has none. */
  readonly text: string | undefined;
  readonly fits: boolean;
}

/** Computes the hashes anew, line by line. */
export class ExportReader {
  chain = START;

  read(line: string): CheckedLine {
    const found = CHAIN_MEMBER.exec(line);
    if (found === null) return { text: undefined, fits: false };
    const text = `${line.slice(0, found.index)}}`;
    this.chain = after(this.chain, text);
    return { text, fits: this.chain === found[1] };
  }
}

const after = (chain: string, text: string): string =>
  createHash("sha256").update(`${chain}\n${text}`).digest("hex");
