/** The result of one run: enough to check it, to reproduce it and to tell its story. */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { DecisionRecord } from "../../core/protocol/decision.ts";
import type { Amounts } from "../../core/model/amounts.ts";
import type { Epoch, ObjectKey, Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { Violation } from "../check/checker.ts";
import type { Fault } from "../faults/fault.ts";
import type { RunRecoveries } from "./recovery-tally.ts";
import type { Witnessed } from "./witness.ts";
import type { World } from "../world/world.ts";

export interface TraceLine {
  readonly turn: number;
  readonly atMs: number;
  readonly component: string;
  /** One line a person can read, e.g. "bind/… committed at revision 41; reply lost". */
  readonly text: string;
  readonly decision?: DecisionRecord;
}

export interface RunOptions {
  readonly world: World;
  readonly seed: number;
  readonly faults: FaultSource;
  /** Permutes lists and the changes inside a commit; the run's hash must not notice. */
  readonly shakeOrder?: boolean;
  /** Collects trace lines; costs time, so it is off by default. */
  readonly trace?: boolean;
  /**
   * Records, with the trace, which message led from which turn to which; for incident documents.
   */
  readonly witness?: boolean;
  /** Stop after this many turns (replay --until). */
  readonly untilTurn?: number;
}

/** Either explicit faults only, or explicit ones plus a swarm with rates per thousand. */
export interface FaultSource {
  readonly explicit: readonly Fault[];
  /**
   * Chance in 100,000 per opportunity for message faults, and for scheduled ones how many to draw.
   */
  readonly rates: Readonly<Partial<Record<Fault["fault"], number>>>;
}

/** One object as it is and as every client holds it, at the turn of the violation. */
export interface Beliefs {
  readonly key: ObjectKey;
  /** As of the last durable commit. */
  readonly truth: AnyObject | undefined;
  /** For a node or a quota: the sum over its holders. */
  readonly taken: Amounts | undefined;
  readonly revision: Revision;
  readonly epoch: Epoch;
  /** Crashed components believe nothing and are absent. */
  readonly clients: readonly Belief[];
}

export interface Belief {
  readonly name: string;
  readonly viewRevision: Revision;
  readonly epoch: Epoch;
  readonly held: AnyObject | undefined;
  readonly taken: Amounts | undefined;
}

export interface RunResult {
  readonly seed: number;
  /** Turns taken: inputs received by components. */
  readonly events: number;
  /** Same seed, same code, same hash. */
  readonly hash: string;
  readonly violation: Violation | undefined;
  /** Every fault that fired, as explicit events: the run's scenario. */
  readonly fired: readonly Fault[];
  readonly trace: readonly TraceLine[];
  /** Recovery times of workloads with an objective; left out without a loss. */
  readonly recoveries?: RunRecoveries;
  /** The whole log, filled when tracing. */
  readonly commits?: readonly Commit[];
  readonly endedMs: number;
  /**
   * Filled when tracing met a violation that has a key: that object first, then those it depends on
   * (its current or last node, its tenant's quota, its reservation).
   */
  readonly beliefs?: readonly Beliefs[];
  /** Filled when the caller asked for a witness. */
  readonly witnessed?: Witnessed;
}
