/** Spec and status of a Region. */
import type { RegionHeard, RegionPlaneSpec } from "./region-plane.ts";

export interface RegionSpec {
  readonly zones: readonly string[];
  /** It has a plane of its own; left out: this plane serves it. */
  readonly plane?: RegionPlaneSpec;
}

export interface RegionStatus {
  /** Left out: it has no plane of its own, or that plane has not reported yet. */
  readonly heard?: RegionHeard;
  /**
   * The incarnation of the global plane under which it got a plane of its own; left out: there was
   * no such incarnation yet.
   */
  readonly since?: number;
}
