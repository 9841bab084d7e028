/**
 * What programs agree by on one of them. The plane stores it and decides nothing by it: its times
 * are those of the programs' clocks, as they wrote them.
 */
export interface LeaderLeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}
