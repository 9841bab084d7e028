/** Which workloads a list shows, and what all of them wait for. */
import { reasonWords } from "../../../src/api/views/wait-words.ts";
import type { Chip } from "../parts/chip-filter.tsx";
import { textFilter } from "../parts/text-filter.ts";
import { isFine } from "./standing-of.ts";
import { statusOf, statusText } from "./status-of.ts";
import type { Workload } from "./workload-row.ts";

export interface Choice {
  /** As people type it. */
  readonly filter: string;
  /** "" for all. */
  readonly reason: string;
  /** The word of it. */
  readonly status: string;
  readonly isTroubleOnly: boolean;
}

export function chooseWorkloads(all: readonly Workload[], choice: Choice): readonly Workload[] {
  const { filter, reason, status, isTroubleOnly } = choice;
  const fits = textFilter(filter);
  return all.filter(
    (workload) =>
      (reason === "" || workload.pending.some((cell) => cell.reason === reason)) &&
      (status === "" || statusOf(workload).word === status) &&
      (!isTroubleOnly || !isFine(workload)) &&
      (filter === "" || fits(subjectOf(workload))),
  );
}

/** All that a word may be found in. */
function subjectOf(workload: Workload): string {
  const { key, type, priority, pending, rollout, stages } = workload;
  const status = statusText(statusOf(workload));
  const waits = pending
    .map(({ reason, text }) => `${reason} ${reasonWords(reason)} ${text}`)
    .join(" ");
  return `${key} ${type} ${status} ${priority} ${rollout?.stage ?? ""} ${Object.keys(stages).join(" ")} ${waits}`;
}

/** In replicas, the most first. */
export function groupPending(all: readonly Workload[]): readonly Chip[] {
  const counts = new Map<string, number>();
  for (const { pending } of all) {
    for (const { reason, count } of pending) counts.set(reason, (counts.get(reason) ?? 0) + count);
  }
  return [...counts]
    .map(([value, count]) => ({ value, text: reasonWords(value), count }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}
