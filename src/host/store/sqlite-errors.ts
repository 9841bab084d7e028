/** SQLite's errors in our words: what was attempted, what was found, what to do. */
import { LogDamaged, LogUnavailable } from "./log-store.ts";

/** Primary result codes of SQLite; an extended code carries its primary one in the lowest byte. */
const CODE = {
  other: 1,
  busy: 5,
  locked: 6,
  readonly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

const FOUND: Readonly<Record<number, string>> = {
  [CODE.busy]: "another process kept it locked for too long. End that process or let it finish",
  [CODE.locked]: "another connection kept it locked. End that process or let it finish",
  [CODE.readonly]: "it is not writable. Give this user write access to the file and its directory",
  [CODE.ioError]: "the disk reported an I/O error. Check the disk and the system log",
  [CODE.full]: "the disk is full. Free some space",
  [CODE.cannotOpen]:
    "it cannot be opened. Check that the directory exists and that this user can write to it",
};

export interface Attempt {
  readonly attempt: string;
  readonly file: string;
}

export const isBusy = (error: unknown): boolean => primaryCode(error) === CODE.busy;

/**
 * Failures of a COMMIT that come before its last page is written, without which SQLite takes none
 * of it.
 */
const BEFORE_THE_END: readonly (number | undefined)[] = [
  CODE.busy,
  CODE.locked,
  CODE.readonly,
  CODE.corrupt,
  CODE.full,
  CODE.notADatabase,
];

/** Whether a failed COMMIT may still have reached the disk. */
export const mayHaveLanded = (error: unknown): boolean =>
  !BEFORE_THE_END.includes(primaryCode(error));

/** The error to show instead of SQLite's own; whatever is not SQLite's stays as it is. */
export function explain(error: unknown, { attempt, file }: Attempt): unknown {
  const code = primaryCode(error);
  if (code === undefined) return error;
  const because = { cause: error };
  const said = `${(error as Error).message} (SQLite ${extendedCode(error)})`;
  // Our statements are right, so a table or a format that SQLite does not know is the file's fault.
  if (code === CODE.corrupt || code === CODE.notADatabase || code === CODE.other) {
    return damaged({ attempt, file }, `SQLite reports damage: ${said}`, because);
  }
  const found = FOUND[code];
  if (found === undefined) {
    return new LogUnavailable(`Cannot ${attempt} ${file}: ${said}.`, because);
  }
  return new LogUnavailable(
    `Cannot ${attempt} ${file}: ${found}; nothing was written, and all acknowledged commits are safe. SQLite reports: ${said}.`,
    because,
  );
}

export function damaged(
  { attempt, file }: Attempt,
  found: string,
  because?: ErrorOptions,
): LogDamaged {
  return new LogDamaged(
    `Cannot ${attempt} ${file}: ${found}. Nothing was loaded. Move the file aside with its -wal and -lock files, put the newest backup in its place, and start again.`,
    because,
  );
}

/** Errors met while rows are being read come without a number, but in the same words. */
const CODE_OF_TEXT: Readonly<Record<string, number>> = {
  "database is locked": CODE.busy,
  "disk I/O error": CODE.ioError,
  "database disk image is malformed": CODE.corrupt,
  "database or disk is full": CODE.full,
  "file is not a database": CODE.notADatabase,
};

function extendedCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode;
  if (!("code" in error) || error.code !== "ERR_SQLITE_ERROR") return undefined;
  return CODE_OF_TEXT[error.message] ?? CODE.other;
}

function primaryCode(error: unknown): number | undefined {
  const code = extendedCode(error);
  return code === undefined ? undefined : code & 0xff;
}
