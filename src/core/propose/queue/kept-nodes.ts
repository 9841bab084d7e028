/**
 * Nodes that are kept free for work that was passed over for too long. Small work fills every hole
 * before it is large enough for large work; so after a while a node is picked for the large one,
 * and no work of the same or lower priority is put there until its work has ended and the large one
 * fits (QU3).
 *
 * Each scheduler keeps its own, and all of them come to the same ones. It is a way of choosing, not
 * a promise: the authority has its own rules.
 */
import type { ObjectKey } from "../../model/ids.ts";

/** Waited for room this long, a workload has been passed over often enough. */
export const STARVING_MS = 60_000;

/** A node is kept this long at a time: what was thought to end soon may not. */
export const KEPT_MS = 60_000;

/**
 * Nodes kept at once: they stand partly empty, so a few of many thousand are enough to keep the
 * bound.
 */
export const MOST_KEPT = 8;

/** To find one takes a look at every node, which must not become what a scheduler does all day. */
const SEARCH_EVERY_MS = 1_000;

/** Whose work it is, and how much it matters. */
export interface Keeper {
  readonly workload: ObjectKey;
  readonly priority: number;
}

/**
 * Somebody that nodes are kept for. Who asks for more is harder to find room for, and goes before
 * who asks for less.
 */
export interface Claim extends Keeper {
  /** How much it asks for; only for comparing. */
  readonly size: number;
}

interface Kept extends Claim {
  readonly untilMs: number;
}

export class KeptNodes {
  private readonly kept = new Map<string, Kept>();
  private readonly waitingSince = new Map<ObjectKey, number>();
  private nextSearchMs = 0;

  get isEmpty(): boolean {
    return this.kept.size === 0;
  }

  nodes(): Iterable<string> {
    return this.kept.keys();
  }

  /** Whether the node is kept for somebody whom this one may not pass. */
  isKeptFrom(node: string, { workload, priority }: Keeper): boolean {
    const kept = this.kept.get(node);
    return kept !== undefined && kept.workload !== workload && priority <= kept.priority;
  }

  /**
   * Whether the node may be kept for this one: it is not reserved, or for one that has to stand
   * back.
   */
  isToBeHad(node: string, claim: Claim): boolean {
    const kept = this.kept.get(node);
    return kept === undefined ? this.kept.size < MOST_KEPT : isBehind(kept, claim);
  }

  nodesOf(workload: ObjectKey): readonly string[] {
    return [...this.kept].filter(([, kept]) => kept.workload === workload).map(([node]) => node);
  }

  /**
   * Notes that the workload found no room; true when that has gone on for so long that a node is to
   * be found.
   */
  isToBeFound(claim: Claim, nowMs: number): boolean {
    const since = this.waitingSince.get(claim.workload);
    if (since === undefined) this.waitingSince.set(claim.workload, nowMs);
    if (since === undefined || nowMs - since < STARVING_MS || nowMs < this.nextSearchMs) {
      return false;
    }
    if (this.kept.size < MOST_KEPT) return true;
    return [...this.kept.values()].some((kept) => isBehind(kept, claim));
  }

  /** A search was made; the one that found nothing lets the others have theirs first. */
  searched(workload: ObjectKey, nowMs: number, found: boolean): void {
    this.nextSearchMs = nowMs + SEARCH_EVERY_MS;
    if (!found) this.waitingSince.set(workload, nowMs);
  }

  keep(node: string, claim: Claim, nowMs: number): void {
    this.kept.set(node, { ...claim, untilMs: nowMs + KEPT_MS });
  }

  /** The workload found room for one: the nodes that were kept for it. */
  release(workload: ObjectKey): readonly string[] {
    const nodes = this.nodesOf(workload);
    for (const node of nodes) this.kept.delete(node);
    return nodes;
  }

  /** No replica of the workload waits any more. */
  forget(workload: ObjectKey): void {
    this.waitingSince.delete(workload);
  }

  /** The nodes that are kept no longer. */
  expire(nowMs: number): readonly string[] {
    const over: string[] = [];
    for (const [node, { untilMs }] of this.kept) if (untilMs <= nowMs) over.push(node);
    for (const node of over) this.kept.delete(node);
    return over;
  }
}

const isBehind = (one: Claim, other: Claim): boolean =>
  one.workload !== other.workload &&
  (one.priority < other.priority || (one.priority === other.priority && one.size < other.size));
