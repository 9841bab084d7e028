/** Whether a custom invariant still holds where replicas would be after each failure. */
import type { CapacityArguer } from "../capacity/argue-capacity.ts";
import type { StatedPromise } from "../promise.ts";
import type { Failure } from "./failures.ts";
import type { Claim } from "./static-claims.ts";
import { countsByPlace } from "./static-claims.ts";

export function invariantAfter(
  { planner }: CapacityArguer,
  promise: StatedPromise,
  failures: readonly Failure[],
): Claim | undefined {
  const { atLeast = 0, atMost = Infinity, per = "node" } = promise.spec.invariant ?? {};
  for (const { text, nodes } of failures) {
    const broken = planner.after(nodes, { counted: promise.spec.capacity ?? "hard" }, ({ world }) =>
      [...countsByPlace(world.objects, promise)].find(
        ([, count]) => count > atMost || count < atLeast,
      ),
    );
    if (broken === undefined) continue;
    const [place, count] = broken;
    return { verdict: "breached", reason: `${per} ${place} has ${count} of them after ${text}` };
  }
  return undefined;
}
