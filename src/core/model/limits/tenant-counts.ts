/**
 * How much there may be of a tenant's work, whatever its size, as its quota states it (LB2, LB3).
 */
export interface TenantCounts {
  /** Replicas that its workloads ask for together. */
  readonly replicas?: number;
  readonly workloads?: number;
}
