/**
 * The overrides that act on a workload: it is pinned, paused or frozen, by whom, why and until
 * when.
 */
import { OverrideLine, stillHolding } from "../steering/override-line.tsx";
import type { OverrideObject } from "../steering/override-object.ts";
import { concernsWorkload } from "../steering/override-words.ts";
import type { Workload } from "./workload-row.ts";

export interface WorkloadSteeredProps {
  readonly workload: Workload;
  readonly overrides: readonly OverrideObject[];
}

export function WorkloadSteered({ workload, overrides }: WorkloadSteeredProps) {
  const { tenant, name } = workload;
  const own = overrides.filter(({ spec }) => concernsWorkload(spec, tenant, name));
  const holding = own.length === 0 ? [] : stillHolding(own);
  return (
    <>
      {holding.map((override) => (
        <p key={override.metadata.name} class="workload-steered">
          <OverrideLine override={override} />
        </p>
      ))}
    </>
  );
}
