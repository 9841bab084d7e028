/**
 * What can be asked of the authority. Commands are semantic: two binds to one node conflict only
 * when the second does not fit. Every command says which intent it serves (`operation`), under
 * which leadership it was decided (`epoch`) and on which revision of the view (`basis`).
 */
import type { NodeDriver } from "../model/node/driver-name.ts";
import type { Actor } from "../model/actor.ts";
import type { LoadReading } from "../model/autoscaler.ts";
import type { ClientCondition } from "../model/client-condition.ts";
import type { JobEnd } from "../model/batch.ts";
import type { Evidence } from "../model/evidence.ts";
import type { Epoch, Kind, ObjectKey, OperationId, Revision, Uid } from "../model/ids.ts";
import type { StatedOwner } from "../model/owner.ts";
import type { Address, Labels, NodeHealth, ObjectOf } from "../model/objects.ts";
import type { ProvisionOutcome } from "../model/node/node-pool.ts";
import type { NodeApproval } from "../model/node/node-approval.ts";
import type { RegionIntent } from "./region-intents.ts";

/**
 * What a person may write. Replicas, reservations, leases and what planes of regions know of each
 * other come into being by the other commands only.
 */
export type WrittenKind = Exclude<Kind, "Replica" | "Reservation" | "Lease" | "Plane" | "Grant">;

export type DesiredOf<K extends WrittenKind> = {
  readonly [One in K]: { readonly kind: One; readonly spec: ObjectOf<One>["spec"] };
}[K];

export type Desired = DesiredOf<WrittenKind>;

/** A put of one kind. */
export type PutOf<K extends WrittenKind> = IntentOf<"put"> & {
  readonly desired: DesiredOf<K>;
};

export interface Precondition {
  readonly revision?: Revision;
  readonly generation?: number;
}

export interface IndexIncarnation {
  readonly index: number;
  readonly incarnation: number;
}

export interface Binding {
  readonly replica: ObjectKey;
  readonly incarnation: number;
  readonly node: string;
  readonly deviceIds: readonly string[];
  /** Room that is kept for the recovery of its workload there, which it takes. */
  readonly spare?: ObjectKey;
  /** The policy revision that it was decided under; left out: one without a name. */
  readonly policyRevision?: string;
  /** The name of the recovery budget that it spends; left out: none. */
  readonly budget?: string;
}

/** Room that is to be kept for replicas a workload may lose. */
export interface SpareRoom {
  readonly node: string;
  readonly deviceIds: readonly string[];
}

export interface Victim {
  readonly replica: ObjectKey;
  readonly incarnation: number;
}

/** One step of a rollout, back or forth. */
export type RollMove =
  /**
   * Wants indexes of the target, wants others no more and asks those there to stop; all or none.
   */
  | {
      readonly kind: "advance";
      /** Indexes of the target, in order. */
      readonly begin: readonly number[];
      /** Of the generations that are left behind. */
      readonly drop: readonly {
        readonly generation: number;
        readonly indexes: readonly number[];
      }[];
      /** The step that is the first not to be over from now on. */
      readonly step: number;
    }
  /** All that is wanted is of the target and serves. */
  | { readonly kind: "finish" }
  /** It made no progress in time. */
  | { readonly kind: "fail"; readonly reason: string };

/**
 * How many indexes one command may enqueue or bind. Large enough that what a command costs by
 * itself is spread thin, and that a gang fits; small enough that checking one does not hold up a
 * heartbeat.
 */
export const INDEXES_PER_COMMAND = 1_024;

export type Intent = { readonly operation: OperationId } & (
  | RegionIntent
  | {
      readonly kind: "put";
      readonly key: ObjectKey;
      readonly desired: Desired;
      readonly labels: Labels;
      /**
       * Left out: those of the object stay. A controller that lifts a finalizer knows nothing of
       * them.
       */
      readonly annotations?: Labels;
      /** Left out: that of the object stays. */
      readonly managedFields?: string;
      /** Left out: those of the object stay. */
      readonly conditions?: readonly ClientCondition[];
      readonly finalizers: readonly string[];
      /** Left out: those of the object stay. */
      readonly owners?: readonly StatedOwner[];
      readonly expect: Precondition;
      /** Of a node: the sender lifts or changes what somebody else holds, and answers for it. */
      readonly force?: true;
      /**
       * Of a node that its agent registers: what its operator has stated beside the agent's token.
       */
      readonly approved?: NodeApproval;
    }
  | {
      readonly kind: "delete";
      readonly key: ObjectKey;
      readonly expect: Precondition;
      /** Of a node: it goes although replicas hold it. */
      readonly orphan?: true;
      /** Of what goes by itself: a job, or an object without its owners; a person needs none. */
      readonly evidence?: Evidence;
    }
  /**
   * Gives an index an incarnation: makes the replica, or a released or failed one anew with
   * `incarnation` one higher.
   */
  | {
      readonly kind: "admit";
      readonly workload: ObjectKey;
      readonly generation: number;
      readonly index: number;
      readonly incarnation: number;
    }
  /**
   * Gives indexes an incarnation, holds quota for each and queues them, all or none: what admit,
   * reserve and transition do one by one, for the many that need not wait for quota.
   */
  | {
      readonly kind: "enqueue";
      readonly workload: ObjectKey;
      readonly generation: number;
      readonly indexes: readonly IndexIncarnation[];
    }
  /** Holds quota for one incarnation of one replica. */
  | {
      readonly kind: "reserve";
      readonly replica: ObjectKey;
      readonly incarnation: number;
      readonly deadlineMs: number;
    }
  /** Moves a replica admitted → queued, or a node along its health. */
  | {
      readonly kind: "transition";
      readonly key: ObjectKey;
      readonly incarnation: number;
      readonly from: "admitted";
      readonly to: "queued";
      readonly reservation: ObjectKey;
    }
  | {
      readonly kind: "transition";
      readonly key: ObjectKey;
      readonly session: number;
      readonly from: NodeHealth;
      readonly to: "suspect" | "unknown" | "fenced";
      readonly evidence: Evidence;
    }
  | ({ readonly kind: "bind" } & Binding)
  /** Binds all of these or none. */
  | { readonly kind: "bind-all"; readonly bindings: readonly Binding[] }
  /**
   * Asks the victims to stop and holds their room for this incarnation of the replica, in one
   * commit. No victims: room that is becoming free anyway is held.
   */
  | ({
      readonly kind: "preempt";
      readonly victims: readonly Victim[];
      /** How long the room is held, counted on the authority's own clock. */
      readonly holdMs: number;
    } & Binding)
  /** Frees a replica of its node: it was lost there, or another takes its place. */
  | {
      readonly kind: "release";
      readonly key: ObjectKey;
      readonly incarnation: number;
      readonly evidence: Evidence;
    }
  /** Ends a reservation whose owner is gone, whose time is over or whose policy was rolled back. */
  | {
      readonly kind: "unreserve";
      readonly key: ObjectKey;
      readonly incarnation: number;
      readonly evidence: Evidence;
    }
  /**
   * Ends what lasts for a time: an override, a recovery budget, a provisioning node, a node's hold
   * for flapping, or the lease of a node that is gone. `incarnation` is the generation of the
   * first two, and the session of the others.
   */
  | {
      readonly kind: "expire";
      readonly key: ObjectKey;
      readonly incarnation: number;
      readonly evidence: Evidence;
    }
  /** Moves a service along its rollout. `retargets` says which one is meant. */
  | {
      readonly kind: "roll";
      readonly workload: ObjectKey;
      readonly retargets: number;
      readonly move: RollMove;
    }
  /**
   * Keeps room for replicas that the workload may lose, and gives back what is of no use; all or
   * none.
   */
  | {
      readonly kind: "hold-recovery";
      readonly workload: ObjectKey;
      /** How often room was held for it before. */
      readonly holds: number;
      readonly rooms: readonly SpareRoom[];
      readonly drop: readonly ObjectKey[];
    }
  /** Says that there is something new to say of the workload's recovery. */
  | { readonly kind: "recover"; readonly workload: ObjectKey }
  /** Says that the deadline of a drain has passed. `generation` says which drain is meant. */
  | { readonly kind: "drain-over"; readonly node: string; readonly generation: number }
  /**
   * Moves the pointer of a policy to a revision, everywhere or in one region. `from` is what is
   * replaced; the empty text: no revision with a name.
   */
  | {
      readonly kind: "activate";
      readonly policy: string;
      readonly region?: string;
      readonly from: string;
      readonly to: string;
      readonly reason: string;
    }
  /** A sample of an autoscaled workload: the one way in which samples come into the log. */
  | { readonly kind: "observe"; readonly autoscaler: ObjectKey; readonly reading: LoadReading }
  /**
   * Gives a workload another number of replicas, by an observation. `generation` and `from` are
   * what it was decided on.
   */
  | {
      readonly kind: "scale";
      readonly autoscaler: ObjectKey;
      readonly observation: number;
      readonly generation: number;
      readonly from: number;
      readonly to: number;
    }
  /**
   * Asks for another node of a pool, under the name it will have, for a workload that waits for
   * room.
   */
  | {
      readonly kind: "provision";
      readonly pool: string;
      readonly node: string;
      readonly workload: ObjectKey;
    }
  /** What the provisioner says of a node of a pool. */
  | { readonly kind: "provisioned"; readonly node: string; readonly outcome: ProvisionOutcome }
  /** Begins to give back a node of a pool that holds nothing. */
  | { readonly kind: "scale-down"; readonly node: string }
  /** Says that a job is over, and how. `generation` is that of the template it ran with. */
  | {
      readonly kind: "finish";
      readonly workload: ObjectKey;
      readonly generation: number;
      readonly end: JobEnd;
    }
  /** Makes a binding that was made while its region was partitioned one like any other. */
  | { readonly kind: "confirm"; readonly replica: ObjectKey; readonly incarnation: number }
  /** Asks a bound replica to stop, or ends one that is not bound yet. */
  | {
      readonly kind: "evict";
      readonly replica: ObjectKey;
      readonly incarnation: number;
      readonly evidence: Evidence;
    }
  /**
   * An agent says what its process does. `released`, `failed`, `succeeded`: the process is gone.
   */
  | {
      readonly kind: "report";
      readonly replica: ObjectKey;
      /**
       * Of the replica it speaks of: a namesake counts its incarnations from one again. An older
       * agent does not say it.
       */
      readonly uid?: Uid;
      readonly incarnation: number;
      readonly node: string;
      readonly session: number;
      readonly stage:
        | "starting"
        | "ready"
        | "serving"
        | "running"
        | "succeeded"
        | "failed"
        | "released";
      readonly address?: Address;
      /**
       * How the process ended, why it was not started, or what a probe found of one that was ready,
       * for people.
       */
      readonly reason?: string;
      /** With `starting`: how many probes in a row have failed, and what the last one found. */
      readonly probe?: {
        readonly said: string;
        readonly times: number;
        /** How long ago the first of them failed, on the agent's clock; left out: just now. */
        readonly forMs?: number;
      };
      /** It had been ready for so long that this failure is a first one again (ST4). */
      readonly wasStable?: true;
      /** With `failed`: the machine cannot take it, and it was never started there (AG6). */
      readonly rejected?: true;
    }
  /**
   * An agent renews its node's lease. A session higher than the last says that nothing of the old
   * one is running, except the processes it kept on purpose (`onDisconnect: keep`), which it names.
   */
  | {
      readonly kind: "lease";
      readonly node: string;
      readonly session: number;
      readonly seq: number;
      readonly kept: readonly ObjectKey[];
      /** What the machine cannot do for its processes; left out when there is nothing to say. */
      readonly notes?: readonly string[];
      /**
       * Every replica that the agent knows of, on a view of this revision; left out of most
       * renewals.
       */
      readonly inventory?: {
        readonly asOf: Revision;
        readonly replicas: readonly ObjectKey[];
        /** What it allows replicas to be run by; left out by agents that run plain processes. */
        readonly drivers?: readonly NodeDriver[];
      };
      /**
       * When this incarnation of the agent began and what the time is, both on the agent's own
       * clock.
       */
      readonly clock?: { readonly startedMs: number; readonly nowMs: number };
    }
);

export type CommandKind = Intent["kind"];
export type IntentOf<K extends CommandKind> = Extract<Intent, { readonly kind: K }>;

export interface Command {
  readonly intent: Intent;
  readonly epoch: Epoch;
  readonly basis: Revision;
  readonly actor: Actor;
}
