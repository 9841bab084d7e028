/** What is to be true when an override ends, and whether it is, in the plane's words. */
import { hrefOf } from "../app/route.ts";
import { useFetched } from "../live/use-fetched.ts";
import { StatusWord } from "../parts/status-word.tsx";
import { type OverrideObject, overridePath, postconditionOf } from "./override-object.ts";
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
  const fetched = useFetched<OverrideObject>(overridePath(override.metadata.name));
  useAgain(fetched, turn);
  const { postcondition } = override.spec;
  const found = postconditionOf(fetched.value ?? override);
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
