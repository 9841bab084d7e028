/**
 * What the rest of the simulator asks of whoever runs the planes, one at a time or several on a
 * shared log.
 */
import type { PlaneProcess } from "./plane-process.ts";
import type { ScheduledFault } from "../faults/scheduled-faults.ts";
import type { PlaneEvent } from "../sim-event.ts";

/** Faults that only planes on a shared log can meet. */
export type SharedLogFault = Extract<
  ScheduledFault,
  {
    readonly fault:
      | "cut-store"
      | "pause-plane"
      | "restart-plane"
      | "stall-follower"
      | "compact-log";
  }
>;

export interface PlaneHosting {
  /** The run begins. */
  begin(): void;
  crash(plane: PlaneProcess, downMs: number): void;
  /** The plane that holds the log, or would. */
  leader(): PlaneProcess | undefined;
  /** Another plane claims the log beside the leader; whether there is one that could. */
  bringIn(): boolean;
  /**
   * `until` begins a window of faults, and says when it is over. Whether the fault hit anything.
   */
  strike(fault: SharedLogFault, until: (forMs: number) => number): boolean;
  /** Some window of faults is over. */
  windowEnds(): void;
  /** No more faults: who is down comes back. */
  heal(): void;
  /** Once a second. */
  supervise(): void;
  handle(event: PlaneEvent): void;
}
