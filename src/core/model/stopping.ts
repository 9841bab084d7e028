/** A replica that was asked to stop. */
import type { ObjectKey } from "./ids.ts";
import type { StopReason } from "./stage.ts";

export interface Stopping {
  /** "quota": another tenant is entitled to its quota, or its tenant's quota shrank. */
  readonly reason: StopReason;
  readonly sinceMs: number;
  /** The preemptor, when it was preempted. */
  readonly by?: ObjectKey;
}
