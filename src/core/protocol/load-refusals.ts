/**
 * How the authority says no to more load than a tenant may make; a part of the registry in
 * `refusals.ts`.
 */
import type { RefusalEntry } from "./refusals.ts";

export const LOAD_REFUSALS = {
  "tenant-full": {
    rule: "LB2",
    kind: "conflict",
    sentence:
      "The tenant would exceed the number of workloads, replicas or objects that its quota allows.",
  },
} as const satisfies Record<string, RefusalEntry>;
