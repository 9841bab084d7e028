/**
 * What a put makes of a workload's status. A service that is given another template begins a
 * rollout to it, and nothing is ended by that alone; everything else goes to the new template at
 * once. A template that is still known is the same generation again, so that going back to it keeps
 * the replicas that are left of it (RO8).
 */
import type { Template, Workload, WorkloadSpec, WorkloadStatus } from "../../model/objects.ts";
import {
  HISTORY_KEPT,
  lastServed,
  type PastTemplate,
  retargeted,
  type Rollout,
  rollsOut,
} from "../../model/rollout.ts";
import { NO_END } from "../../model/index-set.ts";
import { sameValue } from "../validate/same-value.ts";

export interface TemplatePut {
  readonly spec: WorkloadSpec;
  /** That of the object once it is put. */
  readonly generation: number;
  readonly nowMs: number;
}

export function nextTemplate(held: Workload, put: TemplatePut): WorkloadStatus {
  const { status } = held;
  const isSame = sameValue(held.spec.template, put.spec.template);
  if (!rollsOut(put.spec)) {
    // On the way to another template there is none that all of it could stay at.
    return isSame && status.rollout === undefined
      ? { templateGeneration: status.templateGeneration, ...jobOf(put.spec, status) }
      : { templateGeneration: put.generation };
  }
  return isSame ? status : rolloutTo(held, put);
}

/** How far a job has come stays with its template. */
const jobOf = (spec: WorkloadSpec, { batch }: WorkloadStatus): Pick<WorkloadStatus, "batch"> =>
  spec.batch === undefined || batch === undefined ? {} : { batch };

function rolloutTo(held: Workload, { spec, generation, nowMs }: TemplatePut): WorkloadStatus {
  const { status } = held;
  const known = knownAs(status, spec.template);
  const to = known?.generation ?? generation;
  const rollout: Rollout = {
    ...fromOf(held, to),
    ...retargeted(held, to),
    stage: "rolling",
    sinceMs: nowMs,
  };
  const isDone = rollout.old.length === 0 && rollout.begun[0] === 0 && rollout.begun[1] === NO_END;
  const others = (status.history ?? []).filter((past) => past !== known);
  return {
    templateGeneration: to,
    templateSinceMs: nowMs,
    ...(known?.served === true ? { served: true } : {}),
    ...(isDone ? {} : { rollout }),
    history: kept([...others, leftBehind(held)], rollout),
    retargets: (status.retargets ?? 0) + 1,
  };
}

function fromOf(held: Workload, to: number): Pick<Rollout, "from"> {
  const from = lastServed(held, to);
  return from === undefined ? {} : { from };
}

const knownAs = ({ history }: WorkloadStatus, template: Template): PastTemplate | undefined =>
  history?.find((past) => sameValue(past.template, template));

function leftBehind({ meta, spec, status }: Workload): PastTemplate {
  const { rollout, templateGeneration } = status;
  const failed = rollout?.reason;
  return {
    generation: templateGeneration,
    template: spec.template,
    sinceMs: status.templateSinceMs ?? meta.createdMs,
    served: status.served === true,
    ...(failed === undefined ? {} : { failed }),
  };
}

/** The newest, those of which replicas are wanted, and the one to go back to. */
function kept(history: readonly PastTemplate[], rollout: Rollout): readonly PastTemplate[] {
  const needed = new Set([rollout.from, rollout.to, ...rollout.old.map((each) => each.generation)]);
  const from = history.length - HISTORY_KEPT;
  return history.filter(({ generation }, at) => at >= from || needed.has(generation));
}
