/**
 * User ids for replicas: each that runs has one of its own, from a range that no system gives to
 * anybody (systemd's list of user ids leaves it free). Two agents of one machine draw from
 * different parts of it.
 */
import { createHash } from "node:crypto";
import type { RunAs } from "../../process/run-as.ts";

export const FIRST_UID = 1_900_000_000;
/** Of one agent. */
const PART = 4_096;
const PARTS = 4_096;
export const LAST_UID = FIRST_UID + PART * PARTS - 1;
/** Those of containers follow, up to where the system's own ranges begin again. */
export const FIRST_CONTAINER_UID = 1_920_000_000;
export const LAST_REPLICA_UID = 2_147_352_575;

export class ReplicaUids {
  private readonly first: number;
  private readonly taken = new Set<number>();
  private next = 0;

  constructor(agentFolder: string) {
    const digest = createHash("sha256").update(agentFolder).digest();
    this.first = FIRST_UID + (digest.readUInt32BE(0) % PARTS) * PART;
  }

  /** The one that was free for longest, so that what is late finds no other replica under it. */
  take(): RunAs {
    for (let tried = 0; tried < PART; tried += 1) {
      const uid = this.first + this.next;
      this.next = (this.next + 1) % PART;
      if (this.taken.has(uid)) continue;
      this.taken.add(uid);
      return { uid, gid: uid };
    }
    throw new Error(`All ${PART} user ids of this node are in use by replicas.`);
  }

  /** One that an earlier agent gave away. */
  hold({ uid }: RunAs): void {
    this.taken.add(uid);
  }

  release({ uid }: RunAs): void {
    this.taken.delete(uid);
  }
}
