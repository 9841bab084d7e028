/** A job that has all its places. */
import type { Placement } from "../trace/packer.ts";
import type { Departure } from "./departures.ts";
import type { Job } from "./philly-trace.ts";

export interface RunningJob extends Departure {
  readonly job: Job;
  readonly startedS: number;
  readonly places: readonly Placement[];
}
