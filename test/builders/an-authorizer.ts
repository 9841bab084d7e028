/** Decisions over roles that a test writes down, or over none. */
import { Authorizer } from "../../src/api/access/authorizer.ts";
import type { Caller } from "../../src/api/http/caller.ts";
import { AccessRules } from "../../src/core/rules/access/access-rules.ts";

/** May do everything, as the owner of a plane. */
export const ADMIN: Caller = { kind: "local", name: "admin", groups: [] };

export function anAuthorizer(rules = new AccessRules(), nowMs = () => 0): Authorizer {
  return new Authorizer({ rules: () => rules, nowMs, onRefused: () => {} });
}
