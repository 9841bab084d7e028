/**
 * What is wrong with a workload, said first: how the process of a replica ended, how often, when it
 * restarts and what it wrote last, with its log and its timeline.
 */
import { hrefOf } from "../app/route.ts";
import { hrefWith } from "../app/router.ts";
import { KeyValues } from "../parts/key-values.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { StatusWord } from "../parts/status-word.tsx";
import { PROBLEM_WORDS, shortEnd } from "./status-of.ts";
import { useLog } from "./use-log.ts";
import { replicasPath } from "./workload-path.ts";
import type { Workload } from "./workload-row.ts";

type Problem = Workload["problems"][number];

/** Enough for the message of an error; the log panel has the rest. */
const LINES = 8;
/** Its agent cannot be asked. */
const WITHOUT_LOG = "NodeSilent";

export function ProblemCard({ workload }: { readonly workload: Workload }) {
  const { problems } = workload;
  if (problems.length === 0) return null;
  return (
    <section class="card trouble-card" aria-labelledby="problems">
      <h2 id="problems">{problems.length === 1 ? "Problem" : "Problems"}</h2>
      <ul class="pending-list">
        {problems.map((problem) => (
          <ProblemItem key={problem.reason} problem={problem} workload={workload} />
        ))}
      </ul>
    </section>
  );
}

interface ProblemItemProps {
  readonly problem: Problem;
  readonly workload: Workload;
}

function ProblemItem({ problem, workload }: ProblemItemProps) {
  const { reason, message, replica } = problem;
  const { tenant } = workload;
  return (
    <li>
      <div>
        <StatusWord tone="bad">{PROBLEM_WORDS[reason] ?? reason}</StatusWord> {message}
        <Facts problem={problem} workload={workload} />
        {replica !== undefined && reason !== WITHOUT_LOG && (
          // Asked for again with every failure: another process has written another end.
          <LastLines key={problem.failures} tenant={tenant} replica={replica} />
        )}
      </div>
      {replica !== undefined && (
        <span class="problem-links">
          <a class="button" href={hrefWith({ logs: replica })}>
            Log
          </a>{" "}
          <a class="button button-main" href={hrefOf("timeline", ["replica", tenant, replica])}>
            Why? {replica}
          </a>
        </span>
      )}
    </li>
  );
}

function Facts({ problem: { cause, failures }, workload: { pending } }: ProblemItemProps) {
  if (failures === undefined) return null;
  const restarts = pending.find((cell) => cell.restarts !== null)?.restarts;
  return (
    <KeyValues
      items={[
        ["Last end", cause === undefined ? undefined : shortEnd(cause)],
        ["Failures in a row", failures],
        ["Next restart", restarts && <RelativeTime key="restart" at={restarts} form="due" />],
      ]}
    />
  );
}

/** Nothing where the plane or its node has no log of it: the log panel says why. */
function LastLines({ tenant, replica }: { readonly tenant: string; readonly replica: string }) {
  const path = `${replicasPath(tenant)}/${encodeURIComponent(replica)}/log?tailLines=${LINES}`;
  const { text, hasEnded } = useLog(path);
  if (!hasEnded || text.trim() === "") return null;
  return (
    <pre class="log last-lines" tabIndex={0} role="region" aria-label={`Last lines of ${replica}`}>
      {text.trimEnd()}
    </pre>
  );
}
