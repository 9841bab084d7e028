/** Why a replica does not get its secrets; a part of the registry in `refusals.ts`. */
import type { RefusalEntry } from "./refusals.ts";

export const SECRET_REFUSALS = {
  "secret-missing": {
    rule: "SE10",
    kind: "conflict",
    sentence: "A secret that the replica needs does not exist, or lacks the key.",
  },
} as const satisfies Record<string, RefusalEntry>;
