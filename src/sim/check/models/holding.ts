/**
 * Which replicas own room on a node, written down a second time on purpose: a checker that asked
 * the model would share its mistakes.
 */
import type { Replica } from "../../../core/model/objects.ts";

export function isHolding(replica: Replica): boolean {
  switch (replica.status.stage) {
    case "bound":
    case "starting":
    case "ready":
    case "serving":
    case "running":
    case "unknown":
      return true;
    default:
      return false;
  }
}
