/**
 * Why replicas of a workload stand still, each reason in its controller's words, with the timeline
 * of one of them.
 */
import { countText } from "../../../src/core/model/text/count-text.ts";
import { reasonWords } from "../../../src/api/views/wait-words.ts";
import { hrefOf } from "../app/route.ts";
import type { ObjectWatch } from "../live/object-watch.ts";
import { Badge } from "../parts/badge.tsx";
import { oneOf, type ReplicaRow } from "./replica-row.ts";
import type { Workload } from "./workload-row.ts";

export interface PendingCardProps {
  readonly workload: Workload;
  readonly replicas: ObjectWatch<ReplicaRow>;
  /** Of the replicas, which are looked through for one that stands for the others. */
  readonly version: number;
}

export function PendingCard({ workload, replicas }: PendingCardProps) {
  const { problems, tenant, name } = workload;
  // The problem card tells of failed replicas, and when they restart.
  const pending = workload.pending.filter(
    ({ restarts }) => restarts === null || problems.length === 0,
  );
  if (pending.length === 0) return null;
  const all = pending.reduce((sum, { count }) => sum + count, 0);
  return (
    <section class="card pending-card" aria-labelledby="pending">
      <h2 id="pending">{countText(all, "replica")} pending</h2>
      <ul class="pending-list">
        {pending.map((cell) => {
          const one = oneOf(cell, replicas.rows.peek().values());
          return (
            <li key={`${cell.by} ${cell.reason}`}>
              <span>
                <Badge tone="wait">
                  {cell.count}: {reasonWords(cell.reason)}
                </Badge>{" "}
                {cell.by !== "" && <span class="quiet">{cell.by}: </span>}
                {cell.text}
              </span>
              {one === undefined ? (
                <a class="button button-main" href={hrefOf("timeline", ["workload", tenant, name])}>
                  Why?
                </a>
              ) : (
                <a
                  class="button button-main"
                  href={hrefOf("timeline", ["replica", tenant, one.metadata.name])}
                >
                  Why? {one.metadata.name}
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
