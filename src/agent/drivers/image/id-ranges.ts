/**
 * Ranges of user ids for containers: each that runs has 65,536 of its own, so that no user of one
 * image is a user of another, or of the machine. They follow those of the sandboxes.
 */
import { createHash } from "node:crypto";
import { FIRST_CONTAINER_UID, LAST_REPLICA_UID } from "../sandbox/replica-uids.ts";
import { IDS } from "./container-config.ts";

const RANGES = Math.floor((LAST_REPLICA_UID + 1 - FIRST_CONTAINER_UID) / IDS);

export class IdRanges {
  private readonly taken = new Set<number>();
  private next: number;

  /** Agents of one machine begin at different places. */
  constructor(agentFolder: string) {
    this.next = createHash("sha256").update(agentFolder).digest().readUInt32BE(0) % RANGES;
  }

  /** The first id of it. */
  take(): number {
    for (let tried = 0; tried < RANGES; tried += 1) {
      const at = this.next;
      this.next = (this.next + 1) % RANGES;
      if (this.taken.has(at)) continue;
      this.taken.add(at);
      return FIRST_CONTAINER_UID + at * IDS;
    }
    throw new Error("All ranges of user ids of this node are in use by replicas.");
  }

  /** Of any id in it. */
  firstOf(uid: number): number {
    return FIRST_CONTAINER_UID + this.rangeOf(uid) * IDS;
  }

  hold(uid: number): void {
    this.taken.add(this.rangeOf(uid));
  }

  release(uid: number): void {
    this.taken.delete(this.rangeOf(uid));
  }

  private rangeOf(uid: number): number {
    return Math.floor((uid - FIRST_CONTAINER_UID) / IDS);
  }
}
