/** How a workload does, in one word, for people who look for what needs them. */
import type { Tone } from "../parts/stage-tone.ts";
import type { Workload } from "./workload-row.ts";

/** From most to least urgent. */
export const STANDINGS = ["bad", "wait", "busy", "good", "done"] as const;
export type Standing = Extract<Tone, (typeof STANDINGS)[number]>;

/**
 * A workload that did not change is the same object as before, and ten thousand are put in order at
 * every change.
 */
const known = new WeakMap<Workload, Standing>();

export function standingOf(workload: Workload): Standing {
  const before = known.get(workload);
  if (before !== undefined) return before;
  const standing = checked(workload);
  known.set(workload, standing);
  return standing;
}

function checked(workload: Workload): Standing {
  if (isInTrouble(workload)) return "bad";
  if (isWaiting(workload)) return "wait";
  const { rollout, deleting, batch } = workload;
  if (batch?.outcome === "succeeded") return "done";
  return rollout !== null || deleting !== null || batch !== null ? "busy" : "good";
}

/** Work that goes its way is fine, even when it is not at its end. */
export const isFine = (workload: Workload): boolean =>
  !["bad", "wait"].includes(standingOf(workload));

const FAILED_ROLLOUTS: ReadonlySet<string> = new Set(["going-back", "held", "rolled-back"]);

function isInTrouble({ stages, rollout, recovery, batch, problems }: Workload): boolean {
  if (problems.length > 0) return true;
  if ((stages.failed ?? 0) > 0 || (stages.unknown ?? 0) > 0) return true;
  if (rollout !== null && FAILED_ROLLOUTS.has(rollout.stage)) return true;
  if ((recovery?.now?.missed ?? null) !== null) return true;
  const outcome = batch?.outcome ?? null;
  return (batch?.givenUp ?? 0) > 0 || (outcome !== null && outcome !== "succeeded");
}

function isWaiting(workload: Workload): boolean {
  const { pending, wanted, ready, rollout, recovery, batch, deleting, conditions } = workload;
  if (deleting !== null) return false;
  if (pending.length > 0 || rollout?.paused === true) return true;
  // Of a job fewer than all run at once, and that is as it should be.
  if (batch === null && ready < wanted) return true;
  if (recovery !== null && (recovery.now !== null || recovery.reserved < recovery.needed)) {
    return true;
  }
  return conditions.some(({ type, status }) => type === "RecoveryInTime" && status === "False");
}

/** Who needs somebody first, then by name. */
export function worstFirst(workloads: readonly Workload[]): readonly Workload[] {
  return workloads
    .map((workload) => ({ workload, rank: STANDINGS.indexOf(standingOf(workload)) }))
    .toSorted((a, b) => a.rank - b.rank || (a.workload.key < b.workload.key ? -1 : 1))
    .map(({ workload }) => workload);
}
