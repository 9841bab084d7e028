/** How replicas spread: in a workload, and in a policy revision for workloads that do not say. */
import { LOAD_LIMITS } from "../../model/limits/load-limits.ts";
import type { Spread } from "../../model/objects.ts";
import { count, filled, flag, implied, object, word } from "./field.ts";

export const PLACE = "zone, region, node, or the key of a label of nodes";

/** Beyond the number of replicas a workload can have, a skew means nothing. */
const SKEW = { least: 1, most: LOAD_LIMITS.workloadReplicas.value } as const;

export const SPREAD = object<Spread>("Spreads replicas.", {
  by: word(`The topology to spread over: ${PLACE}.`),
  maxSkew: filled(
    count("The maximum difference in replicas between the fullest and the emptiest domain.", SKEW),
    1,
  ),
  soft: implied(flag("A preference: the replica does not wait for it."), false),
});
