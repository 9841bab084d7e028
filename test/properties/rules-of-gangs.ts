/** The rules of gangs (GA1, GA3), restated from docs/SPEC.md, and what a workload must look like to be one (OB5). */
import type { ObjectKey } from "../../src/core/model/ids.ts";
import type { WorkloadSpec } from "../../src/core/model/objects.ts";
import type { BrokenRules } from "./broken-rules.ts";
import {
  every,
  find,
  isOnANode,
  type ModelState,
  type ReplicaThing,
  wantedWorkload,
  type WorkloadThing,
} from "./model-state.ts";

/** Written out, not imported: what one command can bind, and a day. */
const MOST_MEMBERS = 1024;
const LONGEST_DEADLINE_MS = 24 * 60 * 60 * 1000;

export function isMalformedGang({ gang, replicas }: WorkloadSpec): boolean {
  if (gang === undefined) return false;
  const { deadlineMs } = gang;
  const isTime = Number.isInteger(deadlineMs) && deadlineMs > 0;
  return !isTime || deadlineMs > LONGEST_DEADLINE_MS || replicas > MOST_MEMBERS;
}

/** GA1, asked once of a whole command: with everything it binds on a node, is some gang of theirs not whole? */
export function gangRules(
  state: ModelState,
  bound: readonly ObjectKey[],
  broken: BrokenRules,
): void {
  for (const key of bound) {
    const member = find(state, "Replica", key);
    const gang = member && wantedWorkload(state, member);
    if (gang?.spec.gang === undefined) continue;
    const whole = wantedIndexes(gang).every((index) =>
      membersOf(state, gang).some(
        (one) => one.index === index && (bound.includes(one.key) || isThereOrDone(one)),
      ),
    );
    broken.add("gang-incomplete", !whole);
  }
}

const wantedIndexes = ({ spec }: WorkloadThing): number[] => [...Array(spec.replicas).keys()];

const membersOf = (state: ModelState, gang: WorkloadThing): ReplicaThing[] =>
  every(state, "Replica").filter(
    ({ workloadBorn, templateGeneration }) =>
      workloadBorn === gang.born && templateGeneration === gang.templateGeneration,
  );

const isThereOrDone = (member: ReplicaThing): boolean =>
  member.stage === "succeeded" || (isOnANode(member) && member.stopping === undefined);

/** GA3. When the time is up is known to whoever admits them; that it is a gang, and holds only quota, to all. */
export function deadlineRules(
  state: ModelState,
  replica: ReplicaThing,
  named: ObjectKey,
  broken: BrokenRules,
): void {
  const workload = wantedWorkload(state, replica);
  const isItsGang = workload?.key === named && workload.spec.gang !== undefined;
  const isMember = workload?.born === replica.workloadBorn;
  broken.add("evidence-wrong", !isItsGang || !isMember || replica.stage !== "queued");
}
