/**
 * What a call of the client fails with: the plane's own words where it answered, and the failure of
 * the network as the cause where it did not.
 */

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** `details` of a Kubernetes Status. */
export interface StatusDetails {
  readonly name?: string;
  readonly kind?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

export interface BerthErrorOf {
  readonly status?: number;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly cause?: unknown;
}

export class BerthError extends Error {
  override readonly name = "BerthError";
  /** The HTTP status; left out when the plane did not answer. */
  readonly status?: number;
  /** As Kubernetes says it: NotFound, Conflict, Invalid, Expired, … */
  readonly reason: string;
  readonly details: StatusDetails;

  constructor(message: string, { status, reason = "", details = {}, cause }: BerthErrorOf = {}) {
    super(message, cause === undefined ? {} : { cause });
    if (status !== undefined) this.status = status;
    this.reason = reason;
    this.details = details;
  }
}

/** The failure as an answer states it; a proxy may answer with something else than a Status. */
export function errorOfAnswer(status: number, text: string, retryAfterMs: number): BerthError {
  const body = statusIn(text);
  const details = body?.details ?? {};
  const isAsked = retryAfterMs > 0 && details.retryAfterSeconds === undefined;
  return new BerthError(body?.message ?? `HTTP ${status}: ${text.slice(0, 200)}`, {
    status,
    reason: body?.reason ?? "",
    details: isAsked ? { ...details, retryAfterSeconds: retryAfterMs / 1_000 } : details,
  });
}

interface StatusBody {
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
}

function statusIn(text: string): StatusBody | undefined {
  try {
    const body = JSON.parse(text) as { readonly kind?: string } & StatusBody;
    return body.kind === "Status" ? body : undefined;
  } catch {
    return undefined;
  }
}
