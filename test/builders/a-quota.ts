/** A tenant's quota, wide enough for ten default replicas. */
import type { Amounts } from "../../src/core/model/amounts.ts";
import { quotaKey } from "../../src/core/model/ids.ts";
import type { Quota } from "../../src/core/model/objects.ts";
import { aMeta } from "./a-meta.ts";
import { amounts } from "./amounts.ts";

export function aQuota(limit: Partial<Amounts> = {}, tenant = "payments"): Quota {
  const key = quotaKey(tenant);
  return {
    kind: "Quota",
    key,
    meta: aMeta(key),
    spec: { limit: amounts({ cpuMillis: 1000, memoryMiB: 1000, deviceMillis: 4000, ...limit }) },
    status: {},
  };
}
