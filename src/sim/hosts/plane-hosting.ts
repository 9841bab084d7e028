/**
 * The interface between the simulator and the host of the planes, one at a time or several on a
 * shared log.
 */
import type { Request } from "../../core/kernel/component.ts";
import type { Reply } from "../../core/protocol/outcome.ts";
import type { PlaneProcess } from "./plane-process.ts";
import type { ScheduledFault } from "../faults/scheduled-faults.ts";
import type { PlaneEvent } from "../sim-event.ts";

/** Faults of planes on a shared log. */
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
  /** Another plane claims the log beside the leader; returns whether there is one that could. */
  bringIn(): boolean;
  /**
   * `until` begins a window of faults and returns its end. Returns whether the fault hit anything.
   */
  strike(fault: SharedLogFault, until: (forMs: number) => number): boolean;
  /** Some window of faults is over. */
  windowEnds(): void;
  /** No more faults: planes that are down come back. */
  heal(): void;
  /** Once a second. */
  supervise(): void;
  /**
   * A part of the plane's own process asks its authority. Without an answer the plane has stopped.
   */
  submit(plane: PlaneProcess, request: Request, answered: (reply: Reply) => void): void;
  handle(event: PlaneEvent): void;
}
