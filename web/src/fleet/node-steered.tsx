/** The overrides that act on a node: it is avoided, or not repaired, by whom and until when. */
import { OverrideLine, stillHolding } from "../steering/override-line.tsx";
import type { OverrideObject } from "../steering/override-object.ts";
import { concernsPlace } from "../steering/override-words.ts";
import type { FleetRow } from "./fleet-row.ts";

export interface NodeSteeredProps {
  readonly row: FleetRow;
  readonly overrides: readonly OverrideObject[];
}

export function NodeSteered({ row, overrides }: NodeSteeredProps) {
  const [name, region, zone] = row;
  const own = overrides.filter(({ spec }) => concernsPlace(spec, { name, region, zone }));
  const holding = own.length === 0 ? [] : stillHolding(own);
  if (holding.length === 0) return null;
  return (
    <section>
      <h3>Overrides</h3>
      <ul class="holds">
        {holding.map((override) => (
          <li key={override.metadata.name}>
            <span>
              <OverrideLine override={override} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
