/** How a call over gRPC can fail, as far as the caller must know whether it had an effect. */

export type GrpcFailureKind =
  /** It did not leave this process, or HTTP/2 itself says that it was not processed. */
  | "unsent"
  /** It left, and no answer came: the connection broke, or the time was over. */
  | "lost"
  /** The server answered with a status that is not OK. */
  | "status";

export class GrpcFailure extends Error {
  override readonly name = "GrpcFailure";
  readonly kind: GrpcFailureKind;
  /** Of gRPC, with `status` only; 2 ("unknown") otherwise. */
  readonly code: number;

  constructor(kind: GrpcFailureKind, message: string, code = 2) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}
