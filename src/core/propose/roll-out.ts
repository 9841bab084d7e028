/**
 * Moves services to a new template: begins replicas of it, leaves those of the old one as the new
 * ones come to serve, watches the steps, and calls it failed when it makes no progress in time.
 * Observes workloads and replicas through a view that may be stale; proposes `roll`. Leaves both
 * bounds to the authority, incarnations and quota to `admit`, and nodes to `place`. A workload that
 * does not roll out costs it nothing.
 */
import { countText } from "../model/text/count-text.ts";
import type { RollMove } from "../protocol/command.ts";
import type { Change } from "../protocol/commit-record.ts";
import { stepCap } from "../rules/roll-indexes.ts";
import type { Controller } from "../runner/controller.ts";
import {
  type Decision,
  type Look,
  propose,
  settled,
  wait,
  type WaitReason,
} from "../protocol/decision.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { Workload } from "../model/objects.ts";
import { isMoving, type Rollout, rolloutBounds, rolloutSpec, rollsOut } from "../model/rollout.ts";
import { workloadOf } from "../model/workload-of.ts";
import type { View } from "../observe/view.ts";
import { rollOperation } from "../protocol/operations.ts";
import { rolloutHolders } from "../rules/override/held-by-override.ts";
import { overridesInForce } from "../rules/override/overrides-in-force.ts";
import { waitForOverride } from "../rules/override/wait-for-override.ts";
import { planMove } from "./rollout/plan-move.ts";
import { ProgressClocks } from "./rollout/progress-clocks.ts";
import { ServingCounts } from "./rollout/serving-counts.ts";
import { type Survey, survey, surveyText } from "./rollout/survey.ts";
import type { Advance } from "../rules/roll-indexes.ts";

/** Progress is shown by the watch; this is only for the case that it is not. */
const PATIENCE_MS = 15_000;

export function createRollOut(): Controller {
  const planner = new RolloutPlanner();
  return {
    role: "roll-out",
    interest: { kinds: new Set(["Workload", "Replica"]), node: undefined },
    follow: (change) => planner.serving.follow(change),
    keysFor: (change, view) => planner.keysFor(change, view),
    allKeys: (view) => planner.allKeys(view),
    reconcile: (key, view, look) => planner.look(key, view, look),
  };
}

class RolloutPlanner {
  readonly serving = new ServingCounts();
  private readonly clocks = new ProgressClocks();

  keysFor({ before, after }: Change, view: View): readonly ObjectKey[] {
    const object = after ?? before;
    if (object?.kind === "Workload") return [object.key];
    if (object?.kind !== "Replica" || object.spec.type !== "service") return [];
    const workload = view.objects.workload(workloadOf(object));
    return workload !== undefined && this.isOpen(workload) ? [workload.key] : [];
  }

  *allKeys(view: View): Iterable<ObjectKey> {
    for (const workload of view.objects.all("Workload").values()) {
      if (this.isOpen(workload)) yield workload.key;
    }
  }

  /**
   * Whether there may be something to do: it moves, or all of it serve and that is not committed
   * yet.
   */
  private isOpen({ key, spec, status }: Workload): boolean {
    if (isMoving(status.rollout)) return true;
    if (status.rollout !== undefined || status.served === true || !rollsOut(spec)) return false;
    return spec.replicas > 0 && this.serving.of(key, status.templateGeneration) >= spec.replicas;
  }

  look(key: ObjectKey, view: View, look: Look): Decision {
    const workload = view.objects.workload(key);
    const isThere = workload !== undefined && workload.meta.deletingMs === undefined;
    if (!isThere || !this.isOpen(workload)) {
      this.clocks.forget(key);
      return settled;
    }
    const { rollout } = workload.status;
    if (rollout === undefined) return firstServed(workload, view);
    return this.move(workload, rollout, view, look);
  }

  private move(workload: Workload, rollout: Rollout, view: View, look: Look): Decision {
    const { key, spec, status } = workload;
    const found = survey(workload, rollout, view);
    const text = surveyText(rollout, found);
    if (isDone(workload, found)) return roll(workload, { kind: "finish" }, `${key}: ${text}`);
    const holders = rolloutHolders(view.objects, key, overridesInForce(view.objects));
    if (holders.length > 0) {
      // Time in which it may not move is no time in which it made no progress.
      this.clocks.forget(key);
      return waitForOverride(key, look, { holders, count: 1, what: `${key}: ${text}` });
    }
    const isForward = rollout.stage === "rolling";
    if (isForward && rolloutSpec(spec).paused === true) {
      this.clocks.forget(key);
      return waitFor("rollout-paused", `${key} is paused: ${text}`, look.now + PATIENCE_MS);
    }
    const progress = {
      retargets: status.retargets ?? 0,
      step: rollout.step,
      serving: found.servingTarget,
      left: found.liveOld,
    };
    const movedMs = this.clocks.movedMs(key, progress, look.now);
    const stepDecision = isForward ? this.watchStep(workload, rollout, found, look) : undefined;
    const move = planMove(workload, rollout, found);
    // What the present step still lacks comes before the next one is looked at.
    if (move !== undefined) return roll(workload, move, moveText(workload, move, text));
    if (stepDecision !== undefined) return stepDecision;
    const { deadlineMs } = rolloutSpec(spec);
    const dueMs = movedMs + deadlineMs;
    if (isForward && dueMs <= look.now) {
      const reason = `no progress for ${Math.floor(deadlineMs / 1_000)} s: ${text}`;
      return roll(workload, { kind: "fail", reason }, `${key}: ${reason}`);
    }
    const patienceMs = look.now + PATIENCE_MS;
    return waitFor(
      whyNot(workload, found),
      `${key}: ${text}`,
      isForward ? Math.min(dueMs, patienceMs) : patienceMs,
    );
  }

  /** Undefined while the step is not whole, and after the last. */
  private watchStep(
    workload: Workload,
    { step }: Rollout,
    { servingTarget }: Survey,
    look: Look,
  ): Decision | undefined {
    const { key, spec } = workload;
    const { steps = [] } = rolloutSpec(spec);
    const watched = steps[step];
    if (watched === undefined) return undefined;
    const isWhole = servingTarget >= stepCap(workload, step);
    const sinceMs = this.clocks.stepSinceMs(key, isWhole, look.now);
    if (!isWhole) return undefined;
    const overMs = sinceMs + (watched.pauseMs ?? 0);
    const name = `step ${step + 1} of ${steps.length} with ${countText(watched.replicas, "replica")}`;
    if (overMs > look.now) {
      return waitFor("rollout-step", `${key} watches ${name}`, overMs);
    }
    const next: RollMove = { kind: "advance", begin: [], drop: [], step: step + 1 };
    return roll(workload, next, `${key}: ${name} is complete`);
  }
}

function firstServed(workload: Workload, view: View): Decision {
  const { key, spec, status } = workload;
  const { templateGeneration } = status;
  const target: Rollout = { ...EVERYWHERE, to: templateGeneration };
  const { servingTarget } = survey(workload, target, view);
  if (servingTarget < spec.replicas) return settled;
  return roll(
    workload,
    { kind: "finish" },
    `${key} has rolled out generation ${templateGeneration}`,
  );
}

const EVERYWHERE = { stage: "rolling", begun: [], old: [], step: 0, sinceMs: 0 } as const;

const isDone = ({ spec }: Workload, found: Survey): boolean =>
  found.idle.length + found.useful.length === 0 &&
  found.begun === spec.replicas &&
  found.servingTarget >= spec.replicas;

function roll(workload: Workload, move: RollMove, summary: string): Decision {
  const what = move.kind === "advance" ? advanceText(move) : move.kind;
  const intent = {
    kind: "roll",
    operation: rollOperation(workload, what),
    workload: workload.key,
    retargets: workload.status.retargets ?? 0,
    move,
  } as const;
  return propose([intent], { summary });
}

const droppedBy = ({ drop }: Advance): number =>
  drop.reduce((sum, { indexes }) => sum + indexes.length, 0);

/** e.g. "step-0+2-1": two begin and one ends in the first step. */
const advanceText = (move: Advance): string =>
  `step-${move.step}+${move.begin.length}-${droppedBy(move)}`;

const moveText = ({ key }: Workload, move: Advance, text: string): string =>
  `${key}: ${move.begin.length} new replicas start, ${droppedBy(move)} old ones stop; ${text}`;

function waitFor(reason: WaitReason, summary: string, deadlineMs: number): Decision {
  return wait({ reason, wakes: [], deadlineMs, because: { summary } });
}

/**
 * Incarnations that are missing because others have not ended yet; old ones that cannot be spared;
 * or only time.
 */
function whyNot({ spec }: Workload, found: Survey): WaitReason {
  const lacking = found.begun - found.servingTarget - found.behind.filter(isOnItsWay).length;
  if (lacking > 0 && found.live >= spec.replicas + rolloutBounds(spec).surge) {
    return "rollout-surge";
  }
  return found.useful.length > 0 ? "rollout-unavailable-budget" : "rollout-not-serving";
}

const isOnItsWay = ({ status }: Survey["behind"][number]): boolean =>
  status.stage !== "failed" && status.stage !== "released";
