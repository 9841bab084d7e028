/** The tenants about which a region has something new to report after these commits. */
import { parseKey } from "../model/ids.ts";
import type { Commit } from "../protocol/commit-record.ts";

/** What they hold, what is charged to them, and what waits for quota. */
const TELLING: ReadonlySet<string> = new Set(["Grant", "Quota", "Replica", "Reservation"]);

export function tenantsTouched(commits: readonly Commit[]): ReadonlySet<string> {
  const tenants = new Set<string>();
  for (const { changes } of commits) {
    for (const { key } of changes) {
      const { kind, namespace } = parseKey(key);
      if (TELLING.has(kind) && namespace !== "") tenants.add(namespace);
    }
  }
  return tenants;
}
