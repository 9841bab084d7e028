/** How much later than the leader's watcher the watchers of followers were told of each replica. */
import type { ReplicaTimes } from "../path/play-watch.ts";

/**
 * One for each replica and follower that both were told of. A follower that shows it first is not
 * behind.
 */
export function lagsOf(leader: ReplicaTimes, followers: readonly ReplicaTimes[]): Float64Array {
  const toldMs = new Map(leader.replicas.map((name, at) => [name, leader.boundMs[at] ?? 0]));
  const lags: number[] = [];
  for (const { replicas, boundMs } of followers) {
    for (const [at, name] of replicas.entries()) {
      const firstMs = toldMs.get(name);
      if (firstMs !== undefined) lags.push(Math.max(0, (boundMs[at] ?? 0) - firstMs));
    }
  }
  return Float64Array.from(lags);
}
