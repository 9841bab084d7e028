/**
 * One node in full: how it is and why, what is held of it, who keeps work away, what runs there,
 * and what can be done.
 */
import { hrefOf } from "../app/route.ts";
import { hrefWith } from "../app/router.ts";
import type { RowStore } from "../live/row-store.ts";
import type { ViewRow } from "../live/view-message.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { KeyValues } from "../parts/key-values.tsx";
import { Panel } from "../parts/panel.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import type { OverrideObject } from "../steering/override-object.ts";
import { type FleetRow, isSoft, partsOf, readFleetRow, RESOURCES } from "./fleet-row.ts";
import { useHeartbeats } from "./heartbeats.ts";
import { HealthWords } from "./health-words.tsx";
import { NodeActions } from "./node-actions.tsx";
import { NodeHolds } from "./node-holds.tsx";
import { NodeReplicas } from "./node-replicas.tsx";
import { NodeSteered } from "./node-steered.tsx";
import { PartsBar } from "./parts-bar.tsx";
import { amountText, RESOURCE_LABELS } from "./resource-text.ts";

export interface NodePanelProps {
  readonly name: string;
  readonly rows: RowStore<ViewRow>;
  readonly overrides: readonly OverrideObject[];
}

export function NodePanel({ name, rows, overrides }: NodePanelProps) {
  const row = rows.get(name);
  return (
    <Panel title={name} closeHref={hrefWith({ node: undefined })}>
      {row === undefined ? (
        <EmptyState title={`Node ${name} not found.`}>
          It may have been deleted. <a href={hrefOf("timeline", ["node", name])}>Timeline</a>
        </EmptyState>
      ) : (
        <div class="node-panel" key={name}>
          <Standing row={readFleetRow(row)} />
          <NodeActions row={readFleetRow(row)} />
          <NodeHolds row={readFleetRow(row)} />
          <NodeSteered row={readFleetRow(row)} overrides={overrides} />
          <Capacity row={readFleetRow(row)} />
          <NodeReplicas node={name} />
        </div>
      )}
    </Panel>
  );
}

function Standing({ row }: { readonly row: FleetRow }) {
  const [node, region, zone, , since, why] = row;
  const heartbeat = useHeartbeats(node).get(node);
  return (
    <>
      <p class="node-standing">
        <HealthWords row={row} />
        {!isSoft(row) && (
          <span class="quiet">
            for <RelativeTime at={since} form="age" />
          </span>
        )}
      </p>
      {why !== "" && <p class="message">{why}</p>}
      <KeyValues
        items={[
          ["Region", region],
          ["Zone", zone],
          ["Last heartbeat", heartbeat === undefined ? "none" : <RelativeTime at={heartbeat} />],
        ]}
      />
    </>
  );
}

function Capacity({ row }: { readonly row: FleetRow }) {
  const had = RESOURCES.filter((resource) => partsOf(row, resource)[0] > 0);
  return (
    <section class="node-capacity">
      <h3>{isSoft(row) ? "Expected capacity" : "Capacity"}</h3>
      {isSoft(row) ? (
        <KeyValues
          items={had.map((resource) => [
            RESOURCE_LABELS[resource],
            amountText(partsOf(row, resource)[0], resource),
          ])}
        />
      ) : (
        had.map((resource) => (
          <PartsBar key={resource} resource={resource} parts={partsOf(row, resource)} />
        ))
      )}
    </section>
  );
}
