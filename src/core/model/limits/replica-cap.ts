/** How many replicas a node takes: its own number, or the default (BD11, LB1). */
import { LOAD_LIMITS } from "./load-limits.ts";
import type { NodeSpec } from "../objects.ts";

export const replicaCapOf = ({ maxReplicas }: Pick<NodeSpec, "maxReplicas">): number =>
  maxReplicas ?? LOAD_LIMITS.nodeReplicas.value;
