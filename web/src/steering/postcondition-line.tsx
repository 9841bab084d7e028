/** What is to be true when an override ends, and whether it is, in the plane's words. */
import { hrefOf } from "../app/route.ts";
import type { ObjectList } from "../live/object-message.ts";
import { useFetched } from "../live/use-fetched.ts";
import { StatusWord } from "../parts/status-word.tsx";
import { oneOverridePath, type OverrideObject, postconditionOf } from "./override-object.ts";
import { useAgain } from "./use-overrides.ts";

export interface PostconditionLineProps {
  readonly override: OverrideObject;
  /**
   * A change of the page's streams: the watch of overrides does not tell when replicas begin or
   * cease to serve.
   */
  readonly turn: number;
}

export function PostconditionLine({ override, turn }: PostconditionLineProps) {
  // A list of one: an override that was released a moment ago is an empty list, not an error.
  const fetched = useFetched<ObjectList<OverrideObject>>(oneOverridePath(override.metadata.name));
  useAgain(fetched, turn);
  const { postcondition } = override.spec;
  const found = postconditionOf(fetched.value?.items[0] ?? override);
  if (postcondition === undefined || found === undefined) return null;
  const { tenant, workload } = postcondition;
  return (
    <>
      <StatusWord tone={found.holds ? "good" : "wait"}>
        {found.holds ? "holds" : "is not met yet"}
      </StatusWord>
      : {found.text} <a href={hrefOf("workloads", [tenant, workload])}>Workload →</a>{" "}
      <button
        type="button"
        class="button button-quiet button-small"
        onClick={() => fetched.reload()}
      >
        Refresh
      </button>
    </>
  );
}
