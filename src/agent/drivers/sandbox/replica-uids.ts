/**
 * User ids for replicas: each that runs has one of its own, from a range that no system gives to
 * anybody (systemd's list of user ids leaves it free). Two agents of one machine draw from
 * different parts of it.
 */
import { createHash } from "node:crypto";
import type { Network } from "../../../core/model/run-options.ts";
import type { RunAs } from "../../process/run-as.ts";

export const FIRST_UID = 1_900_000_000;
/** Of one agent. */
const PART = 4_096;
const PARTS = 4_096;
export const LAST_UID = FIRST_UID + PART * PARTS - 1;
/** Those of replicas that reach other machines alone: the network's fence knows them by it. */
export const FIRST_OUTBOUND_UID = 1_917_000_000;
const OUTBOUND_PART = 512;
export const LAST_OUTBOUND_UID = FIRST_OUTBOUND_UID + OUTBOUND_PART * PARTS - 1;
/** Those of containers follow, up to where the system's own ranges begin again. */
export const FIRST_CONTAINER_UID = 1_920_000_000;
export const LAST_REPLICA_UID = 2_147_352_575;

/** The ids of one agent, of one network. */
interface Part {
  readonly first: number;
  readonly size: number;
  next: number;
}

export class ReplicaUids {
  private readonly usual: Part;
  private readonly outbound: Part;
  private readonly taken = new Set<number>();

  constructor(agentFolder: string) {
    const digest = createHash("sha256").update(agentFolder).digest();
    const part = digest.readUInt32BE(0) % PARTS;
    this.usual = { first: FIRST_UID + part * PART, size: PART, next: 0 };
    const first = FIRST_OUTBOUND_UID + part * OUTBOUND_PART;
    this.outbound = { first, size: OUTBOUND_PART, next: 0 };
  }

  /** The one that was free for longest, so that what is late finds no other replica under it. */
  take(network: Network = "node"): RunAs {
    const part = network === "outbound" ? this.outbound : this.usual;
    for (let tried = 0; tried < part.size; tried += 1) {
      const uid = part.first + part.next;
      part.next = (part.next + 1) % part.size;
      if (this.taken.has(uid)) continue;
      this.taken.add(uid);
      return { uid, gid: uid };
    }
    throw new Error(
      `All ${part.size} user ids that this node has for the network ${network} are in use by replicas.`,
    );
  }

  /** One that an earlier agent gave away. */
  hold({ uid }: RunAs): void {
    this.taken.add(uid);
  }

  release({ uid }: RunAs): void {
    this.taken.delete(uid);
  }
}
