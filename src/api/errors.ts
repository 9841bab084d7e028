/**
 * Every way the API says no to a caller: HTTP status, the reason word that client libraries act on,
 * and the sentence a person reads first. docs/errors.md explains each one; a test keeps the two
 * lists equal.
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
    sentence: "Invalid request.",
  },
  "malformed-body": {
    status: 400,
    reason: "BadRequest",
    sentence: "Invalid request body.",
  },
  "unknown-field": {
    status: 400,
    reason: "BadRequest",
    sentence: "strict decoding error:",
  },
  "bad-selector": {
    status: 400,
    reason: "BadRequest",
    sentence: "Invalid selector.",
  },
  "bad-resource-version": {
    status: 400,
    reason: "BadRequest",
    sentence: "Invalid resourceVersion.",
  },
  "not-authenticated": {
    status: 401,
    reason: "Unauthorized",
    sentence: "Authentication failed.",
  },
  "not-allowed": {
    status: 403,
    reason: "Forbidden",
    sentence: "Permission denied.",
  },
  "cross-site": {
    status: 403,
    reason: "Forbidden",
    sentence: "Cross-site request rejected.",
  },
  "no-such-path": {
    status: 404,
    reason: "NotFound",
    sentence: "Path not found.",
  },
  "not-found": {
    status: 404,
    reason: "NotFound",
    sentence: "Object not found.",
  },
  "wrong-method": {
    status: 405,
    reason: "MethodNotAllowed",
    sentence: "Method not allowed.",
  },
  "not-acceptable": {
    status: 406,
    reason: "NotAcceptable",
    sentence: "No acceptable response format.",
  },
  "already-exists": {
    status: 409,
    reason: "AlreadyExists",
    sentence: "The object already exists.",
  },
  conflict: {
    status: 409,
    reason: "Conflict",
    sentence: "The request conflicts with the current state.",
  },
  expired: {
    status: 410,
    reason: "Expired",
    sentence: "The resourceVersion is too old: list again.",
  },
  "session-closed": {
    status: 410,
    reason: "Gone",
    sentence: "The session is over.",
  },
  "log-closed": {
    status: 410,
    reason: "Gone",
    sentence: "The log is no longer being read.",
  },
  "body-too-large": {
    status: 413,
    reason: "RequestEntityTooLarge",
    sentence: "The request body is too large.",
  },
  "unsupported-media-type": {
    status: 415,
    reason: "UnsupportedMediaType",
    sentence: "Unsupported media type.",
  },
  "invalid-object": {
    status: 422,
    reason: "Invalid",
    sentence: "Invalid object.",
  },
  "too-many-requests": {
    status: 429,
    reason: "TooManyRequests",
    sentence: "Too many requests.",
  },
  "internal-error": {
    status: 500,
    reason: "InternalError",
    sentence: "Internal error: see the server's log.",
  },
  "not-leading": {
    status: 503,
    reason: "ServiceUnavailable",
    sentence: "This plane is not the leader: nothing was changed, try again.",
  },
  "no-secret-key": {
    status: 503,
    reason: "ServiceUnavailable",
    sentence: "The plane has no key for this secret.",
  },
  "log-unreachable": {
    status: 503,
    reason: "ServiceUnavailable",
    sentence: "This plane cannot reach the log, so its data may be stale.",
  },
  "keys-unreachable": {
    status: 503,
    reason: "ServiceUnavailable",
    sentence: "The keys of the token's issuer cannot be read, so the token cannot be verified.",
  },
  "leader-lost": {
    status: 504,
    reason: "Timeout",
    sentence: "The leader failed during the request, which may or may not have taken effect.",
  },
  "agent-silent": {
    status: 504,
    reason: "Timeout",
    sentence: "The agent of the node did not respond.",
  },
  "incident-late": {
    status: 504,
    reason: "Timeout",
    sentence: "Replaying this part of the recording timed out.",
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

/**
 * A mistake the caller can correct, or a no the caller must live with. Anything else thrown is a
 * bug.
 */
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
