/**
 * How much of a workload may be taken out of serving on purpose: by preemption, a drain, a reclaim.
 */
export interface Disruption {
  /** At most so many of its wanted replicas may be out of serving for it at once. */
  readonly maxUnavailable: number;
}
