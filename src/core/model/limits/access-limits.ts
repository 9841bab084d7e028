/**
 * How much roles and bindings may hold. Every request of a caller is decided over them, and a plane
 * keeps all of them in memory, so that one tenant's must not slow down the requests of others.
 */
import type { Limit } from "./limit.ts";

const invalid = "422 `invalid-object`";
const full = "409 `tenant-full`";

export const ACCESS_LIMITS = {
  rules: {
    value: 128,
    unit: "count",
    of: "rules of a role",
    beyond: invalid,
    why: "the largest role of a Kubernetes distribution has about a hundred",
  },
  entries: {
    value: 64,
    unit: "count",
    of: "entries of one list of a rule",
    beyond: invalid,
    why: "three times the kinds that there are",
  },
  resourceNames: {
    value: 256,
    unit: "count",
    of: "names of objects in a rule",
    beyond: invalid,
    why: "a rule for more objects is a rule for a namespace",
  },
  combinations: {
    value: 16_384,
    unit: "count",
    of: "combinations of verb, group, resource and name in a role",
    beyond: "422 `bad-object`",
    why: "each is compared with what the writer of the role may do itself",
  },
  comparisons: {
    value: 2_000_000,
    unit: "count",
    of: "comparisons of one role with what its writer may do",
    beyond: "403 `role-escalated`",
    why: "a tenth of a second at a leader; `*` and one rule that covers another need few",
  },
  wordCharacters: {
    value: 253,
    unit: "count",
    of: "characters of a verb, group, resource or path in a rule",
    beyond: invalid,
    why: "as long as the name of an object",
  },
  subjects: {
    value: 128,
    unit: "count",
    of: "subjects of a binding",
    beyond: invalid,
    why: "more people are a group",
  },
  subjectCharacters: {
    value: 512,
    unit: "count",
    of: "characters of the name of a user or group in a binding",
    beyond: invalid,
    why: "identity providers use addresses and paths as names",
  },
  tenantRoles: {
    value: 128,
    unit: "count",
    of: "Roles of a tenant",
    beyond: full,
    why: "a team makes a handful; all of them go in one commit with their tenant",
  },
  tenantBindings: {
    value: 256,
    unit: "count",
    of: "RoleBindings of a tenant",
    beyond: full,
    why: "a binding for each team and program; all of them go in one commit with their tenant",
  },
  roles: {
    value: 10_000,
    unit: "count",
    of: "Roles and ClusterRoles of a plane",
    beyond: full,
    why: "a hundred tenants that use all of theirs; about 10 MB of typical roles",
  },
  bindings: {
    value: 20_000,
    unit: "count",
    of: "RoleBindings and ClusterRoleBindings of a plane",
    beyond: full,
    why: "twice the number that decisions are measured with",
  },
  breakGlassMs: {
    value: 86_400_000,
    unit: "ms",
    of: "the time for which a binding of the role `break-glass` lasts",
    beyond: "422 `bad-object`",
    why: "an emergency that lasts longer deserves a role of its own",
  },
} as const satisfies Readonly<Record<string, Limit>>;
