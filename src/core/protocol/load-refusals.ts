/** How the authority says no to more load than a tenant may make; a part of the registry in `refusals.ts`. */
import type { RefusalEntry } from "./refusals.ts";

export const LOAD_REFUSALS = {
  "tenant-full": {
    rule: "LB2",
    kind: "conflict",
    sentence:
      "The tenant's workloads would be more, or ask for more replicas, than its quota's counts allow.",
  },
} as const satisfies Record<string, RefusalEntry>;
