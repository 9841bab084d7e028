/**
 * The one status of a workload: a word to filter by, and the cause in a few words. The most urgent
 * thing is said; the rest of it stands below, as `more`.
 */
import { reasonWords } from "../../../src/api/views/wait-words.ts";
import { causeText } from "../parts/cause-text.ts";
import type { Chip } from "../parts/chip-filter.tsx";
import { stagePlace } from "../parts/stage-tone.ts";
import { type Standing, STANDINGS, standingOf } from "./standing-of.ts";
import { batchWay, recoveryWay, rolloutWay } from "./under-way.ts";
import type { Workload } from "./workload-row.ts";

export interface Status {
  readonly tone: Standing;
  readonly word: string;
  /** Empty: the word says it all. */
  readonly cause: string;
  /** When a failed replica restarts. */
  readonly restarts: number | null;
  /** What else goes on. */
  readonly more: string;
}

interface Said {
  readonly word: string;
  readonly cause?: string | undefined;
}

const known = new WeakMap<Workload, Status>();

export function statusOf(workload: Workload): Status {
  const before = known.get(workload);
  if (before !== undefined) return before;
  const tone = standingOf(workload);
  const { word, cause: said = "" } = SAYS[tone](workload);
  const cause = causeText(said);
  const restarts = workload.pending.find((cell) => cell.restarts !== null)?.restarts ?? null;
  const status = { tone, word, cause, restarts, more: moreOf(workload, word) };
  known.set(workload, status);
  return status;
}

/** "Serving 3 of 3", "Pending: no node has 4 CPU free". */
export function statusText({ tone, word, cause }: Status): string {
  if (cause === "") return word;
  return tone === "good" ? `${word} ${cause}` : `${word}: ${cause}`;
}

/** From most to least urgent, then by word: as a column sorts it. */
export function statusRank(workload: Workload): string {
  const { tone, word } = statusOf(workload);
  return `${STANDINGS.indexOf(tone)} ${word}`;
}

/** How many workloads have which status, the most urgent first. */
export function countStatuses(all: readonly Workload[]): readonly Chip[] {
  const counts = new Map<string, { readonly rank: string; count: number }>();
  for (const workload of all) {
    const { word } = statusOf(workload);
    const rank = statusRank(workload);
    const counted = counts.get(word) ?? { rank, count: 0 };
    counted.count += 1;
    // A word may stand for workloads that wait and for others that are on their way.
    counts.set(word, rank < counted.rank ? { ...counted, rank } : counted);
  }
  return [...counts]
    .toSorted(([, a], [, b]) => (a.rank < b.rank ? -1 : 1))
    .map(([value, { count }]) => ({ value, count }));
}

const SAYS: Readonly<Record<Standing, (workload: Workload) => Said>> = {
  bad: ofTrouble,
  wait: ofWaiting,
  busy: ofBusy,
  good: ofGood,
  done: ({ batch }) => ({ word: "Complete", cause: batch === null ? "" : batchWay(batch).text }),
};

/** A problem in a word or two. */
export const PROBLEM_WORDS: Readonly<Record<string, string>> = {
  CrashLoop: "Crash loop",
  Failed: "Failed",
  Unready: "Not ready",
  ProbeFailing: "Probe failing",
  NodeSilent: "Node silent",
  RollingBack: "Rolling back",
  RolloutHeld: "Rollout held",
  RolledBack: "Rolled back",
};

function ofTrouble({ problems, rollout, recovery, batch }: Workload): Said {
  // What the plane does about the problem says more than the problem, which its reason names.
  if (rollout?.stage === "going-back") {
    return { word: "Rolling back", cause: rollout.reason ?? undefined };
  }
  const [first] = problems;
  if (first !== undefined) {
    const failed = first.replica === undefined ? (rollout?.reason ?? undefined) : undefined;
    const cause = first.cause === undefined ? failed : shortEnd(first.cause);
    return { word: PROBLEM_WORDS[first.reason] ?? first.reason, cause };
  }
  if (recovery !== null && (recovery.now?.missed ?? null) !== null) {
    return { word: "Recovery late", cause: recoveryWay(recovery).text };
  }
  return { word: "Failed", cause: batch === null ? undefined : batchWay(batch).text };
}

/** "its process ended with exit code 1" → "exit code 1" */
export const shortEnd = (end: string): string =>
  end.replace(/^its process (?:ended with )?/, "").replace(/\.$/, "");

function ofWaiting({ pending, rollout, recovery, ready, wanted, batch }: Workload): Said {
  const [first] = pending;
  if (first !== undefined) {
    const few = first.count < wanted ? `${first.count} of ${wanted}: ` : "";
    return { word: "Pending", cause: few + first.cause };
  }
  if (rollout !== null) return ofRollout(rollout, wanted);
  if (recovery !== null && recovery.now !== null) {
    return { word: "Recovering", cause: `${recovery.now.lost} lost, ${recovery.now.stage}` };
  }
  if (batch === null && ready < wanted) {
    return { word: "Starting", cause: `${ready} of ${wanted} ready` };
  }
  if (recovery !== null && recovery.reserved < recovery.needed) {
    return { word: "Headroom short", cause: `for ${recovery.reserved} of ${recovery.needed}` };
  }
  return { word: "Recovered late", cause: recovery === null ? "" : recoveryWay(recovery).text };
}

function ofRollout(rollout: NonNullable<Workload["rollout"]>, wanted: number): Said {
  const { text } = rolloutWay(rollout, wanted);
  const cause = text.replace(/^rolling (?:to )?/, "").replace(/, paused$/, "");
  return { word: rollout.paused ? "Rollout paused" : "Rolling out", cause };
}

function ofBusy({ deleting, rollout, batch, wanted, stages }: Workload): Said {
  if (deleting !== null) return { word: "Deleting", cause: stagesText(stages) };
  if (rollout !== null) return ofRollout(rollout, wanted);
  return { word: "Running", cause: batch === null ? "" : batchWay(batch).text };
}

function ofGood({ ready, wanted }: Workload): Said {
  if (wanted === 0) return { word: "Scaled to 0" };
  return {
    word: "Serving",
    cause: ready > wanted ? `${ready}, ${wanted} desired` : `${ready} of ${wanted}`,
  };
}

/** Below the cause: stages while they differ, other waits, and a rollout or recovery beside it. */
function moreOf(
  { stages, pending, rollout, recovery, wanted, deleting }: Workload,
  word: string,
): string {
  const isRolloutSaid = word.startsWith("Roll");
  const isRecoverySaid = /^Recover|^Headroom/.test(word);
  const others = pending.slice(word === "Pending" ? 1 : 0);
  const waits = others.filter(({ restarts }) => restarts === null);
  return [
    ...(Object.keys(stages).length < 2 || deleting !== null ? [] : [stagesText(stages)]),
    ...waits.map(({ count, reason }) => `${count} pending: ${reasonWords(reason)}`),
    ...(rollout === null || isRolloutSaid ? [] : [rolloutWay(rollout, wanted).text]),
    ...(recovery === null || isRecoverySaid ? [] : [recoveryWay(recovery).text]),
  ].join("; ");
}

export const stagesText = (stages: Workload["stages"]): string =>
  Object.entries(stages)
    .toSorted(([a], [b]) => stagePlace(a) - stagePlace(b))
    .map(([stage, count]) => `${count} ${stage}`)
    .join(", ");
