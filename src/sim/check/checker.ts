/**
 * A checker watches one kind of state and does not use the code that keeps this state right: it
 * keeps its own copy, computed in another way. The simulator tells it of every durable commit and
 * every physical event as they happen, so it checks the state after every turn that could have
 * changed it.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Ledger } from "../../core/commit/ledger.ts";
import type { Reply } from "../../core/protocol/outcome.ts";
import type { SecretsAsk } from "../../core/protocol/secrets-ask.ts";
import type { DecisionRecord } from "../../core/protocol/decision.ts";
import type { Request } from "../../core/kernel/component.ts";
import type { Epoch, ObjectKey, OperationId, Revision } from "../../core/model/ids.ts";
import type { Machine } from "../../core/model/node/machine.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { View } from "../../core/observe/view.ts";
import type { Owed } from "../../core/runner/runner.ts";
import type { AccessAsked } from "../roles/roles-gate.ts";
import type { World } from "../world/world.ts";

/** A process as it really is, independent of the beliefs of components. */
export interface LiveProcess {
  readonly replica: ObjectKey;
  readonly incarnation: number;
  readonly node: string;
  readonly leashed: boolean;
  readonly startedMs: number;
}

/** A live client: its beliefs, the looks it owes, and whether it tracks a key at all. */
export interface Believer {
  readonly name: string;
  readonly view: View;
  readonly owed: readonly Owed[];
  isTracking(key: ObjectKey): boolean;
}

/** A plane that is up: the role it believes it has, and its knowledge. */
export interface PlaneState {
  readonly name: string;
  readonly isLeading: boolean;
  /**
   * It has asked for the log and has no answer yet: its ledger is that of an earlier lead, and no
   * client sees it.
   */
  readonly isWaiting?: boolean;
  readonly epoch: Epoch;
  /** For a leader, this includes commands that are checked and not durable yet. */
  readonly ledger: Pick<Ledger, "revision" | "objects" | "operations">;
}

/** Read access to the true state. Times are true time, not the clock of a component. */
export interface Truth {
  readonly world: World;
  readonly nowMs: number;
  /** All objects as of the last durable commit. */
  readonly objects: ObjectIndex;
  readonly commits: readonly Commit[];
  /** Running processes; those of paused or crashed nodes are not running. */
  processes(): Iterable<LiveProcess>;
  /** The processes on one node. */
  processesOn(node: string): Iterable<LiveProcess>;
  isNodeUp(node: string): boolean;
  /** The hardware that the machine under a node really has at this moment. */
  machineOf(node: string): Machine;
  /**
   * True time at which the agent's last *committed* lease renewal was sent; undefined before the
   * first.
   */
  leaseSentMs(node: string): number | undefined;
  /** The beliefs and owed looks of each client component; crashed components are absent. */
  clients(): Iterable<Believer>;
  /**
   * Whether a hostile sender has the credentials of the node, so that its reports may be false.
   * Left out: no node lies.
   */
  isLying?(node: string): boolean;
  /**
   * Whether a hostile sender may have broken the rule on an object of its own. Left out: there is
   * no hostile sender.
   */
  isOwnDamage?(rule: string, key: ObjectKey | undefined): boolean;
  /** Planes that are up and not paused. */
  planes(): Iterable<PlaneState>;
  /**
   * Requests that have arrived and wait for their turn. Left out: the plane takes every request at
   * once.
   */
  readonly entrance?: Iterable<WaitingRequest> | undefined;
}

export interface WaitingRequest {
  readonly message: {
    readonly client: { readonly name: string; readonly isHostile: boolean };
    readonly label: string;
  };
  readonly sinceMs: number;
}

export interface Violation {
  readonly rule: string;
  readonly message: string;
  readonly atMs: number;
  readonly revision: Revision;
  /** The object the violation is about, when there is one. */
  readonly key: ObjectKey | undefined;
}

export type Report = (rule: string, message: string, key?: ObjectKey) => void;

export interface Checker {
  readonly name: string;
  /**
   * Lease renewals, many commits of a run, tell it nothing: it is not called for them. The log
   * checker verifies that such a commit touches one lease and nothing else.
   */
  readonly ignoresRenewals?: true;
  /** Called once the commit is durable, before `truth.objects` folds it. */
  beforeCommit?(commit: Commit, truth: Truth, report: Report): void;
  /** Called after `truth.objects` folded it. */
  afterCommit?(commit: Commit, truth: Truth, report: Report): void;
  processStarted?(process: LiveProcess, truth: Truth, report: Report): void;
  processEnded?(process: LiveProcess, truth: Truth, report: Report): void;
  /** A reply reached the component that asked. */
  replied?(to: string, operation: OperationId, reply: Reply, truth: Truth, report: Report): void;
  /** A client sent a command or a look-up (each attempt). */
  requested?(
    from: string,
    operation: OperationId,
    attempt: number,
    truth: Truth,
    report: Report,
    request: Request,
  ): void;
  /** A hostile sender sent something; `requested` is not told of it. */
  attacked?(from: string, request: Request, truth: Truth, report: Report): void;
  /** A reply reached a hostile sender; `replied` is not told of it. */
  attackAnswered?(
    to: string,
    operation: OperationId,
    reply: Reply,
    truth: Truth,
    report: Report,
  ): void;
  /** A plane decided by these objects what a person may do; a command that may follows. */
  accessAsked?(
    asked: AccessAsked,
    objects: Pick<ObjectIndex, "all">,
    truth: Truth,
    report: Report,
  ): void;
  /** A shared log was given to a plane under this epoch. */
  claimed?(plane: string, epoch: Epoch, truth: Truth, report: Report): void;
  /** One of several planes sends a reply, to a client or to another plane. */
  answered?(plane: string, reply: Reply, truth: Truth, report: Report): void;
  /** A plane sends the answer of its authority to an agent that asked for secrets. */
  secretsAnswered?(to: string, ask: SecretsAsk, reply: Reply, truth: Truth, report: Report): void;
  /** A plane of several lets its watchers see everything up to this revision. */
  shown?(plane: string, to: Revision, truth: Truth, report: Report): void;
  /** A client asks for all objects as they are now. */
  listAsked?(component: string): void;
  /** Such a list has come, as of this revision. */
  listed?(component: string, revision: Revision, report: Report): void;
  /** The decisions of a client in one turn, in the order of its looks, on its current view. */
  decided?(records: readonly DecisionRecord[], view: View, truth: Truth, report: Report): void;
  /** A client crashed and lost its memory. */
  clientStopped?(component: string): void;
  /** A client's view moved. */
  viewMoved?(
    component: string,
    view: View,
    was: { readonly revision: Revision; readonly epoch: Epoch },
    truth: Truth,
    report: Report,
  ): void;
  /** Every few virtual seconds, for checks that are too expensive on every turn. */
  sampled?(truth: Truth, report: Report): void;
  /** The healed world has settled, or its time is up. */
  atEnd?(truth: Truth, report: Report): void;
}
