/**
 * What goes on with a workload beside its replicas' own ways, each in a few words: a rollout, a
 * recovery, a job, its end.
 */
import type { BatchCell, RecoveryCell, RolloutCell } from "../../../src/api/views/view-rows.ts";
import { ageText } from "../parts/age-text.ts";
import type { Tone } from "../parts/stage-tone.ts";
import type { Workload } from "./workload-row.ts";

export interface UnderWay {
  readonly tone: Tone;
  readonly text: string;
  /** Why, in the plane's own words. */
  readonly why?: string;
}

export function underWay(workload: Workload): readonly UnderWay[] {
  const { rollout, recovery, batch, wanted, deleting, problems } = workload;
  return [
    ...problems.flatMap(problemWay),
    ...(deleting === null ? [] : [{ tone: "busy", text: "being deleted" } as const]),
    ...(rollout === null ? [] : [rolloutWay(rollout, wanted)]),
    ...(recovery === null ? [] : [recoveryWay(recovery)]),
    ...(batch === null ? [] : [batchWay(batch)]),
  ];
}

const PROBLEM_WORDS: Readonly<Record<string, string>> = {
  CrashLoop: "crash loop",
  Failed: "failed",
  Unready: "no longer ready",
  ProbeFailing: "probe fails",
};

/** A rollout that failed has words of its own, and a silent node is told with the pending ones. */
function problemWay({ reason, message }: Workload["problems"][number]): readonly UnderWay[] {
  const text = PROBLEM_WORDS[reason];
  return text === undefined ? [] : [{ tone: "bad", text, why: message }];
}

/** e.g. "rolling 2 → 3, 1 of 4 updated, step 2 of 4, paused" */
export function rolloutWay(rollout: RolloutCell, wanted: number): UnderWay {
  const { stage, from, to, updated, step, steps, paused, reason } = rollout;
  const far = `${updated} of ${wanted}`;
  const why = reason === null ? {} : { why: reason };
  switch (stage) {
    case "rolling": {
      const way = from === null ? `rolling to ${to}` : `rolling ${from} → ${to}`;
      const parts = [
        way,
        `${far} updated`,
        ...(step === null ? [] : [`step ${step} of ${steps}`]),
        ...(paused ? ["paused"] : []),
      ];
      return { tone: paused ? "wait" : "busy", text: parts.join(", "), ...why };
    }
    case "going-back":
      return { tone: "bad", text: `failed, rolling back to ${to}, ${far} done`, ...why };
    case "held":
      return { tone: "bad", text: `rollout to ${to} failed, held at ${far}`, ...why };
    case "rolled-back":
      return { tone: "bad", text: `rollout failed, rolled back to ${to}`, ...why };
  }
}

/** e.g. "recovering 1 lost, queued", or the objective while nothing is lost. */
export function recoveryWay({ withinMs, reserved, needed, now, last }: RecoveryCell): UnderWay {
  if (now !== null) {
    const isLate = now.missed !== null;
    const late = isLate ? `, late: most of it in ${now.missed}` : "";
    return {
      tone: isLate ? "bad" : "wait",
      text: `recovering ${now.lost} lost, ${now.stage}${late}`,
    };
  }
  if (reserved < needed) {
    const text = `recovery in ${ageText(withinMs)}: headroom for ${reserved} of ${needed}`;
    return { tone: "wait", text };
  }
  if (last !== null && last.missed !== null) {
    const text = `last recovery took ${ageText(last.tookMs)} of ${ageText(withinMs)}`;
    return { tone: "wait", text };
  }
  return { tone: "good", text: `recovers in ${ageText(withinMs)}` };
}

/** e.g. "7 of 10 done, 2 run, 1 failure" */
export function batchWay(batch: BatchCell): UnderWay {
  const { completions, succeeded, active, failures, givenUp, outcome } = batch;
  const far = [
    `${succeeded} of ${completions} done`,
    ...(active === 0 ? [] : [`${active} running`]),
    ...(failures === 0 ? [] : [`${failures} ${failures === 1 ? "failure" : "failures"}`]),
    ...(givenUp === 0 ? [] : [`${givenUp} failed`]),
  ].join(", ");
  if (outcome === null) return { tone: givenUp > 0 ? "bad" : "busy", text: far };
  if (outcome === "succeeded") return { tone: "done", text: far };
  return { tone: "bad", text: `${outcome}: ${far}` };
}
