/** How much a list of tokens may hold. */
import type { Limit } from "../core/model/limits/limit.ts";

export const TOKEN_FILE_LIMITS = {
  listBytes: {
    value: 4_194_304,
    unit: "bytes",
    of: "a list of tokens",
    beyond: "the plane keeps the list that it read before, and reports it",
    why: "room for 20,000 lines; a plane reads it while it serves",
  },
  nameLength: {
    value: 128,
    unit: "count",
    of: "the characters of a name in a list of tokens",
    beyond: "the plane keeps the list that it read before, and reports it",
    why: "longer than any name that people are called by; every entry of the audit repeats it",
  },
  groups: {
    value: 64,
    unit: "count",
    of: "the groups of one token",
    beyond: "the plane keeps the list that it read before, and reports it",
    why: "each request looks for the bindings of each group",
  },
  uses: {
    value: 10_000,
    unit: "count",
    of: "the nodes that one bootstrap token of a pool lets in",
    beyond: "the plane keeps the list that it read before, and reports it",
    why: "twice the nodes of a large cluster's largest pool",
  },
  bootstrapMs: {
    value: 86_400_000,
    unit: "ms",
    of: "the life of a bootstrap token that `berth token create` makes",
    beyond: "the command refuses it",
    why: "a machine that is ordered today is there tomorrow; a plane remembers used tokens for longer",
  },
  lifetimeMs: {
    value: 31_622_400_000,
    unit: "ms",
    of: "the life of a token that `berth token create` makes",
    beyond: "the command refuses it",
    why: "a year: a token that outlives its purpose is revoked by no person",
  },
} as const satisfies Record<string, Limit>;
