/**
 * The list of tokens of a plane, as `berth token` writes it: lines are added at its end, each in
 * one write, so that agents and people who do so at once lose no line. Files of other users and
 * files that other users may write are left alone.
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { parseTokenList, type TokenList } from "../../serve/token-file.ts";
import { UserError } from "../../shell/errors.ts";
import { ensureOwnTokens } from "../client/own-tokens.ts";
import { dataFolder } from "../client/server-options.ts";

export interface ListOptions {
  readonly file?: string;
  readonly data?: string;
}

/** The list that was named, or the one that a plane of this user keeps in its folder. */
export const listFileOf = (options: ListOptions): string =>
  options.file ?? ensureOwnTokens(dataFolder(options)).list;

export function readTokenList(file: string): TokenList {
  const descriptor = openList(file, constants.O_RDONLY);
  try {
    return parseTokenList(readFileSync(descriptor, "utf8"), file);
  } finally {
    closeSync(descriptor);
  }
}

/** Durable when it returns: a token that was revoked must not come back after a crash. */
export function addTokenLines(file: string, lines: readonly string[]): void {
  const descriptor = openList(file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
  try {
    const before = readFileSync(descriptor, "utf8");
    const gap = before === "" || before.endsWith("\n") ? "" : "\n";
    const added = `${gap}${lines.join("\n")}\n`;
    // A list that no plane would read any more must not come into being.
    parseTokenList(before + added, file);
    writeSync(descriptor, added);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const OWN_MODE = 0o600;
const WRITABLE_BY_OTHERS = 0o022;

function openList(file: string, flags: number): number {
  let descriptor: number;
  try {
    descriptor = openSync(file, flags | constants.O_NONBLOCK, OWN_MODE);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError("unreadable-file", `${reason}.`, { file });
  }
  const { uid, mode } = fstatSync(descriptor);
  const self = process.getuid?.();
  const isOwn = self === undefined || self === 0 || uid === self;
  if (isOwn && (mode & WRITABLE_BY_OTHERS) === 0) return descriptor;
  closeSync(descriptor);
  const message = isOwn
    ? "Other users may write it: run chmod 600, and revoke the tokens that you do not know."
    : "It belongs to another user; ask that user, or name a list of your own with --file.";
  throw new UserError("unreadable-file", message, { file });
}
