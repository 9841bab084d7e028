/**
 * What the services of a fleet that have an autoscaler are asked to do in a twin: as much as was
 * measured last, or as much as lets the autoscaler leave the size as it is. So the same load falls
 * on fewer replicas after a loss. A scenario may let it rise at its first event.
 */
import { type ScaleTarget, scaledWorkload } from "../core/model/autoscaler.ts";
import type { AnyObject, Autoscaler } from "../core/model/objects.ts";
import type { ObjectKey } from "../core/model/ids.ts";
import type { World } from "../sim/world/world.ts";

type Loads = NonNullable<World["autoscalers"]>;

interface Rise {
  /** When it rises, and to what part of the usual load. */
  readonly atMs: number;
  readonly percent: number;
}

/** Undefined: the fleet has no autoscaler, and nothing measures. */
export function loadOfFleet(
  objects: readonly AnyObject[],
  rise: Rise | undefined,
): Loads | undefined {
  const sizes = new Map<ObjectKey, number>();
  for (const object of objects) {
    if (object.kind === "Workload") sizes.set(object.key, object.spec.replicas);
  }
  const loads = objects.flatMap((object): Loads => {
    if (object.kind !== "Autoscaler") return [];
    const replicas = sizes.get(scaledWorkload(object));
    if (replicas === undefined) return [];
    const usual = usualLoad(object, replicas);
    const risen = rise && { atMs: rise.atMs, load: (usual * rise.percent) / 100 };
    const { namespace: tenant, name } = object.meta;
    return [
      {
        tenant,
        name,
        spec: object.spec,
        demand: [{ atMs: 0, load: usual }, ...(risen === undefined ? [] : [risen])],
        lostPercent: 0,
        lateMs: 0,
      },
    ];
  });
  return loads.length === 0 ? undefined : loads;
}

function usualLoad({ spec, status }: Autoscaler, replicas: number): number {
  const { observed } = status;
  return observed === undefined || observed.covered === 0
    ? fullLoad(spec.target, replicas)
    : Math.round((observed.sumMillis * observed.of) / observed.covered / 1_000);
}

const fullLoad = ({ value }: ScaleTarget, replicas: number): number => value * replicas;
