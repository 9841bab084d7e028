import { describe, expect, test } from "vitest";
import { checkFailure } from "./etcd-verdict.ts";
import { GrpcFailure } from "./grpc-failure.ts";

/** Codes and texts as etcd's members send them. */
const SURELY_NOT = [
  { code: 14, says: "etcdserver: no leader", remedy: "elsewhere" },
  { code: 14, says: "etcdserver: not capable", remedy: "elsewhere" },
  { code: 8, says: "etcdserver: too many requests", remedy: "elsewhere" },
  { code: 2, says: "raft proposal dropped", remedy: "elsewhere" },
  { code: 3, says: "etcdserver: request is too large", remedy: "none" },
  { code: 8, says: "grpc: received message larger than max (3 vs. 2)", remedy: "none" },
  { code: 3, says: "etcdserver: duplicate key given in txn request", remedy: "none" },
  { code: 5, says: "etcdserver: requested lease not found", remedy: "none" },
  { code: 7, says: "etcdserver: permission denied", remedy: "none" },
  {
    code: 11,
    says: "etcdserver: mvcc: required revision has been compacted",
    remedy: "none",
  },
  { code: 15, says: "etcdserver: corrupt cluster", remedy: "operator" },
  { code: 16, says: "etcdserver: invalid auth token", remedy: "log-in" },
  { code: 3, says: "etcdserver: revision of auth store is old", remedy: "log-in" },
  { code: 3, says: "etcdserver: user name is empty", remedy: "log-in" },
] as const;

const PERHAPS = [
  { code: 14, says: "etcdserver: request timed out", remedy: "elsewhere" },
  {
    code: 14,
    says: "etcdserver: request timed out, possibly due to previous leader failure",
    remedy: "elsewhere",
  },
  {
    code: 14,
    says: "etcdserver: request timed out, possibly due to connection lost",
    remedy: "elsewhere",
  },
  { code: 14, says: "etcdserver: leader changed", remedy: "elsewhere" },
  { code: 14, says: "etcdserver: server stopped", remedy: "elsewhere" },
  { code: 14, says: "transport is closing", remedy: "elsewhere" },
  { code: 8, says: "grpc: trying to send message larger than max (3 vs. 2)", remedy: "elsewhere" },
  { code: 8, says: "etcdserver: mvcc: database space exceeded", remedy: "operator" },
  { code: 1, says: "context canceled", remedy: "elsewhere" },
  { code: 4, says: "context deadline exceeded", remedy: "elsewhere" },
  { code: 13, says: "anything", remedy: "elsewhere" },
  { code: 2, says: "anything", remedy: "elsewhere" },
  { code: 99, says: "a code of the future", remedy: "elsewhere" },
] as const;

describe("checkFailure()", () => {
  test.each(SURELY_NOT)("$code $says: it has not happened", ({ code, says, remedy }) => {
    const verdict = checkFailure(new GrpcFailure("status", says, code));
    expect(verdict).toMatchObject({ mayHaveHappened: false, remedy });
  });

  test.each(PERHAPS)("$code $says: it may have happened", ({ code, says, remedy }) => {
    const verdict = checkFailure(new GrpcFailure("status", says, code));
    expect(verdict).toMatchObject({ mayHaveHappened: true, remedy });
  });

  test("an unsent request has had no effect, and a lost one may have had it", () => {
    expect(checkFailure(new GrpcFailure("unsent", "")).mayHaveHappened).toBe(false);
    expect(checkFailure(new GrpcFailure("lost", "")).mayHaveHappened).toBe(true);
    // Not even when its text looks like a refusal of etcd.
    const looksSo = new GrpcFailure("lost", "etcdserver: no leader", 14);
    expect(checkFailure(looksSo).mayHaveHappened).toBe(true);
  });
});
