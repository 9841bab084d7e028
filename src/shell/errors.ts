/**
 * Every mistake in its input that the command line reports, with the sentence that says what is
 * wrong. docs/errors.md explains each one to the person who met it; a test keeps the two lists
 * equal.
 */
export const ERRORS = {
  "bad-usage": "Invalid command line.",
  "unreadable-file": "Cannot read the file.",
  "unwritable-file": "Cannot write the file.",
  "invalid-yaml": "Invalid YAML.",
  "invalid-file": "Invalid file.",
  "not-found": "Object not found.",
  "ambiguous-name": "The name is ambiguous.",
  "unknown-kind": "Unknown kind.",
  "request-refused": "The plane rejected the request.",
  "plane-failed": "The plane could not process the request.",
  "plane-unreachable": "Cannot reach the plane.",
  "cluster-refused": "The API of the Kubernetes cluster rejected the import.",
  "cluster-unreachable": "Cannot reach the API of the Kubernetes cluster.",
  "open-to-all": "Refusing to serve an unprotected API.",
  "cannot-listen": "Cannot listen on the address.",
  "log-damaged": "The plane's log is damaged.",
  "log-unavailable": "Cannot open the plane's log.",
  "store-not-empty": "The store already contains a log.",
  "backup-damaged": "The backup is damaged.",
  "timed-out": "Timed out.",
  "login-failed": "Cannot log in.",
  "no-browser": "Cannot start the browser.",
  "drain-incomplete": "The drain deadline passed with replicas left.",
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** Where in the user's input the mistake is; lines and columns count from 1, as editors do. */
export interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * What a shell sees when the input was wrong, as against 1, which means that Berth itself failed.
 */
export const USER_ERROR_EXIT = 2;

/**
 * What a shell sees when the input was right and its surroundings were not: trying again may help.
 */
export const SURROUNDINGS_EXIT = 1;

const SURROUNDINGS: ReadonlySet<ErrorCode> = new Set([
  "plane-failed",
  "plane-unreachable",
  "cluster-unreachable",
  "cannot-listen",
  "log-unavailable",
  "timed-out",
  "no-browser",
  "drain-incomplete",
]);

export const exitCodeOf = ({ code }: UserError): number =>
  SURROUNDINGS.has(code) ? SURROUNDINGS_EXIT : USER_ERROR_EXIT;

/**
 * A mistake the caller can correct. Anything else that is thrown is a bug and keeps its stack
 * trace.
 */
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

  /** For a code that covers several things: the sentence names the one at hand. */
  static worded(code: ErrorCode, sentence: string, detail: string, place: Place = {}): UserError {
    const error = new UserError(code, "", place);
    error.message = `${sentence} ${detail}`;
    return error;
  }
}

/**
 * The `file:line:column:` form that editors and terminals turn into a link. The code closes the
 * first line; a detail of several lines continues below it.
 */
export function describeUserError(error: UserError): string {
  const { file, line, column } = error.place;
  const position = [file, line, column].filter((part) => part !== undefined).join(":");
  const where = position === "" ? "" : `${position}: `;
  const [first = "", ...rest] = error.message.split("\n");
  return [`berth: ${where}${first} [${error.code}]`, ...rest].join("\n");
}
