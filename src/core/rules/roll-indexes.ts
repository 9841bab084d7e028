/**
 * Which indexes one step of a rollout may name, and whether a step of the spec is over (RO4, RO5).
 */
import type { Workload } from "../model/objects.ts";
import { type Rollout, rolloutSpec, type WantedIndexes } from "../model/rollout.ts";
import {
  hasIndex,
  indexCount,
  type IndexSet,
  withoutIndexes,
  withIndexes,
} from "../model/index-set.ts";
import { isAvailable } from "../model/availability.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import { type RollMove, INDEXES_PER_COMMAND } from "../protocol/command.ts";
import { reject, type Rejection } from "../protocol/rejection.ts";

export type Advance = Extract<RollMove, { kind: "advance" }>;

/** How many replicas of the target the present step allows. */
export function stepCap({ spec, status }: Workload, step: number): number {
  const { steps = [] } = rolloutSpec(spec);
  // A way back has no steps to wait for.
  const isForward = status.rollout?.stage === "rolling";
  return Math.min(spec.replicas, (isForward ? steps[step]?.replicas : undefined) ?? spec.replicas);
}

/**
 * A step is over when all of it serve; only the controller's clock knows how long they were
 * watched.
 */
export function stepTaken(
  objects: ObjectIndex,
  workload: Workload,
  { step, begin }: Advance,
): Rejection | undefined {
  const { key, spec, status } = workload;
  const { rollout } = status;
  const now = rollout?.step ?? 0;
  if (step !== now && step !== now + 1) {
    return reject("rollout-step", key, `${now} or ${now + 1}`, step);
  }
  if (step === now + 1) {
    const due = stepCap(workload, now);
    const serving = servingOf(objects, workload, rollout?.to ?? 0);
    if (serving < due) return reject("rollout-step", key, `${due} serving`, serving);
  }
  const begun = indexCount(rollout?.begun ?? [], spec.replicas) + begin.length;
  const cap = stepCap(workload, step);
  return begin.length === 0 || begun <= cap
    ? undefined
    : reject("rollout-step", key, `at most ${cap} of the step`, begun);
}

function servingOf(objects: ObjectIndex, { key, meta }: Workload, generation: number): number {
  let serving = 0;
  for (const replica of objects.replicasOf(key).values()) {
    const { workloadUid, generation: its } = replica.spec;
    if (workloadUid === meta.uid && its === generation && isAvailable(replica)) serving += 1;
  }
  return serving;
}

/** What is wanted after it. */
export function movedIndexes(
  workload: Workload,
  rollout: Rollout,
  { begin, drop }: Advance,
): Rejection | Pick<Rollout, "begun" | "old"> {
  const { key, spec } = workload;
  const named = drop.reduce((sum, { indexes }) => sum + indexes.length, begin.length);
  if (named > INDEXES_PER_COMMAND) {
    return reject("bad-object", "indexes", `at most ${INDEXES_PER_COMMAND}`, named);
  }
  const isBegun =
    isInOrder(begin, spec.replicas) && !begin.some((index) => hasIndex(rollout.begun, index));
  if (!isBegun) {
    return reject("index-not-wanted", key, "indexes not started yet, in order", begin.join(","));
  }
  const old: WantedIndexes[] = [...rollout.old];
  for (const { generation, indexes } of drop) {
    const at = old.findIndex((each) => each.generation === generation);
    const kept: IndexSet = old[at]?.indexes ?? [];
    if (!isInOrder(indexes, spec.replicas) || !indexes.every((index) => hasIndex(kept, index))) {
      const found = `${indexes.join(",")} of generation ${generation}`;
      return reject("index-not-wanted", key, "indexes still wanted, in order", found);
    }
    if (at >= 0) old[at] = { generation, indexes: withoutIndexes(kept, indexes) };
  }
  return { begun: withIndexes(rollout.begun, begin), old };
}

const isInOrder = (indexes: readonly number[], replicas: number): boolean =>
  indexes.every(
    (index, at) =>
      Number.isInteger(index) && index >= 0 && index < replicas && index > (indexes[at - 1] ?? -1),
  );
