/** What `berth store check` looks at, in the order in which it tells it, with the rule behind each and what to do. */
import type { ObjectKey, Revision } from "../../core/model/ids.ts";

export interface CheckEntry {
  readonly title: string;
  /** What is counted. */
  readonly of: string;
  /** A rule of docs/SPEC.md. */
  readonly rule: string;
  readonly todo: string;
}

const RESTORE = "Stop every plane and restore the newest backup that is good (docs/operations.md).";
const REPORT =
  "Keep a copy of the store and report this: it is a mistake in Berth. A restart does not help.";

export const CHECKS = {
  storage: { title: "the storage can be read", of: "stores", rule: "LG9", todo: RESTORE },
  bounds: {
    title: "beginning, end and newest epoch are as sealed",
    of: "seals",
    rule: "LG9",
    todo: RESTORE,
  },
  batches: {
    title: "every batch is unchanged and hangs on the one before",
    of: "batches",
    rule: "LG9",
    todo: RESTORE,
  },
  chain: {
    title: "every batch carries the hash of all that is before it",
    of: "links",
    rule: "LG19",
    todo: "Somebody wrote into the store behind Berth's back, and made its checksums fit. Keep a copy, and compare it with a backup or an export of before (docs/audit.md).",
  },
  snapshots: {
    title: "every snapshot is whole",
    of: "snapshots",
    rule: "LG7",
    todo: "The other snapshot and the commits still hold everything: start a plane, and its next snapshot replaces this one. Check the disk.",
  },
  revisions: {
    title: "revisions follow each other without a gap",
    of: "commits",
    rule: "LG4",
    todo: RESTORE,
  },
  epochs: { title: "epochs never go back", of: "epochs", rule: "INV10", todo: RESTORE },
  equality: {
    title: "a snapshot is the same as all commits before it",
    of: "snapshots",
    rule: "LG7",
    todo: REPORT,
  },
  replay: { title: "every commit folds", of: "commits", rule: "INV0", todo: REPORT },
  quota: {
    title: "quota adds up and was never granted beyond its limit",
    of: "tenants",
    rule: "INV4",
    todo: REPORT,
  },
  bindings: {
    title: "a replica names a node exactly while it holds one that is there",
    of: "replicas",
    rule: "INV1",
    todo: REPORT,
  },
  slots: { title: "no slot has two live replicas", of: "slots", rule: "INV1", todo: REPORT },
  devices: {
    title: "no device is given away more than once",
    of: "devices",
    rule: "INV3",
    todo: REPORT,
  },
  capacity: { title: "no bind went beyond its node", of: "nodes", rule: "INV2", todo: REPORT },
  reservations: {
    title: "every reservation is held once, for its owner",
    of: "reservations",
    rule: "INV5",
    todo: REPORT,
  },
  finalizers: {
    title: "what is deleted is gone, or waits for a finalizer",
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
