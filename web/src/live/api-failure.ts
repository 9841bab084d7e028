/** A no of the server, in its own words. */
export interface FailureCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The part of a Kubernetes Status that the dashboard reads. */
export interface StatusText {
  readonly kind?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: { readonly causes?: readonly FailureCause[] };
}

export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  /** The HTTP status; 0 when the plane was not reached at all. */
  readonly status: number;
  readonly reason: string;
  readonly causes: readonly FailureCause[];

  constructor(status: number, { message, reason, details }: StatusText) {
    super(message ?? `The plane answered ${status} without a reason.`);
    this.status = status;
    this.reason = reason ?? "";
    this.causes = details?.causes ?? [];
  }

  /** Asking again may help: the plane was not reached, has no leader yet or is busy. */
  get mayPass(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  static unreachable(cause: unknown): ApiFailure {
    const why = cause instanceof Error ? ` (${cause.message})` : "";
    return new ApiFailure(0, { message: `The plane is unreachable${why}.` });
  }
}

/** Whatever was thrown, as a failure that can be shown. */
export const failureOf = (error: unknown): ApiFailure =>
  error instanceof ApiFailure ? error : ApiFailure.unreachable(error);
