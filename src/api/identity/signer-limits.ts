/** Bounds on the certificates that a plane signs for agents. */
import type { Limit } from "../../core/model/limits/limit.ts";

export const SIGNER_LIMITS = {
  requestBytes: {
    value: 8_192,
    unit: "bytes",
    of: "a request for a certificate",
    beyond: "400 `bad-request`",
    why: "one with an ECDSA key has 500 bytes",
  },
  waiting: {
    value: 256,
    unit: "count",
    of: "requests for certificates that wait for their turn",
    beyond: "429 `too-many-requests` with Retry-After",
    why: "a signature takes a few milliseconds, and all agents of a fleet may renew after a restart",
  },
  lifeMs: {
    value: 604_800_000,
    unit: "ms",
    of: "the life of an agent's certificate",
    beyond: "the agent needs a new bootstrap token",
    why: "an agent renews after half of it, so a plane may be away for three days",
  },
  earlyMs: {
    value: 300_000,
    unit: "ms",
    of: "the time before its signature from which a certificate counts",
    beyond: "the other side refuses it until its clock gets there",
    why: "machines without NTP differ by minutes",
  },
} as const satisfies Record<string, Limit>;
