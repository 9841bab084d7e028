/**
 * Where docs/SPEC.md and the authority are known to differ. The model follows the specification; a command
 * that would show one of these differences is not sent. Whoever settles one deletes its entry here, and the
 * properties cover it from then on.
 */
import type { Command, Intent } from "../../src/core/commit/command.ts";
import { find, type ModelState, useOfTenant, MEASURES } from "./model-state.ts";
import { admittedKey } from "./rules-of-replicas.ts";

interface KnownGap {
  readonly difference: string;
  readonly shownBy: (state: ModelState, intent: Intent) => boolean;
}

export const KNOWN_GAPS: readonly KnownGap[] = [
  {
    difference: "BD2: admit revives a released replica of a deleted workload for its namesake.",
    shownBy: (state, intent) => {
      if (intent.kind !== "admit") return false;
      const replica = find(state, "Replica", admittedKey(intent));
      const workload = find(state, "Workload", intent.workload);
      return replica !== undefined && replica.workloadBorn !== workload?.born;
    },
  },
  {
    difference: "QT3: a quota that is used goes when its last finalizer does.",
    shownBy: (state, intent) => {
      if (intent.kind !== "put") return false;
      const quota = find(state, "Quota", intent.key);
      if (quota?.deletingMs === undefined || intent.finalizers.length > 0) return false;
      const { reserved, committed } = useOfTenant(state, quota.namespace);
      return MEASURES.some((measure) => reserved[measure] + committed[measure] > 0);
    },
  },
];

export const showsKnownGap = (state: ModelState, { intent }: Command): boolean =>
  KNOWN_GAPS.some(({ shownBy }) => shownBy(state, intent));
