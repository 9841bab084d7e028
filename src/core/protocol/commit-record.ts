/** What the log holds: one record per committed command, in order, with everything it changed. */
import type { Actor } from "../model/actor.ts";
import type { Evidence } from "../model/evidence.ts";
import type { Epoch, ObjectKey, OperationId, Revision } from "../model/ids.ts";
import type { AnyObject } from "../model/objects.ts";
import type { CommandKind } from "./command.ts";

export interface Change {
  readonly key: ObjectKey;
  readonly before: AnyObject | undefined;
  readonly after: AnyObject | undefined;
}

export interface Commit {
  readonly revision: Revision;
  readonly epoch: Epoch;
  /** On the clock of the authority of `epoch`. */
  readonly atMs: number;
  readonly operation: OperationId;
  readonly actor: Actor;
  /**
   * "lead" opens an epoch and changes nothing. "restore" changes nothing either: the log was made
   * of a backup, by the person who signs it.
   */
  readonly command: CommandKind | "lead" | "restore";
  readonly basis: Revision;
  readonly evidence: Evidence | undefined;
  readonly changes: readonly Change[];
}
