/**
 * Where docs/SPEC.md and the authority are known to differ. The model follows the specification; a command
 * that would show one of these differences is not sent. Whoever settles one deletes its entry here, and the
 * properties cover it from then on.
 */
import type { Command, Intent } from "../../src/core/commit/command.ts";
import { nodeKey } from "../../src/core/model/ids.ts";
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
    difference: "LS1: report accepts an earlier session for a replica that was bound in it.",
    shownBy: (state, intent) => {
      if (intent.kind !== "report") return false;
      const node = find(state, "Node", nodeKey(intent.node));
      return node !== undefined && intent.session < node.session;
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
  {
    difference: "EV2: the owner that owner-gone names is not looked at.",
    shownBy: (state, intent) => {
      if (intent.kind !== "release" || intent.evidence.kind !== "owner-gone") return false;
      const reservation = find(state, "Reservation", intent.key);
      return reservation !== undefined && reservation.owner !== intent.evidence.owner;
    },
  },
  {
    difference: "EV2: the workload that surplus names is not looked at.",
    shownBy: (state, intent) => {
      if (intent.kind !== "evict" || intent.evidence.kind !== "surplus") return false;
      const replica = find(state, "Replica", intent.replica);
      const own = `Workload/${replica?.namespace ?? ""}/${replica?.workload ?? ""}`;
      return replica !== undefined && intent.evidence.workload !== own;
    },
  },
  {
    difference: "EV2: the node that lease-expired names is not looked at.",
    shownBy: (_state, intent) =>
      intent.kind === "transition" &&
      intent.to !== "queued" &&
      intent.evidence.kind === "lease-expired" &&
      nodeKey(intent.evidence.node) !== intent.key,
  },
  {
    difference: "ST3: release of a reservation does not look at the life it names.",
    shownBy: (state, intent) => {
      if (intent.kind !== "release") return false;
      const reservation = find(state, "Reservation", intent.key);
      return reservation !== undefined && reservation.life !== intent.life;
    },
  },
];

export const showsKnownGap = (state: ModelState, { intent }: Command): boolean =>
  KNOWN_GAPS.some(({ shownBy }) => shownBy(state, intent));
