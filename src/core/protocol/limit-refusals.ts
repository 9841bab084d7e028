/** How the authority says no to what is too large; a part of the registry in `refusals.ts`. */
import type { RefusalEntry } from "./refusals.ts";

export const LIMIT_REFUSALS = {
  "object-too-large": {
    rule: "IN6",
    kind: "refused",
    sentence: "The object, or a part of it, is too large.",
  },
} as const satisfies Readonly<Record<string, RefusalEntry>>;
