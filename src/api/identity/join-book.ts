/**
 * Which bootstrap token let in which node with which key. A token is counted before its certificate
 * is handed out, on disk: neither a restart nor the deletion of the node makes it good again. The
 * same agent may ask again with the same key, because the answer to it may have been lost.
 */
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { writeDurably } from "../../shell/write-durably.ts";
import { SIGNER_LIMITS } from "./signer-limits.ts";

interface Join {
  /** The hash of the token. */
  readonly token: string;
  readonly node: string;
  readonly uid: string;
  /** Of the agent's public key. */
  readonly keyId: string;
  readonly atMs: number;
}

export class JoinBook {
  private readonly file: string | undefined;
  private joins: readonly Join[] = [];

  /** Without a file, what is noted ends with the process. */
  constructor(file: string | undefined, wallMs: number) {
    this.file = file;
    if (file === undefined) return;
    const known = readJoins(file);
    this.joins = known.filter(({ atMs }) => wallMs - atMs < SIGNER_LIMITS.joinsKeptMs.value);
    if (this.joins.length < known.length) {
      writeDurably(file, this.joins.map((each) => `${JSON.stringify(each)}\n`).join(""));
    }
  }

  /** Why the token is no good for this; undefined: the use is noted. */
  use(join: Join, { uses }: { readonly uses: number }): string | undefined {
    const before = this.joins.filter(({ token }) => token === join.token);
    const same = before.find(({ node, uid }) => node === join.node && uid === join.uid);
    if (same !== undefined) {
      return same.keyId === join.keyId ? undefined : "it was used for this node with another key";
    }
    if (before.length >= uses) return `it was used ${before.length} of ${uses} times`;
    this.note(join);
    return undefined;
  }

  /** Whether the token lets in no other node. */
  isUsedUp(token: string, uses: number): boolean {
    return this.joins.filter((each) => each.token === token).length >= uses;
  }

  private note(join: Join): void {
    if (this.file !== undefined) append(this.file, `${JSON.stringify(join)}\n`);
    this.joins = [...this.joins, join];
  }
}

function readJoins(file: string): readonly Join[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  // A crash may have cut the last line, whose certificate was then not handed out.
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as Join];
    } catch {
      return [];
    }
  });
}

function append(file: string, line: string): void {
  const descriptor = openSync(file, "a", 0o600);
  try {
    // A line that was cut must not take this one with it.
    writeSync(descriptor, `\n${line}`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
