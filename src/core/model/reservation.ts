/** What a reservation reserves, and for whom. */
import type { Amounts } from "./amounts.ts";
import type { ObjectKey, Uid } from "./ids.ts";
import type { Room } from "./room.ts";

interface Reserved {
  /** The replica and incarnation it is for. For the recovery reserve: workload and number. */
  readonly owner: ObjectKey;
  readonly ownerUid: Uid;
  readonly incarnation: number;
  readonly tenant: string;
  readonly amounts: Amounts;
  /** The class of the replica; left out: it has none. */
  readonly priorityClass?: string;
  readonly deadlineMs: number;
}

/** Quota for a replica that is admitted and not queued yet. */
export interface QuotaReservation extends Reserved {
  readonly for: "quota";
}

/** Room that the victims of a preemption leave; the preemptor's quota is reserved separately. */
export interface PreemptorRoom extends Reserved {
  readonly for: "preemptor";
  readonly room: Room;
  /** The policy revision of the preemption; left out: one without a name. */
  readonly policyRevision?: string;
}

/** Room for replicas that a workload may lose. */
export interface RecoveryReserve extends Reserved {
  readonly for: "recovery";
  readonly room: Room;
}

export type ReservationSpec = QuotaReservation | PreemptorRoom | RecoveryReserve;

/** The room that it reserves; undefined: it reserves quota. */
export const roomOf = (spec: ReservationSpec): Room | undefined =>
  spec.for === "quota" ? undefined : spec.room;

/** The policy revision under which it was made; undefined: none, or one without a name. */
export const reservedUnder = (spec: ReservationSpec): string | undefined =>
  spec.for === "preemptor" ? spec.policyRevision : undefined;
