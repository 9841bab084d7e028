/**
 * A component is plain state plus `receive`: one input at a time, synchronously, effects out. It
 * never reaches for a clock, a socket or a disk, so production, simulation and replay run the same
 * code.
 */
import type { Command } from "../protocol/command.ts";
import type { Commit } from "../protocol/commit-record.ts";
import type { Reply } from "../protocol/outcome.ts";
import type { SecretsAsk } from "../protocol/secrets-ask.ts";
import type { Snapshot } from "../protocol/snapshot.ts";
import type { DecisionRecord } from "../protocol/decision.ts";
import type { Actor } from "../model/actor.ts";
import type { Amounts } from "../model/amounts.ts";
import type { Epoch, ObjectKey, OperationId, Revision, Uid } from "../model/ids.ts";
import type { Machine } from "../model/node/machine.ts";
import type { Address, AnyObject, Template } from "../model/objects.ts";
import type { Turn } from "../protocol/turn.ts";

export interface Component<In, Out> {
  receive(input: In, turn: Turn): readonly Out[];
}

export type Request =
  /**
   * `attempt` counts the tries of one operation by one sender; it is for people and fault injection
   * only.
   */
  | { readonly kind: "command"; readonly command: Command; readonly attempt: number }
  | {
      readonly kind: "lookup";
      readonly operation: OperationId;
      /** Whose operation it is (ID2). Only recordings of earlier versions leave it out. */
      readonly actor?: Actor;
      readonly attempt: number;
      /** Of an agent: asks for the secrets of a start that it was allowed (SE11). */
      readonly secrets?: SecretsAsk;
    };

/** What a controller or an agent can be told. */
export type ClientInput =
  | { readonly kind: "started" }
  /**
   * Commits of interest in revision order; `to` is how far the stream has come, interesting or not.
   */
  | {
      readonly kind: "watch";
      readonly commits: readonly Commit[];
      readonly to: Revision;
      readonly epoch: Epoch;
    }
  /** Answer to the `list` effect; may come from a plane that lags. */
  | {
      readonly kind: "listed";
      readonly objects: readonly AnyObject[];
      readonly revision: Revision;
      readonly epoch: Epoch;
    }
  | { readonly kind: "reply"; readonly call: number; readonly reply: Reply }
  | { readonly kind: "timer" };

/** What a controller or an agent can do. */
export type ClientEffect =
  | { readonly kind: "request"; readonly call: number; readonly request: Request }
  /** Asks for all objects of interest; the watch goes on from the list's revision. */
  | { readonly kind: "list" }
  /** A component has one timer; setting it again moves it. */
  | { readonly kind: "timer"; readonly atMs: number }
  | { readonly kind: "decision"; readonly record: DecisionRecord };

/**
 * What the node's process driver tells the agent. A process is named by its replica and
 * incarnation.
 */
export type ProcessEvent =
  | {
      readonly kind: "alive";
      readonly replica: ObjectKey;
      readonly incarnation: number;
      readonly address?: Address;
    }
  | {
      readonly kind: "probed";
      readonly replica: ObjectKey;
      readonly incarnation: number;
      readonly ready: boolean;
      /** What it was that answered so, in words for people; of a driver that has none, left out. */
      readonly said?: string;
    }
  | {
      readonly kind: "exited";
      readonly replica: ObjectKey;
      readonly incarnation: number;
      readonly code: number;
      /** It was asked to stop, by this agent or by one before it. */
      readonly onRequest?: true;
      /** What the driver knows beyond the exit code, in a sentence. */
      readonly reason?: string;
    };

/** What survives an agent's own restart: read back by the driver and handed over with `adopted`. */
export interface AdoptedProcess {
  readonly replica: ObjectKey;
  /**
   * Of the replica: a namesake that was made after it has the same key and counts the same
   * incarnations.
   */
  readonly uid: Uid;
  readonly incarnation: number;
  /**
   * The revision that permitted the start: a list older than this cannot have known the process.
   */
  readonly permittedAt: Revision;
  readonly leashed: boolean;
  /** What it was started with room for. */
  readonly asked: Amounts;
  readonly address?: Address;
}

export type AgentInput =
  | ClientInput
  | { readonly kind: "process"; readonly event: ProcessEvent }
  /**
   * First input of every agent incarnation: its durable session, highest epoch obeyed, and what it
   * finds there.
   */
  | {
      readonly kind: "adopted";
      readonly session: number;
      readonly epoch: Epoch;
      readonly machine: Machine;
      readonly processes: readonly AdoptedProcess[];
    };

export type AgentEffect =
  | ClientEffect
  | {
      readonly kind: "start-process";
      readonly replica: ObjectKey;
      readonly uid: Uid;
      readonly incarnation: number;
      readonly workload: string;
      readonly index: number;
      /** The exclusive units that were bound to it. */
      readonly deviceIds: readonly string[];
      readonly permittedAt: Revision;
      /**
       * A leashed process is killed by the driver itself when the leash runs out, agent or no
       * agent.
       */
      readonly leashed: boolean;
      readonly template: Template;
    }
  | { readonly kind: "probe-process"; readonly replica: ObjectKey; readonly incarnation: number }
  | { readonly kind: "stop-process"; readonly replica: ObjectKey; readonly incarnation: number }
  /** Moves the deadline of every leashed process on this node. */
  | { readonly kind: "leash"; readonly untilMs: number }
  /** Makes session and epoch durable on the node before anything is said under them. */
  | { readonly kind: "remember"; readonly session: number; readonly epoch: Epoch };

/** What the authority can be told. */
export type AuthorityInput =
  | { readonly kind: "started" }
  /**
   * Between `claim` and `claimed`, while another leads: what is durable. A snapshot takes the place
   * of all that was followed before; commits go on from there.
   */
  | { readonly kind: "followed"; readonly snapshot?: Snapshot; readonly commits: readonly Commit[] }
  /** Answer to `claim`: the log is ours under `epoch`, and this is all of it. */
  | {
      readonly kind: "claimed";
      readonly epoch: Epoch;
      readonly snapshot?: Snapshot;
      /** Everything after the snapshot, or everything. */
      readonly commits: readonly Commit[];
    }
  /**
   * Answer to `claim` for who has followed the log to its end: it is ours under `epoch`, and ends
   * at `end`.
   */
  | { readonly kind: "took-over"; readonly epoch: Epoch; readonly end: Revision }
  /** `epoch` is that of the append; recordings of earlier versions leave it out. */
  | {
      readonly kind: "appended";
      readonly result: "durable" | "fenced" | "unknown";
      readonly epoch?: Epoch;
    }
  /** The lease on the log may have ended by now: somebody else may lead. */
  | { readonly kind: "lapsed" }
  /** Its process stood still until now: what it did not hear meanwhile, it could not have heard. */
  | { readonly kind: "stalled" }
  | {
      readonly kind: "request";
      readonly from: string;
      readonly call: number;
      readonly request: Request;
    };

export type AuthorityEffect =
  /** Takes the log under a new, higher epoch; its holder before is fenced from here on. */
  | { readonly kind: "claim" }
  | { readonly kind: "append"; readonly epoch: Epoch; readonly commits: readonly Commit[] }
  | { readonly kind: "respond"; readonly to: string; readonly call: number; readonly reply: Reply }
  /** Everything up to `to` is durable and may be shown to watchers. */
  | { readonly kind: "publish"; readonly to: Revision }
  /** Another holds the log. This authority answers nothing until it is started again. */
  | { readonly kind: "resigned" };
