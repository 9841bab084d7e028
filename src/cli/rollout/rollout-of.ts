/** The rollout of an object, or an error for an object without one. */
import type { ShownObject } from "../../steering/api-object.ts";
import { UserError } from "../../shell/errors.ts";
import { shownRollout, type ShownRollout } from "./shown-rollout.ts";

export function rolloutOf(object: ShownObject, name: string): ShownRollout {
  const rollout = shownRollout(object);
  if (rollout !== undefined) return rollout;
  throw new UserError(
    "bad-usage",
    `${name} has no rollout; only a workload of type service has one, unless it is a gang.`,
  );
}
