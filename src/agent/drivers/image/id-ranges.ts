/**
 * Ranges of user ids for containers: each that runs has 65,536 of its own, so that no user of one
 * image is a user of another, or of the machine. They follow those of the sandboxes.
 */
import { createHash } from "node:crypto";
import type { Network } from "../../../core/model/run-options.ts";
import { FIRST_CONTAINER_UID, LAST_REPLICA_UID } from "../sandbox/replica-uids.ts";
import { IDS } from "./container-config.ts";

const RANGES = Math.floor((LAST_REPLICA_UID + 1 - FIRST_CONTAINER_UID) / IDS);
/** From here on they are of containers that reach other machines alone. */
const FIRST_OUTBOUND = 2_400;
export const FIRST_OUTBOUND_CONTAINER_UID = FIRST_CONTAINER_UID + FIRST_OUTBOUND * IDS;

interface Part {
  readonly first: number;
  readonly size: number;
  next: number;
}

export class IdRanges {
  private readonly taken = new Set<number>();
  private readonly usual: Part;
  private readonly outbound: Part;

  /** Agents of one machine begin at different places. */
  constructor(agentFolder: string) {
    const number = createHash("sha256").update(agentFolder).digest().readUInt32BE(0);
    this.usual = { first: 0, size: FIRST_OUTBOUND, next: number % FIRST_OUTBOUND };
    const size = RANGES - FIRST_OUTBOUND;
    this.outbound = { first: FIRST_OUTBOUND, size, next: number % size };
  }

  /** The first id of it. */
  take(network: Network = "node"): number {
    const part = network === "outbound" ? this.outbound : this.usual;
    for (let tried = 0; tried < part.size; tried += 1) {
      const at = part.first + part.next;
      part.next = (part.next + 1) % part.size;
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
