/**
 * The operations that have had their effect, by whose they are (ID1). Two bounds: one for the
 * controllers, and one for all users and agents together. When these have too many, each is cut to
 * the same number of its newest: who has fewer loses nothing, so a flood pushes out nothing but the
 * flooder's own.
 *
 * Forgetting depends on the remembered operations alone, so a ledger that was restored from a
 * snapshot forgets the same as one that has read the whole log.
 */
import type { KeptOperation, KnownOperation } from "../protocol/snapshot.ts";
import type { OperationId } from "../model/ids.ts";
import type { Commit } from "../protocol/commit-record.ts";
import { limitValues } from "../model/limits/limit.ts";
import { OPERATION_LIMITS } from "./operation-limits.ts";
import { CONTROLLERS, type OperationSpace } from "../protocol/operation-space.ts";

type BySpace = Map<OperationId, KnownOperation>;

/** What no controller sends. */
const NEVER_A_CONTROLLERS: ReadonlySet<Commit["command"]> = new Set(["report", "activate"]);

/** How many are remembered; data of `operation-limits.ts` unless a test needs few. */
export interface Remembered {
  readonly controllerOperations: number;
  readonly callerOperations: number;
  readonly callerOperationsAfterCut: number;
}

export class KnownOperations {
  private readonly controllers: BySpace = new Map();
  // One walk for good: whatever it has passed is forgotten, and beginning anew would step over the
  // gap that each of them has left in the map. Hard private: where it stands is no part of the
  // truth.
  readonly #oldest = this.controllers.keys();
  private readonly callers = new Map<OperationSpace, BySpace>();
  private ofCallers = 0;
  readonly #most: Remembered;

  constructor(most: Remembered = limitValues(OPERATION_LIMITS)) {
    this.#most = most;
  }

  of(space: OperationSpace, id: OperationId): KnownOperation | undefined {
    return space === CONTROLLERS ? this.controllers.get(id) : this.callers.get(space)?.get(id);
  }

  /** Whosever it is: for look-ups of recordings that were made before ids belonged to callers. */
  ofAnybody(id: OperationId): KnownOperation | undefined {
    const known = this.controllers.get(id);
    if (known !== undefined) return known;
    for (const operations of this.callers.values()) {
      const found = operations.get(id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  remember(space: OperationSpace, id: OperationId, known: KnownOperation): void {
    if (space === CONTROLLERS) {
      this.controllers.set(id, known);
      if (this.controllers.size <= this.#most.controllerOperations) return;
      const oldest = this.#oldest.next().value;
      if (oldest !== undefined) this.controllers.delete(oldest);
      return;
    }
    this.put(space, id, known);
    if (this.ofCallers > this.#most.callerOperations) this.cut();
  }

  /** Oldest first within each space: the order in which they will be forgotten. */
  *all(): Iterable<KeptOperation> {
    yield* this.controllers;
    for (const [space, operations] of this.callers) {
      for (const [id, known] of operations) yield [id, { ...known, space }];
    }
  }

  /**
   * A snapshot of an earlier version does not say whose an operation is. Controllers go on meeting
   * their own; a user or an agent that asks again meets the rules of stages and revisions, as with
   * one that was forgotten (OP3).
   */
  restore(kept: readonly KeptOperation[]): void {
    for (const [id, { space = CONTROLLERS, revision, command }] of kept) {
      if (space !== CONTROLLERS) this.put(space, id, { revision, command });
      else if (!NEVER_A_CONTROLLERS.has(command)) this.controllers.set(id, { revision, command });
    }
  }

  private put(space: OperationSpace, id: OperationId, known: KnownOperation): void {
    let operations = this.callers.get(space);
    if (operations === undefined) {
      operations = new Map();
      this.callers.set(space, operations);
    }
    const before = operations.size;
    operations.set(id, known);
    this.ofCallers += operations.size - before;
  }

  private cut(): void {
    const sizes = [...this.callers.values()].map(({ size }) => size);
    const share = fairShare(sizes, this.#most.callerOperationsAfterCut);
    for (const [space, operations] of this.callers) {
      for (const id of operations.keys()) {
        if (operations.size <= share) break;
        operations.delete(id);
        this.ofCallers -= 1;
      }
      if (operations.size === 0) this.callers.delete(space);
    }
  }
}

/** The largest number such that sizes which are cut to it add up to no more than `total`. */
export function fairShare(sizes: readonly number[], total: number): number {
  let left = total;
  const inOrder = sizes.toSorted((a, b) => a - b);
  for (const [at, size] of inOrder.entries()) {
    const share = Math.floor(left / (inOrder.length - at));
    if (size > share) return share;
    left -= size;
  }
  return total;
}
