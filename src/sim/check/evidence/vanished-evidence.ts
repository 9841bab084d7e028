/**
 * Whether a replica may be freed because its node's object was deleted: worked out from what is
 * really there.
 */
import { nodeKey } from "../../../core/model/ids.ts";
import type { Replica } from "../../../core/model/objects.ts";
import type { Truth } from "../checker.ts";

/** Why the release is not borne out, or undefined when it is. */
export function whyNotVanished({ key, spec, status }: Replica, truth: Truth): string | undefined {
  const { node = "", incarnation } = status;
  if (truth.objects.node(nodeKey(node)) !== undefined) return `${node} is there`;
  if (spec.template.onDisconnect === "keep") {
    return "it keeps running when disconnected, and no operator confirmed its end";
  }
  for (const process of truth.processes()) {
    if (process.replica === key && process.incarnation === incarnation)
      return `it still runs on ${process.node}`;
  }
  return undefined;
}
