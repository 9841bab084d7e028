/** What there is of a workload that moves to another template: one walk over its replicas. */
import { partText } from "../../model/text/count-text.ts";
import type { Replica, Workload } from "../../model/objects.ts";
import { type Rollout, wantedOf } from "../../model/rollout.ts";
import { indexCount, indexesOf } from "../../model/index-set.ts";
import type { Stage } from "../../model/stage.ts";
import { isAvailable, isWanted } from "../../model/availability.ts";
import { hopeCount, isLive, mayServe } from "../../observe/rollout-counts.ts";
import type { View } from "../../observe/view.ts";

export interface OldIndex {
  readonly generation: number;
  readonly index: number;
}

export interface Survey {
  /** Wanted indexes of the target, and how many of them serve. */
  readonly begun: number;
  readonly servingTarget: number;
  /** Wanted replicas of all generations that serve. */
  readonly serving: number;
  /** How many can be hoped for to serve: those that do, and indexes of templates that did. */
  readonly hope: number;
  /** All that live, and those of them that are not of the target. */
  readonly live: number;
  readonly liveOld: number;
  /**
   * Indexes of other generations that are still wanted: those that do not serve, and those that
   * may.
   */
  readonly idle: readonly OldIndex[];
  readonly useful: readonly OldIndex[];
  /** Wanted replicas of the target that do not serve, by index. */
  readonly behind: readonly Replica[];
}

export function survey(workload: Workload, rollout: Rollout, view: View): Survey {
  const { key, meta, spec } = workload;
  const counts = { servingTarget: 0, serving: 0, live: 0, liveOld: 0 };
  const mayServeKeys = new Set<string>();
  const behind: Replica[] = [];
  for (const replica of view.objects.replicasOf(key).values()) {
    if (replica.spec.workloadUid !== meta.uid) continue;
    const isTarget = replica.spec.generation === rollout.to;
    if (isLive(replica)) {
      counts.live += 1;
      if (!isTarget) counts.liveOld += 1;
    }
    if (!isWanted(replica, workload)) continue;
    if (mayServe(replica)) mayServeKeys.add(indexName(replica.spec));
    if (isAvailable(replica)) {
      counts.serving += 1;
      if (isTarget) counts.servingTarget += 1;
    } else if (isTarget) behind.push(replica);
  }
  const begun = indexCount(rollout.begun, spec.replicas);
  const { idle, useful } = oldIndexes(workload, rollout, mayServeKeys);
  behind.sort((a, b) => a.spec.index - b.spec.index);
  return { ...counts, begun, idle, useful, behind, hope: hopeCount(view.objects, workload) };
}

const indexName = ({ generation, index }: OldIndex): string => `${generation}.${index}`;

/**
 * Those between the one it comes from and the one it goes to come first; they never served all
 * together.
 */
function oldIndexes(
  workload: Workload,
  { from }: Rollout,
  serving: ReadonlySet<string>,
): { readonly idle: readonly OldIndex[]; readonly useful: readonly OldIndex[] } {
  const idle: OldIndex[] = [];
  const useful: OldIndex[] = [];
  const [, ...old] = wantedOf(workload);
  const inTurn = old.toSorted(
    (a, b) =>
      Number(a.generation === from) - Number(b.generation === from) || b.generation - a.generation,
  );
  for (const { generation, indexes } of inTurn) {
    for (const index of indexesOf(indexes, workload.spec.replicas)) {
      const each = { generation, index };
      (serving.has(indexName(each)) ? useful : idle).push(each);
    }
  }
  return { idle, useful };
}

/**
 * Stages that are no more than a wait say for what: a surge that finds no quota or no room is to be
 * seen as that.
 */
const WAITS: Readonly<Partial<Record<Stage, string>>> = {
  admitted: "waiting for quota",
  queued: "waiting for a node",
};

/**
 * e.g. "2 of 5 replicas of generation 3 serve; 1 waiting for a node, 2 failed (api.3.1: exit code
 * 1)"
 */
export function surveyText(rollout: Rollout, found: Survey): string {
  const stages = new Map<string, number>();
  for (const { status } of found.behind) {
    const stage = WAITS[status.stage] ?? status.stage;
    stages.set(stage, (stages.get(stage) ?? 0) + 1);
  }
  const missing = found.begun - found.servingTarget - found.behind.length;
  if (missing > 0) stages.set("not started", missing);
  const parts = [...stages].toSorted(([a], [b]) => (a < b ? -1 : 1));
  // An end that was asked for says nothing of what is wrong.
  const told = found.behind.find(
    ({ status }) => status.failures > 0 && status.lastEnd !== undefined,
  );
  const end = told === undefined ? "" : ` (${told.meta.name}: ${told.status.lastEnd})`;
  const text = parts.map(([stage, count]) => `${count} ${stage}`).join(", ");
  const summary = `${partText(found.servingTarget, found.begun, "replica")} of generation ${rollout.to} ${found.begun === 1 ? "serves" : "serve"}`;
  return text === "" ? summary : `${summary}; ${text}${end}`;
}
