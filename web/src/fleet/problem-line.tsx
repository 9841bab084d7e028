/** What is wrong with a workload or an objective, in a sentence that leads to it. */
import { causeText } from "../parts/cause-text.ts";
import type { ShownProblem, ShownProblems } from "../../../src/api/views/problems.ts";
import { hrefOf } from "../app/route.ts";
import { nowMs } from "../live/clock.ts";
import { useFetched } from "../live/use-fetched.ts";
import { useAgain } from "../steering/use-overrides.ts";

/** The page has its two streams already; a crash loop is still seen within a few seconds. */
const AGAIN_MS = 5_000;

const NONE: ShownProblems = { problems: [], count: 0 };

export function useProblems(): ShownProblems {
  const fetched = useFetched<ShownProblems>("/problems");
  useAgain(fetched, Math.floor(nowMs.value / AGAIN_MS));
  return fetched.value ?? NONE;
}

/** What waits or was undone is no fault that lasts. */
const MILD: ReadonlySet<string> = new Set(["Blocked", "RolledBack"]);

export const isBadProblem = ({ reason }: ShownProblem): boolean => !MILD.has(reason);

const WORDS: Readonly<Record<string, string>> = {
  CrashLoop: "crashes again and again",
  Failed: "has failed",
  RecoveryLate: "recovers too slowly",
  RollingBack: "is being rolled back",
  RolloutHeld: "has a failed rollout",
  RolledBack: "was rolled back",
  Unready: "is no longer ready",
  ProbeFailing: "does not become ready",
  NodeSilent: "is on a silent node",
  Blocked: "is blocked",
};

/** Those that the page Incidents lists from the log. */
const IN_LOG: ReadonlySet<string> = new Set([
  "CrashLoop",
  "RecoveryLate",
  "RollingBack",
  "RolloutHeld",
  "RolledBack",
]);

export function Problem({ problem }: { readonly problem: ShownProblem }) {
  const { of, namespace, name, reason, message } = problem;
  if (of === "objective") {
    return (
      <>
        <strong>Objective {name} is missed</strong>: {message} <a href={hrefOf("queue")}>Queue →</a>{" "}
        <a
          href={hrefOf("incidents", [], { about: `slo/${name}` })}
          aria-label={`Incidents of objective ${name}`}
        >
          Incidents →
        </a>
      </>
    );
  }
  if (of === "promise") {
    return (
      <>
        <strong>
          <a href={hrefOf("promises", [], { filter: `${namespace}/${name}` })}>
            Promise {namespace}/{name}
          </a>{" "}
          does not hold
        </strong>
        : {message}
      </>
    );
  }
  return (
    <>
      <strong>
        <a href={hrefOf("workloads", [namespace, name])}>
          {namespace}/{name}
        </a>{" "}
        {WORDS[reason] ?? "has a problem"}
      </strong>
      : {causeText(message)}{" "}
      {IN_LOG.has(reason) && (
        <a
          href={hrefOf("incidents", [], { about: `workload/${namespace}/${name}` })}
          aria-label={`Incidents of ${namespace}/${name}`}
        >
          Incidents →
        </a>
      )}
    </>
  );
}
