/** What can be done with a node, and where its story is. */
import { useKeys } from "../app/keys.ts";
import { hrefOf } from "../app/route.ts";
import { askCordon, askDrain } from "./ask-change.tsx";
import { type FleetRow, isSoft } from "./fleet-row.ts";

export function NodeActions({ row }: { readonly row: FleetRow }) {
  const [node, , , , , , , drain] = row;
  const isReal = !isSoft(row);
  useKeys("Node", [
    { keys: "c", text: "Cordon the node", run: () => void (isReal && askCordon(node)) },
    {
      keys: "d",
      text: "Drain the node",
      run: () => void (isReal && drain === null && askDrain(node)),
    },
  ]);
  return (
    <p class="ways">
      <a class="button" href={hrefOf("timeline", ["node", node])}>
        Timeline
      </a>
      {isReal && (
        <button type="button" class="button" onClick={() => void askCordon(node)}>
          Cordon…
        </button>
      )}
      {isReal && drain === null && (
        <button type="button" class="button" onClick={() => void askDrain(node)}>
          Drain…
        </button>
      )}
    </p>
  );
}
