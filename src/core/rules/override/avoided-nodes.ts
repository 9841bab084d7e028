/**
 * The names of nodes where no room is kept: somebody avoids them, or has cut their region off;
 * nearly always none.
 */
import { isAvoiding, isPartitioned, meansPlace } from "../../model/override.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { overridesInForce } from "./overrides-in-force.ts";

export function avoidedNodes(objects: ObjectIndex): readonly string[] {
  const avoiding = overridesInForce(objects).filter(
    (override) => isAvoiding(override) || isPartitioned(override),
  );
  if (avoiding.length === 0) return [];
  return [...objects.all("Node").values()]
    .filter(({ meta, spec: { region, zone } }) =>
      avoiding.some(({ spec }) => meansPlace(spec.target, { name: meta.name, region, zone })),
    )
    .map(({ meta }) => meta.name);
}
