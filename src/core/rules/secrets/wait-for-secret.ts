/** How a controller waits for a secret that replicas of a workload lack (SE10). */
import { type Decision, type Look, wait } from "../../protocol/decision.ts";
import type { Replica } from "../../model/objects.ts";
import { secretKey, secretText } from "../../model/secret/secret-refs.ts";
import { objectFact } from "../../observe/facts.ts";
import type { View } from "../../observe/view.ts";
import { missingSecret } from "./missing-secret.ts";

/** The fact is told; this is for the one that was lost on the way. */
const PATIENCE_MS = 15_000;

/**
 * Room that is looked for or made for it would only be kept from others; undefined: the replica has
 * its secrets.
 */
export function secretWait(replica: Replica, view: View, look: Look): Decision | undefined {
  const missing = missingSecret(view.objects, replica);
  if (missing === undefined) return undefined;
  return wait({
    reason: "secret-missing",
    wakes: [objectFact(secretKey(replica.meta.namespace, missing.name))],
    deadlineMs: look.now + PATIENCE_MS,
    because: { summary: `${replica.meta.name} waits for ${secretText(missing)}` },
  });
}
