/**
 * What is wrong with a workload, said first, with the log and the timeline of a replica that has
 * it.
 */
import { hrefOf } from "../app/route.ts";
import { hrefWith } from "../app/router.ts";
import { StatusWord } from "../parts/status-word.tsx";
import type { Workload } from "./workload-row.ts";

export function ProblemCard({ workload }: { readonly workload: Workload }) {
  const { problems, tenant } = workload;
  if (problems.length === 0) return null;
  return (
    <section class="card trouble-card" aria-labelledby="problems">
      <h2 id="problems">{problems.length === 1 ? "Problem" : "Problems"}</h2>
      <ul class="pending-list">
        {problems.map(({ reason, message, replica }) => (
          <li key={reason}>
            <span>
              <StatusWord tone="bad">{reason}</StatusWord> {message}
            </span>
            {replica !== undefined && (
              <span class="problem-links">
                <a class="button" href={hrefWith({ logs: replica })}>
                  Log
                </a>{" "}
                <a
                  class="button button-main"
                  href={hrefOf("timeline", ["replica", tenant, replica])}
                >
                  Why? {replica}
                </a>
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
