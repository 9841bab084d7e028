/** What a rule concludes about one command: the changes it would make, or the no it deserves. */
import type { Actor, Role } from "../model/actor.ts";
import type { ObjectKey, Revision } from "../model/ids.ts";
import type { AnyObject, Meta, Replica, ReplicaStatus } from "../model/objects.ts";
import type { Change } from "../protocol/commit-record.ts";
import type { Ledger } from "./ledger.ts";
import { reject, type Rejection } from "../protocol/rejection.ts";

export type Verdict = readonly Change[] | Rejection;

export const isRejection = (verdict: Verdict): verdict is Rejection => !Array.isArray(verdict);

/** What every rule may look at besides the intent. */
export interface CommitContext {
  readonly ledger: Ledger;
  readonly nowMs: number;
  readonly role: Role;
  readonly actorName: string;
  readonly actor: Actor;
  /** The revision the changes will carry when they are committed. */
  readonly next: Revision;
}

export const missing = (key: ObjectKey): Rejection =>
  reject("no-such-object", key, "exists", "missing");

export const touched = (meta: Meta, revision: Revision): Meta => ({ ...meta, revision });

export const changed = <T extends AnyObject>(before: T, after: T): Change => ({
  key: before.key,
  before,
  after,
});

export const removed = (before: AnyObject): Change => ({
  key: before.key,
  before,
  after: undefined,
});

/** The replica with a new status, stage time kept unless the stage moved. */
export function withStatus(
  context: CommitContext,
  replica: Replica,
  status: Partial<ReplicaStatus>,
): Change {
  const stage = status.stage ?? replica.status.stage;
  const moved = stage !== replica.status.stage;
  const after: Replica = {
    ...replica,
    meta: touched(replica.meta, context.next),
    status: {
      ...replica.status,
      stageSinceMs: moved ? context.nowMs : replica.status.stageSinceMs,
      ...status,
    },
  };
  return changed(replica, after);
}

/** A replica that no longer holds anything: node and devices are given back. */
export const FREED = {
  node: undefined,
  deviceIds: [],
  stopping: undefined,
  address: undefined,
  preemptions: undefined,
} satisfies Partial<ReplicaStatus>;
