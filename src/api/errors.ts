/**
 * Every way the API says no to a caller: HTTP status, the reason word that client libraries act on, and the
 * sentence a person reads first. docs/errors.md explains each one; a test keeps the two lists equal.
 */
interface ApiErrorEntry {
  readonly status: number;
  /** The machine-readable word of a Kubernetes Status. */
  readonly reason: string;
  readonly sentence: string;
}

export const API_ERRORS = {
  "bad-request": {
    status: 400,
    reason: "BadRequest",
    sentence: "The request could not be understood.",
  },
  "malformed-body": {
    status: 400,
    reason: "BadRequest",
    sentence: "The body could not be read.",
  },
  "unknown-field": {
    status: 400,
    reason: "BadRequest",
    sentence: "strict decoding error:",
  },
  "bad-selector": {
    status: 400,
    reason: "BadRequest",
    sentence: "The selector could not be understood.",
  },
  "bad-resource-version": {
    status: 400,
    reason: "BadRequest",
    sentence: "The resourceVersion cannot be used like this.",
  },
  "not-authenticated": {
    status: 401,
    reason: "Unauthorized",
    sentence: "The request does not say who it is from.",
  },
  "not-allowed": {
    status: 403,
    reason: "Forbidden",
    sentence: "The sender may not do this.",
  },
  "cross-site": {
    status: 403,
    reason: "Forbidden",
    sentence: "The request was sent by a page of another site.",
  },
  "no-such-path": {
    status: 404,
    reason: "NotFound",
    sentence: "The server has nothing under this path.",
  },
  "not-found": {
    status: 404,
    reason: "NotFound",
    sentence: "The object does not exist.",
  },
  "wrong-method": {
    status: 405,
    reason: "MethodNotAllowed",
    sentence: "The path does not allow this method.",
  },
  "not-acceptable": {
    status: 406,
    reason: "NotAcceptable",
    sentence: "The server has none of the accepted forms.",
  },
  "already-exists": {
    status: 409,
    reason: "AlreadyExists",
    sentence: "The object exists already.",
  },
  conflict: {
    status: 409,
    reason: "Conflict",
    sentence: "The request does not fit what is there now.",
  },
  expired: {
    status: 410,
    reason: "Expired",
    sentence: "The resourceVersion is older than what is kept: list again.",
  },
  "log-closed": {
    status: 410,
    reason: "Gone",
    sentence: "Nobody reads this log any more.",
  },
  "body-too-large": {
    status: 413,
    reason: "RequestEntityTooLarge",
    sentence: "The body is larger than the server reads.",
  },
  "unsupported-media-type": {
    status: 415,
    reason: "UnsupportedMediaType",
    sentence: "The server cannot read a body of this type.",
  },
  "invalid-object": {
    status: 422,
    reason: "Invalid",
    sentence: "The object is not valid.",
  },
  "too-many-requests": {
    status: 429,
    reason: "TooManyRequests",
    sentence: "The server is serving as many as it may.",
  },
  "internal-error": {
    status: 500,
    reason: "InternalError",
    sentence: "The server failed; its log says how.",
  },
  "not-leading": {
    status: 503,
    reason: "ServiceUnavailable",
    sentence: "This plane does not lead at the moment: nothing was changed, try again.",
  },
  "log-unreachable": {
    status: 503,
    reason: "ServiceUnavailable",
    sentence: "This plane cannot ask the log how far it has come, so what it knows may be old.",
  },
  "leader-lost": {
    status: 504,
    reason: "Timeout",
    sentence: "The plane that leads took the request and was lost: it may have happened or not.",
  },
  "agent-silent": {
    status: 504,
    reason: "Timeout",
    sentence: "The agent of the node did not answer.",
  },
  "incident-late": {
    status: 504,
    reason: "Timeout",
    sentence: "The part of the recording could not be replayed in time.",
  },
  "revision-not-reached": {
    status: 504,
    reason: "Timeout",
    sentence: "Too large resource version:",
  },
} as const satisfies Record<string, ApiErrorEntry>;

export type ApiErrorCode = keyof typeof API_ERRORS;

/** One of several reasons, at a field a person can find. */
export interface ErrorCause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

export interface ErrorDetails {
  readonly name?: string;
  readonly group?: string;
  /** The plural of the resource, as in the path. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly ErrorCause[];
  readonly retryAfterSeconds?: number;
}

/** A mistake the caller can correct, or a no the caller must live with. Anything else thrown is a bug. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ApiErrorCode;
  readonly details: ErrorDetails;

  /** `detail` says what was found and what to do next; the registry's sentence comes before it. */
  constructor(code: ApiErrorCode, detail = "", details: ErrorDetails = {}) {
    const { sentence } = API_ERRORS[code];
    super(detail === "" ? sentence : `${sentence} ${detail}`);
    this.code = code;
    this.details = details;
  }

  /** For the few messages that clients show, or even match, word by word. */
  static worded(code: ApiErrorCode, message: string, details: ErrorDetails = {}): ApiError {
    const error = new ApiError(code, "", details);
    error.message = message;
    return error;
  }
}
