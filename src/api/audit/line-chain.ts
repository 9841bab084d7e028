/**
 * Lines of JSON that hang together: each ends with a hash over the line before it and its own text,
 * so the hash of the last line suffices to tell whether a line was changed, left out or moved.
 */
import { createHash } from "node:crypto";

/** What the first line hangs on. */
export const CHAIN_START = "0".repeat(64);
const CHAIN_MEMBER = /,"chain":"([0-9a-f]{64})"\}$/;

/** Writes the next line, without its end. */
export class LineChain {
  chain: string;

  constructor(chain = CHAIN_START) {
    this.chain = chain;
  }

  line(value: object): string {
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
export class LineChainReader {
  chain: string;

  constructor(chain = CHAIN_START) {
    this.chain = chain;
  }

  read(line: string): CheckedLine {
    const found = CHAIN_MEMBER.exec(line);
    if (found === null) return { text: undefined, fits: false };
    const text = `${line.slice(0, found.index)}}`;
    this.chain = after(this.chain, text);
    return { text, fits: this.chain === found[1] };
  }
}

export const chainOf = (line: string): string | undefined => CHAIN_MEMBER.exec(line)?.[1];

const after = (chain: string, text: string): string =>
  createHash("sha256").update(`${chain}\n${text}`).digest("hex");
