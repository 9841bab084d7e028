/** How a node is: its health, and what else keeps work away, each with its shape. */
import { Badge } from "../parts/badge.tsx";
import { StatusWord } from "../parts/status-word.tsx";
import { toneOf } from "../parts/stage-tone.ts";
import { type FleetRow, healthOf, heldBackBy, isSoft } from "./fleet-row.ts";

export function HealthWords({ row }: { readonly row: FleetRow }) {
  return (
    <span class="health-words">
      {isSoft(row) ? (
        <Badge title="A forecast: the plane binds no replica to it.">forecast</Badge>
      ) : (
        <StatusWord>{healthOf(row)}</StatusWord>
      )}
      {heldBackBy(row).map((word) => (
        <Badge key={word} tone={toneOf(word)}>
          {word}
        </Badge>
      ))}
    </span>
  );
}
