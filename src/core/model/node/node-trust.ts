/**
 * What the authority remembers of a node to know how far it can be trusted: how steady it is, and
 * how right its clock.
 */
import type { NodeDriver } from "./driver-name.ts";
import type { Epoch } from "../ids.ts";

/** The part of a lease's status that is about it. */
export interface LeaseTrust {
  /** Readings of the agent's clock; left out when it sends none. */
  readonly clock?: ClockTrack;
  /** When it was last renewed after a silence, on the clock of the authority of its epoch. */
  readonly backMs?: number;
}

/** The part of a node's status that is about it. */
export interface NodeTrust {
  /** When it came back lately: what it is held for flapping by. */
  readonly returns?: Returns;
  /** Set while it is held from new work because it came back too often. */
  readonly damped?: Damping;
  /** Set while its clock was last seen to run faster or slower than the bound allows. */
  readonly clock?: ClockSuspicion;
  /** What its agent allows replicas to be run by; left out: nothing was said of it. */
  readonly drivers?: readonly NodeDriver[];
}

/** On the clock of the authority of `epoch`; forgotten by any other. */
export interface Returns {
  readonly epoch: Epoch;
  readonly atMs: readonly number[];
}

export interface Damping {
  /**
   * Both on the clock of the authority of `epoch`; their difference is how long the hold lasts by
   * any.
   */
  readonly sinceMs: number;
  readonly untilMs: number;
  /** How often it had come back within the window. */
  readonly times: number;
  readonly epoch: Epoch;
}

export interface ClockSuspicion {
  /** How many parts in a thousand it runs faster than the plane's; below zero: slower. */
  readonly offBy: number;
  readonly sinceMs: number;
}

/** What the agent's clock showed when it sent a renewal, and the authority's when it came. */
export interface ClockReading {
  readonly sentMs: number;
  readonly atMs: number;
}

/** Readings of one incarnation of an agent under one leadership. */
export interface ClockTrack {
  /**
   * When this incarnation of the agent began, on its own clock: another incarnation has another.
   */
  readonly startedMs: number;
  /** Since when the present window is open, on the authority's clock. */
  readonly fromMs: number;
  readonly readings: number;
  /**
   * The reading of the present window that was under way for the shortest time, and that of the
   * window before.
   */
  readonly best: ClockReading;
  readonly prior?: ClockReading;
}
