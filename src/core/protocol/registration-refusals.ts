/**
 * How the authority says no to a node that its own agent registers; a part of the registry in
 * `refusals.ts`.
 */
import type { RefusalEntry } from "./refusals.ts";

export const REGISTRATION_REFUSALS = {
  "capacity-over-ceiling": {
    rule: "NR2",
    kind: "refused",
    sentence: "The node claims more than its operator allowed, or more than any machine has.",
  },
  "join-used": {
    rule: "NJ2",
    kind: "refused",
    sentence: "The bootstrap token was used before.",
  },
  "label-reserved": {
    rule: "NR3",
    kind: "refused",
    sentence: "Only an operator can give a node this label.",
  },
} as const satisfies Record<string, RefusalEntry>;
