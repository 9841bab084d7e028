/** The bounds of an import that asks a cluster's API itself. */
import type { LimitTable } from "../../core/model/limits/limit.ts";

export const LIVE_IMPORT_LIMITS = {
  pageObjects: {
    value: 500,
    unit: "count",
    of: "objects in one answer of a cluster's API",
    beyond: "the next page is asked for",
    why: "the page size of kubectl; larger pages hold up an API server",
  },
  requestsPerSecond: {
    value: 10,
    unit: "per second",
    of: "requests of an import to a cluster's API",
    beyond: "the next request waits",
    why: "a fifth of what one kubectl may send; an import has time",
  },
  answerBytes: {
    value: 128 * 1024 * 1024,
    unit: "bytes",
    of: "an answer of a cluster's API",
    beyond: "the import ends with an error",
    why: "500 objects of the largest size that etcd stores by default (1.5 MiB) are rare by far",
  },
  answerMs: {
    value: 60_000,
    unit: "ms",
    of: "the wait for an answer of a cluster's API",
    beyond: "the request is sent again",
    why: "API servers end a list after 60 seconds themselves",
  },
  attempts: {
    value: 5,
    unit: "count",
    of: "attempts of one request, and of one list whose page token expired",
    beyond: "the import ends with an error",
    why: "with doubling pauses they span half a minute, longer than an API server restarts",
  },
  credentialMs: {
    value: 60_000,
    unit: "ms",
    of: "the run of a program that a kubeconfig names for its credential",
    beyond: "it is killed with all that it started, and the import ends with an error",
    why: "such programs ask a login service; one that waits for a person never ends",
  },
  credentialBytes: {
    value: 1024 * 1024,
    unit: "bytes",
    of: "the output of such a program",
    beyond: "it is killed, and the import ends with an error",
    why: "a token and a certificate are a few kilobytes",
  },
} as const satisfies LimitTable;
