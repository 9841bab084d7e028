/**
 * What a failed call means: may it have happened, and is there a point in asking again? The writer
 * of a log must not take "perhaps" for "no", so everything that is not known to be "no" is
 * "perhaps". The table is read from the top; what it does not list (a reset, a deadline, a status
 * it does not know) may have happened.
 *
 * | etcd or gRPC says | happened? | because |
 * |---|---|---|
 * | nothing: not connected, or the stream was refused | no | HTTP/2: it was not processed |
 * | nothing: reset or silence after sending | perhaps | the answer was lost, or is yet to come |
 * | no leader | no | every call requires one, and it is checked before the request |
 * | not capable, unhealthy cluster | no | said before the request is read |
 * | too many requests, request is too large | no | said before it is proposed to the members |
 * | received message larger than max | no | gRPC says it before etcd has seen the request |
 * | raft proposal dropped | no | the members' log has not taken it |
 * | space exceeded | perhaps | the request that crosses the quota is carried out |
 * | corrupt cluster | no | a member with this alarm carries nothing out |
 * | invalid auth token, old revision, user name is empty | no | checked before any effect |
 * | permission denied | no | checked before any effect |
 * | authentication is not enabled | no | only logging in says it |
 * | compacted, future revision, lease not found, lease exists | no | checked before any effect |
 * | any other invalid argument, unimplemented | no | the request as such is refused |
 * | request timed out (all), leader changed, server stopped | perhaps | another may finish it |
 * | cancelled, deadline exceeded, internal, unknown | perhaps | the outcome is unknown |
 */
import type { GrpcFailure } from "./grpc-failure.ts";

export type Remedy =
  /** Another member may do better. */
  | "elsewhere"
  /** With a new token. */
  | "log-in"
  /** There is no other answer. */
  | "none"
  /** Not before an operator has acted. */
  | "operator";

export interface Verdict {
  readonly mayHaveHappened: boolean;
  readonly remedy: Remedy;
}

/** The numbers of gRPC's status codes. */
const CODES = {
  invalidArgument: 3,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  outOfRange: 11,
  unimplemented: 12,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
} as const;

interface Row extends Verdict {
  readonly code?: number;
  /** Somewhere in the message; left out: whatever it says. */
  readonly says?: string;
}

const no = (remedy: Remedy, code?: number, says?: string): Row => ({
  mayHaveHappened: false,
  remedy,
  ...(code === undefined ? {} : { code }),
  ...(says === undefined ? {} : { says }),
});

export const NO_SPACE = "database space exceeded";

const ROWS: readonly Row[] = [
  no("elsewhere", CODES.unavailable, "etcdserver: no leader"),
  no("elsewhere", CODES.unavailable, "etcdserver: not capable"),
  no("elsewhere", CODES.unavailable, "etcdserver: unhealthy cluster"),
  no("elsewhere", CODES.resourceExhausted, "etcdserver: too many requests"),
  no("none", CODES.resourceExhausted, "grpc: received message larger than max"),
  no("elsewhere", undefined, "raft proposal dropped"),
  {
    code: CODES.resourceExhausted,
    says: NO_SPACE,
    mayHaveHappened: true,
    remedy: "operator",
  },
  no("operator", CODES.dataLoss, "etcdserver: corrupt cluster"),
  no("log-in", CODES.unauthenticated),
  no("log-in", CODES.invalidArgument, "etcdserver: revision of auth store is old"),
  no("log-in", CODES.invalidArgument, "etcdserver: user name is empty"),
  no("none", CODES.permissionDenied),
  no("none", CODES.invalidArgument),
  no("none", CODES.notFound),
  no("none", CODES.failedPrecondition),
  no("none", CODES.outOfRange),
  no("none", CODES.unimplemented),
];

const PERHAPS: Verdict = { mayHaveHappened: true, remedy: "elsewhere" };

export function checkFailure({ kind, code, message }: GrpcFailure): Verdict {
  if (kind === "unsent") return { mayHaveHappened: false, remedy: "elsewhere" };
  if (kind === "lost") return PERHAPS;
  const row = ROWS.find(
    (each) =>
      (each.code === undefined || each.code === code) &&
      (each.says === undefined || message.includes(each.says)),
  );
  return row ?? PERHAPS;
}
