/**
 * Every mistake in its input that the command line reports, with the sentence that says what is wrong.
 * docs/errors.md explains each one to the person who met it; a test keeps the two lists equal.
 */
export const ERRORS = {
  "bad-usage": "The command line could not be understood.",
  "unreadable-file": "The file could not be read.",
  "unwritable-file": "The file could not be written.",
  "invalid-yaml": "The file is not valid YAML.",
  "invalid-file": "The file does not say what it should.",
  "not-found": "There is no such object.",
  "ambiguous-name": "Several objects have this name.",
  "unknown-kind": "The plane has no such kind of object.",
  "request-refused": "The plane refused the request.",
  "plane-failed": "The plane could not carry out the request.",
  "plane-unreachable": "The plane could not be reached.",
  "open-to-all": "The plane would be open to everybody.",
  "cannot-listen": "The plane could not listen at its address.",
  "log-damaged": "The plane's log cannot be trusted.",
  "log-unavailable": "The plane's log cannot be opened now.",
  "store-not-empty": "The store has a log already.",
  "backup-damaged": "The backup cannot be trusted.",
  "timed-out": "What was waited for did not happen in time.",
  "no-browser": "The browser could not be started.",
  "drain-incomplete": "The deadline of the drain has passed with replicas left.",
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** Where in the user's input the mistake is; lines and columns count from 1, as editors do. */
export interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** What a shell sees when the input was wrong, as against 1, which means that Berth itself failed. */
export const USER_ERROR_EXIT = 2;

/** What a shell sees when the input was right and its surroundings were not: trying again may help. */
export const SURROUNDINGS_EXIT = 1;

const SURROUNDINGS: ReadonlySet<ErrorCode> = new Set([
  "plane-failed",
  "plane-unreachable",
  "cannot-listen",
  "log-unavailable",
  "timed-out",
  "no-browser",
  "drain-incomplete",
]);

export const exitCodeOf = ({ code }: UserError): number =>
  SURROUNDINGS.has(code) ? SURROUNDINGS_EXIT : USER_ERROR_EXIT;

/** A mistake the caller can correct. Anything else that is thrown is a bug and keeps its stack trace. */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly code: ErrorCode;
  readonly place: Place;

  /** `detail` says what was found and what to do next; the registry's sentence comes before it. */
  constructor(code: ErrorCode, detail = "", place: Place = {}) {
    super(detail === "" ? ERRORS[code] : `${ERRORS[code]} ${detail}`);
    this.code = code;
    this.place = place;
  }
}

/**
 * The `file:line:column:` form that editors and terminals turn into a link. The code closes the first line;
 * a detail of several lines continues below it.
 */
export function describeUserError(error: UserError): string {
  const { file, line, column } = error.place;
  const position = [file, line, column].filter((part) => part !== undefined).join(":");
  const where = position === "" ? "" : `${position}: `;
  const [first = "", ...rest] = error.message.split("\n");
  return [`berth: ${where}${first} [${error.code}]`, ...rest].join("\n");
}
