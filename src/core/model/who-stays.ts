/**
 * Who of an index stays when a replica that was replaced is heard of again (DC5). One answer for
 * the controller that proposes and the authority that commits. Asked only while the original's node
 * is ready in the original's session.
 */
import type { Replica } from "./objects.ts";
import { holdsNode } from "./stage.ts";

/**
 * "nobody-yet": the one that is to stay does not serve yet, or has not reported it, and the other
 * one does.
 */
export type Standing = "original" | "replacement" | "nobody-yet";

export function whoStays(original: Replica, replacement: Replica): Standing {
  // One that was asked to stop for another reason is going anyway.
  if (original.status.stopping !== undefined) return "replacement";
  // A replacement that has no node yet, or whose own node is silent, is no help to anybody.
  if (!isThere(replacement)) return "original";
  switch (original.spec.template.reconcile ?? "best") {
    case "keep-original":
      return serves(replacement) && !serves(original) ? "nobody-yet" : "original";
    case "keep-replacement":
      return serves(original) && !serves(replacement) ? "nobody-yet" : "replacement";
    case "best":
      return best(original, replacement);
  }
}

function best(original: Replica, replacement: Replica): Standing {
  const { stage } = original.status;
  if (serves(original) || !serves(replacement)) return "original";
  // A ready replica is reported as serving right after.
  return stage === "unknown" || stage === "ready" ? "nobody-yet" : "replacement";
}

const isThere = ({ status: { stage, stopping } }: Replica): boolean =>
  holdsNode(stage) && stage !== "unknown" && stopping === undefined;

const serves = ({ status: { stage } }: Replica): boolean =>
  stage === "serving" || stage === "running";
