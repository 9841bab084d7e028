/**
 * Whether a replica may be freed because its agent does not know of it: asked of the agent's own
 * view, and of processes.
 */
import type { Replica } from "../../../core/model/objects.ts";
import type { Truth } from "../checker.ts";

/** Why the release is not borne out, or undefined when it is. */
export function whyKnown({ key, meta, status }: Replica, truth: Truth): string | undefined {
  // Who says of its own node that it has forgotten something is believed, and harms itself.
  if (status.node !== undefined && truth.isLying?.(status.node) === true) return undefined;
  for (const process of truth.processes()) {
    if (process.replica === key) return `a process of it runs on ${process.node}`;
  }
  for (const { name, view } of truth.clients()) {
    if (name !== `agent:${status.node}`) continue;
    // One that has been shown it a moment ago was not when it made its lists.
    const held = view.objects.replica(key);
    if (held?.meta.revision === meta.revision && held.status.stage !== "bound") {
      return `${name} knows of it`;
    }
  }
  return undefined;
}
