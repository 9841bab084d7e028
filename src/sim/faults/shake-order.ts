/**
 * Puts into another order what has no order: the objects of a list and the changes inside one
 * commit. A component whose decisions depend on it would decide differently after a restart, and
 * the run's hash shows it.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import { hashText, keyed } from "../../core/kernel/keyed-hash.ts";

const SITE = hashText("shake-order");

export function shaken<T>(items: readonly T[], seed: number, subject: number): T[] {
  const order = items.map((item, at) => ({
    item,
    rank: keyed(seed, SITE, subject, at, items.length),
    at,
  }));
  return order.toSorted((a, b) => a.rank - b.rank || a.at - b.at).map(({ item }) => item);
}

export function shakenCommits(
  commits: readonly Commit[],
  seed: number,
  subject: number,
): readonly Commit[] {
  return commits.map((commit) => ({
    ...commit,
    changes: shaken(commit.changes, seed, subject + commit.revision),
  }));
}
