/**
 * Autoscalers of some services, and how much these are asked to do: steps up and down while faults
 * last, then constant.
 */
import type { AutoscalerSpec, ScaleRate } from "../../core/model/autoscaler.ts";
import type { KeyedRandom } from "../faults/keyed-random.ts";
import type { DemandStep, WorldAutoscaler, WorldWorkload } from "../world/world.ts";

/** Of a hundred worlds. The others have none, and none of their draws knows of this file. */
const WORLDS_PERCENT = 20;

export function drawAutoscalers(
  random: KeyedRandom,
  workloads: readonly WorldWorkload[],
  untilMs: number,
): readonly WorldAutoscaler[] | undefined {
  if (!random.chance("autoscalers", 0, WORLDS_PERCENT)) return undefined;
  const services = workloads.filter(
    ({ spec }) => spec.type === "service" && spec.gang === undefined,
  );
  const drawn = services
    .filter((_, at) => random.chance("workload is scaled", at, 60))
    .map((workload, at) => drawOne(random, at, { workload, untilMs }));
  return drawn.length === 0 ? undefined : drawn;
}

function drawOne(
  random: KeyedRandom,
  at: number,
  { workload, untilMs }: { readonly workload: WorldWorkload; readonly untilMs: number },
): WorldAutoscaler {
  const min = random.between("scale min", at, 1, 3);
  const max = min + random.between("scale more", at, 1, 8);
  const value = random.between("scale target", at, 1, 100);
  const spec: AutoscalerSpec = {
    workload: workload.name,
    min,
    max,
    target: { kind: "metric", name: "load", value },
    ...(random.chance("scale readiness", at, 25)
      ? { readiness: random.between("scale serving", at, 1, max) }
      : {}),
    up: drawRate(random, "up", at),
    down: drawRate(random, "down", at),
    manualHoldMs: random.between("scale hold", at, 5, 60) * 1_000,
  };
  return {
    tenant: workload.tenant,
    name: workload.name,
    spec,
    demand: drawDemand(random, at, { most: (max + 2) * value, untilMs }),
    lostPercent: random.chance("samples lost", at, 40) ? random.between("lost", at, 1, 60) : 0,
    lateMs: random.chance("samples late", at, 40) ? random.between("late", at, 1, 8_000) : 0,
  };
}

const drawRate = (random: KeyedRandom, way: string, at: number): ScaleRate => ({
  windowMs: random.between(`${way} window`, at, 0, 30) * 1_000,
  replicas: random.between(`${way} step`, at, 1, 4),
  periodMs: random.between(`${way} period`, at, 0, 20) * 1_000,
});

/**
 * The last step is after the last fault, so that what the workload comes to is what a healed plane
 * makes of it.
 */
function drawDemand(
  random: KeyedRandom,
  at: number,
  { most, untilMs }: { readonly most: number; readonly untilMs: number },
): readonly DemandStep[] {
  const steps = random.between("demand steps", at, 1, 5);
  return Array.from({ length: steps }, (_, step) => {
    const index = at * 16 + step;
    const atMs = step === 0 ? 0 : random.between("demand time", index, 1_000, untilMs);
    return { atMs, load: random.between("demand", index, 0, most) };
  }).toSorted((a, b) => a.atMs - b.atMs);
}
