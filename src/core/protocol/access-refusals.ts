/** How the authority says no to roles and bindings; a part of the registry in `refusals.ts`. */
import type { RefusalEntry } from "./refusals.ts";

export const ACCESS_REFUSALS = {
  "role-escalated": {
    rule: "AZ12",
    kind: "refused",
    sentence: "The sender would give more than it may do itself.",
  },
  "power-missing": {
    rule: "AZ52",
    kind: "refused",
    sentence: "The sender lacks a power that the object asks for.",
  },
  "role-ref-fixed": {
    rule: "AZ13",
    kind: "refused",
    sentence: "A binding keeps the role that it was made for.",
  },
  "binding-not-over": {
    rule: "AZ18",
    kind: "conflict",
    sentence: "The role binding has no end, or has not reached it.",
  },
} as const satisfies Readonly<Record<string, RefusalEntry>>;
