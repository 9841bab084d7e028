/**
 * Who keeps work away from a node and why: every cordon with the way to lift it, and the drain with
 * its deadline.
 */
import { RelativeTime } from "../parts/relative-time.tsx";
import type { FleetRow } from "./fleet-row.ts";
import { askLift, askUndrain } from "./ask-change.tsx";

export function NodeHolds({ row }: { readonly row: FleetRow }) {
  const [node, , , , , , cordons, drain] = row;
  if (cordons.length === 0 && drain === null) return null;
  return (
    <section>
      <h3>Unschedulable</h3>
      <ul class="holds">
        {cordons.map(({ by, why }) => (
          <li key={by}>
            <span>
              Cordoned by <strong>{by}</strong>
              {why === "" ? "." : `: ${why}`}
            </span>
            <button
              type="button"
              class="button"
              aria-label={`Lift the cordon of ${by}`}
              onClick={() => void askLift(node, by)}
            >
              Lift
            </button>
          </li>
        ))}
        {drain !== null && (
          <li>
            <DrainText drain={drain} />
            <button type="button" class="button" onClick={() => void askUndrain(node)}>
              End the drain
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}

function DrainText({ drain }: { readonly drain: NonNullable<FleetRow[7]> }) {
  const { by, why, since, deadline, over } = drain;
  return (
    <span>
      Draining{by !== "" && " by "}
      <strong>{by}</strong>
      {why === "" ? "" : `: ${why}`}
      {since !== null && (
        <>
          , for <RelativeTime at={since} form="age" />
        </>
      )}
      {over !== null ? (
        <>
          . Its deadline passed <RelativeTime at={over} />.
        </>
      ) : deadline !== null ? (
        <>
          . Its deadline is <RelativeTime at={deadline} />.
        </>
      ) : (
        ". It has no deadline and waits for disruption budgets."
      )}
    </span>
  );
}
