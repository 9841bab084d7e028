/**
 * An index that was given to another has two replicas once the first is back. Observes both and the
 * first one's node; proposes that one of them goes, as their workload has it (DC5).
 */
import type { Intent } from "../protocol/command.ts";
import { nodeKey } from "../model/ids.ts";
import type { Replica } from "../model/objects.ts";
import { whoStays } from "../model/who-stays.ts";
import { otherOf } from "../observe/index-replicas.ts";
import type { View } from "../observe/view.ts";
import { settleOperation } from "../protocol/operations.ts";

/**
 * Undefined while there is nothing to settle: it was never replaced, one of the two is away, or has
 * been asked to go already. Asked of the original only, so that two looks at two nodes never
 * propose the same thing twice.
 */
export function settleIndex(original: Replica, view: View): Intent | undefined {
  const { superseded, stopping, session, node: name } = original.status;
  if (superseded === undefined || stopping !== undefined) return undefined;
  const replacement = otherOf(view.objects, original);
  if (replacement === undefined || replacement.status.superseded !== undefined) return undefined;
  const node = view.objects.node(nodeKey(name ?? ""));
  if (node?.status.health !== "ready" || node.status.session !== session) return undefined;
  const standing = whoStays(original, replacement);
  if (standing === "nobody-yet") return undefined;
  const [stays, goes] = standing === "original" ? [original, replacement] : [replacement, original];
  return {
    kind: "evict",
    operation: settleOperation(goes, stays),
    replica: goes.key,
    incarnation: goes.status.incarnation,
    evidence: { kind: "reconciled", stays: stays.key },
  };
}
