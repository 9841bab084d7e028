/** Bounds on JWTs, and on asking those who issue them for keys. */
import type { Limit } from "../../core/model/limits/limit.ts";

const REFUSED = "401 `not-authenticated`";

export const JWT_LIMITS = {
  tokenBytes: {
    value: 12_288,
    unit: "bytes",
    of: "a JWT",
    beyond: REFUSED,
    why: "a server reads 16 KiB of headers; providers with hundreds of groups need 8 KiB",
  },
  nameLength: {
    value: 256,
    unit: "count",
    of: "the characters of a user or group that a JWT or a certificate states",
    beyond: REFUSED,
    why: "`sub` has at most 255; every entry of the audit repeats the name",
  },
  groups: {
    value: 256,
    unit: "count",
    of: "the groups that a JWT or a certificate states",
    beyond: REFUSED,
    why: "each request looks for the bindings of each group",
  },
  issuers: {
    value: 16,
    unit: "count",
    of: "the issuers of an authentication configuration",
    beyond: "the plane keeps the configuration that it read before, and reports it",
    why: "each has keys of its own that the plane reads again every few minutes",
  },
  keys: {
    value: 128,
    unit: "count",
    of: "the keys of one issuer",
    beyond: "the plane keeps the keys that it read before, and reports it",
    why: "an issuer that rotates daily and keeps old keys for a month has 31",
  },
  answerBytes: {
    value: 1_048_576,
    unit: "bytes",
    of: "an answer of an issuer",
    beyond: "the plane keeps the keys that it read before, and reports it",
    why: "128 RSA keys with certificates are 400 KiB",
  },
  answerMs: {
    value: 5_000,
    unit: "ms",
    of: "the time that an issuer has for one answer",
    beyond: "the plane keeps the keys that it read before, and reports it",
    why: "requests with an unknown key wait for it",
  },
  waiting: {
    value: 256,
    unit: "count",
    of: "requests that wait for the keys of one issuer",
    beyond: "503 `keys-unreachable` with Retry-After",
    why: "a flood of unknown keys must not keep the connections of others",
  },
  askAgainMs: {
    value: 10_000,
    unit: "ms",
    of: "the time between two requests to one issuer",
    beyond: "an unknown key is refused, and no keys at all are 503 `keys-unreachable`",
    why: "a flood of unknown keys becomes six requests a minute",
  },
  freshMs: {
    value: 300_000,
    unit: "ms",
    of: "the age at which the plane reads keys again",
    beyond: "a key that its issuer withdrew is refused, with what is open under it",
    why: "as soon as Kubernetes' API server does",
  },
  staleMs: {
    value: 86_400_000,
    unit: "ms",
    of: "the age of keys that an unreachable issuer cannot renew",
    beyond: "503 `keys-unreachable`",
    why: "people can work through the night in which their provider is down",
  },
  leewayMs: {
    value: 30_000,
    unit: "ms",
    of: "the difference between the clocks of a plane and an issuer",
    beyond: REFUSED,
    why: "machines with NTP differ by less than a second",
  },
  kept: {
    value: 10_000,
    unit: "count",
    of: "verified JWTs that a plane remembers",
    beyond: "the plane verifies the oldest idle one again",
    why: "a signature takes 0.1 ms to verify, and a client sends each token many times",
  },
} as const satisfies Record<string, Limit>;
