/** How far the log must have come for a reply to be true; 0 when it does not say. */
import type { Reply } from "../../../core/protocol/outcome.ts";
import type { Revision } from "../../../core/model/ids.ts";

export function vouchedFor(reply: Reply): Revision {
  if (reply.kind === "found") return reply.asOf;
  if (reply.kind !== "outcome") return 0;
  const { outcome } = reply;
  return outcome.kind === "duplicate" ? outcome.asOf : outcome.revision;
}
