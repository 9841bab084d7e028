/** Who moved the pointer of a policy when, from where to where, and why; the latest first. */
import type { ShownMove } from "../../../src/steering/shown-policy.ts";
import { Badge } from "../parts/badge.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { whereText } from "./revision-object.ts";

/** Enough to see what led here; the others are one click away. */
const TOLD = 5;

export function PolicyHistory({ history }: { readonly history: readonly ShownMove[] }) {
  if (history.length === 0) return <p class="quiet">No activations yet.</p>;
  const latest = history.toReversed();
  return (
    <>
      <h3>History</h3>
      <Moves moves={latest.slice(0, TOLD)} label="History" />
      {latest.length > TOLD && (
        <details>
          <summary>{latest.length - TOLD} earlier activations</summary>
          <Moves moves={latest.slice(TOLD)} label="Earlier history" />
        </details>
      )}
    </>
  );
}

function Moves({ moves, label }: { readonly moves: readonly ShownMove[]; readonly label: string }) {
  return (
    <ol class="moves" aria-label={label}>
      {moves.map((move) => (
        <li key={`${move.time} ${move.region} ${move.to}`}>
          <span class="quiet">
            <RelativeTime at={move.time} />
          </span>
          <span>
            <strong>{move.by}</strong> {move.from || "(none)"} → <strong>{move.to}</strong>{" "}
            {whereText(move.region)}
            {move.reason !== "" && `: ${move.reason}`} <RollbackBadge move={move} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function RollbackBadge({ move: { rollback } }: { readonly move: ShownMove }) {
  if (rollback === undefined) return null;
  const plan = Object.entries(rollback).map(([effect, way]) => `${effect}: ${way}`);
  return <Badge tone="wait">rollback; {plan.join(", ")}</Badge>;
}
