/**
 * When a controller saw what the authority wrote with a time of its own: which of two is the
 * earlier is known by that time, how long ago the last one was only by the controller's clock
 * (CL1).
 */
import type { JobMoment } from "../../model/batch.ts";
import type { Epoch } from "../../model/ids.ts";
import type { NodePool } from "../../model/objects.ts";
import { DRIFT_PARTS_PER_THOUSAND } from "../../model/timing.ts";
import type { PoolClock } from "../../rules/provision/pool-bound.ts";

const nameOf = ({ meta }: NodePool, { epoch, atMs }: JobMoment): string =>
  `${meta.uid}/${epoch}/${atMs}`;

/**
 * The present leadership, and since when it was seen: what an earlier one wrote, it counts from its
 * own beginning.
 */
export interface SeenLead {
  readonly epoch: Epoch;
  readonly sinceMs: number;
}

export class SeenMoments {
  private seen = new Map<string, number>();

  /**
   * At this time. Those that are seen for the first time are as far apart as the authority says.
   */
  clock(pools: Iterable<NodePool>, nowMs: number, lead: SeenLead): PoolClock {
    const seen = new Map<string, number>();
    for (const pool of pools) {
      const { lately = [], failed } = pool.status;
      const all = failed === undefined ? lately : [...lately, failed];
      for (const moment of all) {
        const sameClock = all.filter(({ epoch }) => epoch === moment.epoch);
        const newest = Math.max(...sameClock.map(({ atMs }) => atMs));
        const known = this.seen.get(nameOf(pool, moment));
        seen.set(nameOf(pool, moment), known ?? nowMs - (newest - moment.atMs));
      }
    }
    this.seen = seen;
    return {
      nowMs,
      // Our clock may run faster than the authority's: less has passed than it shows.
      atMs: (pool, moment) => {
        const seenMs = seen.get(nameOf(pool, moment)) ?? nowMs;
        const isEarlier = moment.epoch !== lead.epoch;
        const elapsedMs = nowMs - (isEarlier ? Math.max(seenMs, lead.sinceMs) : seenMs);
        return nowMs - elapsedMs + Math.ceil((2 * elapsedMs * DRIFT_PARTS_PER_THOUSAND) / 1_000);
      },
    };
  }
}
