/**
 * The unfinished work of an autoscaler, for `unfinished.ts`: the number of replicas for the load of
 * the world.
 */
import { workloadKey } from "../../../core/model/ids.ts";
import { demandAt } from "../../world/demand-at.ts";
import type { Truth } from "../checker.ts";
import { holdingAt, isAbout } from "../models/naive-overrides.ts";
import { boundsOf, isStarting, needed, withoutNode, worldOf } from "../models/naive-scale.ts";
import { servingOf } from "../models/naive-wanted.ts";
import type { Unfinished } from "./unfinished-work.ts";

export function* notScaled(truth: Truth, stallMs: number): Iterable<Unfinished> {
  const { objects } = truth;
  for (const autoscaler of objects.all("Autoscaler").values()) {
    const { meta, spec } = autoscaler;
    const workload = objects.workload(workloadKey(meta.namespace, spec.workload));
    const of = worldOf(truth, autoscaler);
    if (of === undefined || workload === undefined || workload.meta.deletingMs !== undefined) {
      continue;
    }
    const isService = workload.spec.type === "service" && workload.spec.gang === undefined;
    const { replicas } = workload.spec;
    // Without serving replicas there is nothing to measure.
    if (!isService || replicas === 0 || servingOf(objects, workload) === 0) continue;
    const bounds = boundsOf(objects, autoscaler, workload);
    const load = demandAt(of.demand, truth.nowMs);
    const each = spec.target.value;
    const isClose = Math.abs(load - replicas * each) * 10 <= replicas * each;
    const byLoad = isClose ? replicas : needed(load, each);
    const wanted = Math.min(bounds.max, Math.max(bounds.min, byLoad, spec.readiness ?? 0));
    // A replica that was lost for a while is replaced, and the extra one is scaled down later.
    if (wanted === replicas) continue;
    const isHeld = [...holdingAt(objects)].some(
      (override) =>
        (override.spec.action === "freeze-tenant" ||
          (override.spec.action === "pause-expansion" && wanted > replicas)) &&
        isAbout(override, meta.namespace, spec.workload),
    );
    const isPending = withoutNode(objects, workload) !== undefined || isStarting(objects, workload);
    if (isHeld || (wanted > replicas && isPending)) continue;
    const { upWindowMs, upEveryMs, downWindowMs, downEveryMs, handsOffMs } = bounds;
    const slowMs = Math.max(upWindowMs + upEveryMs, downWindowMs + downEveryMs) + handsOffMs;
    yield {
      rule: "LIV60",
      key: autoscaler.key,
      stuckAs: `${replicas} of ${wanted} in generation ${workload.meta.generation}`,
      patienceMs: stallMs + slowMs,
      message: `${workload.key} has ${replicas} replicas, and its load asks for ${wanted}.`,
    };
  }
}
