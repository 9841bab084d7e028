/**
 * How much there may be of a tenant's work and objects, whatever their size, as its quota states it
 * (LB2, LB3, LB9).
 */
export interface TenantCounts {
  /** Replicas that its workloads ask for together. */
  readonly replicas?: number;
  readonly workloads?: number;
  /** By the plural of their kind. */
  readonly objects?: Readonly<Record<string, number>>;
  /** Open watches of the tenant's objects at one plane. */
  readonly watches?: number;
}
