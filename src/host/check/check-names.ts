/**
 * What `berth store check` looks at, in the order in which it tells it, with the rule behind each
 * and what to do.
 */
import type { ObjectKey, Revision } from "../../core/model/ids.ts";

export interface CheckEntry {
  readonly title: string;
  /** What is counted. */
  readonly of: string;
  /** A rule of docs/SPEC.md. */
  readonly rule: string;
  readonly todo: string;
}

const RESTORE = "Stop every plane and restore the newest valid backup (docs/operations.md).";
const REPORT = "Keep a copy of the store and report this bug in Berth. A restart does not help.";

export const CHECKS = {
  storage: { title: "the storage can be read", of: "stores", rule: "LG9", todo: RESTORE },
  bounds: {
    title: "start, end and newest epoch match their seals",
    of: "seals",
    rule: "LG9",
    todo: RESTORE,
  },
  batches: {
    title: "every batch is unchanged and follows the one before",
    of: "batches",
    rule: "LG9",
    todo: RESTORE,
  },
  chain: {
    title: "every batch has the hash of all batches before it",
    of: "links",
    rule: "LG19",
    todo: "Another program changed the store and recomputed its checksums. Keep a copy, and compare it with an earlier backup or export (docs/audit.md).",
  },
  snapshots: {
    title: "every snapshot is complete",
    of: "snapshots",
    rule: "LG7",
    todo: "No data is lost: the other snapshot and the commits have everything. Start a plane: its next snapshot replaces this one. Check the disk.",
  },
  revisions: {
    title: "revisions follow each other without a gap",
    of: "commits",
    rule: "LG4",
    todo: RESTORE,
  },
  epochs: { title: "epochs never go back", of: "epochs", rule: "INV10", todo: RESTORE },
  equality: {
    title: "every snapshot equals the commits before it",
    of: "snapshots",
    rule: "LG7",
    todo: REPORT,
  },
  replay: { title: "every commit folds", of: "commits", rule: "INV0", todo: REPORT },
  quota: {
    title: "quota adds up and never exceeded its limit",
    of: "tenants",
    rule: "INV4",
    todo: REPORT,
  },
  bindings: {
    title: "every bound replica names an existing node, and no other replica does",
    of: "replicas",
    rule: "INV1",
    todo: REPORT,
  },
  indexes: { title: "no index has two live replicas", of: "indexes", rule: "INV1", todo: REPORT },
  devices: {
    title: "no device is assigned twice",
    of: "devices",
    rule: "INV3",
    todo: REPORT,
  },
  capacity: {
    title: "no bind exceeded the capacity of its node",
    of: "nodes",
    rule: "INV2",
    todo: REPORT,
  },
  reservations: {
    title: "every reservation is unique and has an owner",
    of: "reservations",
    rule: "INV5",
    todo: REPORT,
  },
  finalizers: {
    title: "every deleted object is gone or waits for a finalizer",
    of: "deletions",
    rule: "OB3",
    todo: REPORT,
  },
  names: {
    title: "every object has its own name, uid and tenant",
    of: "objects",
    rule: "OB5",
    todo: REPORT,
  },
} as const satisfies Readonly<Record<string, CheckEntry>>;

export type CheckName = keyof typeof CHECKS;

export interface Finding {
  readonly check: CheckName;
  /** The key of an object, or where in the store. */
  readonly where: string;
  readonly revision?: Revision;
  readonly found: string;
  /** Nothing is wrong: a plane that runs puts it in order by itself (docs/repair.md). */
  readonly isDrift?: true;
}

export type Report = (finding: Finding) => void;

/** About an object. */
export const about = (
  check: CheckName,
  where: ObjectKey,
  revision: Revision,
  found: string,
): Finding => ({ check, where, revision, found });
