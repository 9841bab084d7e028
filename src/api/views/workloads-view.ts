/**
 * One row a workload: how many are wanted and where they are, who stands still and why, and what is
 * under way.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import { scaledWorkload } from "../../core/model/autoscaler.ts";
import { endOf, isJob, parallelismOf } from "../../core/model/batch.ts";
import { type ObjectKey, parseKey, workloadKey } from "../../core/model/ids.ts";
import type { AnyObject, Autoscaler, Workload } from "../../core/model/objects.ts";
import { rolloutSpec } from "../../core/model/rollout.ts";
import { indexCount } from "../../core/model/index-set.ts";
import { workloadOf } from "../../core/model/workload-of.ts";
import { givenUp } from "../../core/observe/job-verdict.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { isSpare } from "../../core/rules/recovery/spare-rooms.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import type { Condition } from "../kinds/status/condition.ts";
import { inTimeCondition, reservedRooms } from "../kinds/status/recovery-status.ts";
import { workloadProblems } from "../kinds/status/workload-problems.ts";
import { ownConditions, replicasOf } from "../kinds/status/workload-status.ts";
import { pendingOf } from "./pending-of.ts";
import { tallyStages } from "./tally-stages.ts";
import type { View } from "./view.ts";
import type {
  BatchCell,
  ConditionCell,
  RecoveryCell,
  RolloutCell,
  ScalingCell,
  WorkloadRow,
} from "./view-rows.ts";

type Port = Pick<PlanePort, "objects" | "decisions">;

export class WorkloadsView implements View {
  private readonly plane: Port;
  /** Autoscalers by the rows of what they scale; made when the first row is. */
  private scalers: Map<string, ObjectKey> | undefined;

  constructor(plane: Port) {
    this.plane = plane;
  }

  keys(): readonly string[] {
    return [...this.plane.objects.all("Workload").values()].map(({ meta }) => rowKey(meta));
  }

  row(key: string): WorkloadRow | undefined {
    const { objects } = this.plane;
    const workload = objects.workload(keyOfRow(key));
    if (workload === undefined) return undefined;
    const { meta, spec } = workload;
    const replicas = replicasOf(workload, objects);
    const tally = tallyStages(workload, replicas);
    return [
      key,
      spec.type,
      spec.template.priorityClass,
      spec.replicas,
      tally.ready,
      tally.stages,
      pendingOf(this.plane, workload, tally),
      rolloutOf(workload),
      recoveryOf(workload, objects),
      batchOf(workload, objects),
      // Where those are that are behind is said by `pending`, which costs less to find out.
      notFine([...ownConditions(workload, replicas, { objects, behind: "" }), ...inTime(workload)]),
      meta.generation,
      meta.createdMs,
      meta.deletingMs ?? null,
      this.scalingOf(key),
      workloadProblems(workload, replicas, objects),
    ];
  }

  /**
   * Looked up by the workload for every row that is made, and there may be ten thousand of both.
   */
  private scalingOf(row: string): ScalingCell | null {
    const { objects } = this.plane;
    const known = (this.scalers ??= new Map(
      [...objects.all("Autoscaler").values()].map((each) => [rowOfScaled(each), each.key]),
    ));
    const scaler = objects.get(known.get(row) ?? ("" as ObjectKey));
    if (scaler?.kind !== "Autoscaler" || rowOfScaled(scaler) !== row) return null;
    const { meta, spec, status } = scaler;
    const { min, max } = spec;
    return { autoscaler: meta.name, min, max, observation: status.observed?.seq ?? null };
  }

  *touched(commits: readonly Commit[]): Iterable<string> {
    for (const { changes } of commits) {
      for (const { before, after } of changes) {
        const some = after ?? before;
        if (some?.kind === "Workload") yield rowKey(some.meta);
        else if (some?.kind === "Replica") yield rowKey(parseKey(workloadOf(some)));
        else if (some?.kind === "Autoscaler") yield* this.scaledBy(before, after);
        else if (some?.kind === "Reservation" && isSpare(some)) {
          yield rowKey(parseKey(some.spec.owner));
        }
      }
    }
  }

  /** It may be another workload's than before. */
  private *scaledBy(before: AnyObject | undefined, after: AnyObject | undefined): Iterable<string> {
    for (const each of [before, after]) {
      if (each?.kind !== "Autoscaler") continue;
      const row = rowOfScaled(each);
      if (each === after) this.scalers?.set(row, each.key);
      else this.scalers?.delete(row);
      yield row;
    }
  }

  listen(mark: (key: string) => void): () => void {
    const note = (key: ObjectKey): void => {
      const { kind, ...name } = parseKey(key);
      if (kind === "Workload") mark(rowKey(name));
    };
    const { decisions } = this.plane;
    const stops = [
      decisions.onOwed((_, key) => note(key)),
      decisions.onAdd(({ key }) => note(key)),
    ];
    return () => stops.forEach((stop) => stop());
  }
}

const rowKey = ({ namespace, name }: { namespace: string; name: string }): string =>
  `${namespace}/${name}`;

const rowOfScaled = (autoscaler: Autoscaler): string =>
  rowKey(parseKey(scaledWorkload(autoscaler)));

function keyOfRow(row: string): ObjectKey {
  const at = row.indexOf("/");
  return workloadKey(row.slice(0, at), row.slice(at + 1));
}

function rolloutOf({ spec, status }: Workload): RolloutCell | null {
  const { rollout } = status;
  if (rollout === undefined) return null;
  const { stage, from, to, begun, step, sinceMs, reason } = rollout;
  const { steps = [], paused = false } = rolloutSpec(spec);
  return {
    stage,
    from: from ?? null,
    to,
    updated: indexCount(begun, spec.replicas),
    since: sinceMs,
    step: stage === "rolling" && step < steps.length ? step + 1 : null,
    steps: steps.length,
    paused,
    reason: reason ?? null,
  };
}

function recoveryOf(workload: Workload, objects: ObjectIndex): RecoveryCell | null {
  const { recovery: objective } = workload.spec;
  if (objective === undefined) return null;
  const { under, last } = workload.status.recovery ?? {};
  const { withinMs, replicas } = objective;
  return {
    withinMs,
    replicas,
    ...reservedRooms(workload, objects),
    now:
      under === undefined
        ? null
        : {
            stage: under.stage,
            lost: under.lost,
            since: under.beganMs,
            deadline: under.beganMs + withinMs,
            missed: under.missed ?? null,
          },
    last:
      last === undefined
        ? null
        : {
            tookMs: last.tookMs,
            lost: last.lost,
            ended: last.beganMs + last.tookMs,
            missed: last.missed ?? null,
          },
  };
}

function batchOf(workload: Workload, objects: ObjectIndex): BatchCell | null {
  if (!isJob(workload)) return null;
  const { batch } = workload.spec;
  const counts = objects.jobs.of(workload);
  const { started, finished } = workload.status.batch ?? {};
  return {
    completions: batch.completions,
    parallelism: parallelismOf(batch),
    succeeded: counts.succeeded,
    active: counts.live.size,
    failures: counts.failures,
    givenUp: givenUp(batch, counts),
    started: started?.atMs ?? null,
    finished: finished?.atMs ?? null,
    outcome: endOf(workload) ?? null,
  };
}

/** Whether what was lost came back in time; how much room is kept stands in a column of its own. */
const inTime = (workload: Workload): readonly Condition[] =>
  workload.spec.recovery === undefined ? [] : [inTimeCondition(workload)];

/** The state of each condition in which there is nothing to tell of it. */
const FINE: Readonly<Record<string, Condition["status"]>> = {
  Available: "True",
  Progressing: "False",
  Failed: "False",
  RecoveryInTime: "True",
};

/** How far a batch is from its end is a number and not a fault. */
const notFine = (conditions: readonly Condition[]): readonly ConditionCell[] =>
  conditions
    .filter(({ type, status }) => type !== "Complete" && FINE[type] !== status)
    .map(({ sinceMs, ...condition }) => ({ ...condition, since: sinceMs }));
