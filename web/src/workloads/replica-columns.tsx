/** What the table of replicas shows of each. */
import { hrefOf } from "../app/route.ts";
import { hrefWith } from "../app/router.ts";
import { Badge } from "../parts/badge.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { StatusWord } from "../parts/status-word.tsx";
import { stagePlace, toneOf } from "../parts/stage-tone.ts";
import type { Column } from "../parts/virtual-table.tsx";
import type { ReplicaRow, ShownPort } from "./replica-row.ts";

export const REPLICA_COLUMNS: readonly Column<ReplicaRow>[] = [
  {
    id: "name",
    title: "Replica",
    sortBy: ({ metadata }) => metadata.name,
    cell: ({ metadata }) => metadata.name,
  },
  {
    id: "stage",
    title: "Stage",
    width: "12ch",
    sortBy: (row) => stagePlace(row.stage),
    cell: ({ stage }) => <StatusWord>{stage}</StatusWord>,
  },
  {
    id: "since",
    title: "For",
    width: "8ch",
    isWideOnly: true,
    sortBy: ({ sinceMs }) => -sinceMs,
    cell: ({ sinceMs }) => <RelativeTime at={sinceMs} form="age" />,
  },
  {
    id: "node",
    title: "Node",
    width: "20ch",
    sortBy: ({ node }) => node,
    cell: ({ node }) =>
      node === "" ? (
        <span class="quiet">none</span>
      ) : (
        <a class="cell-link" href={hrefOf("fleet", [], { node })}>
          {node}
        </a>
      ),
  },
  {
    id: "address",
    title: "Address",
    width: "17ch",
    isWideOnly: true,
    cell: ({ ports }) => <Addresses ports={ports} />,
  },
  {
    id: "failures",
    title: "Restarts",
    width: "10ch",
    align: "end",
    isWideOnly: true,
    sortBy: ({ failures }) => -failures,
    cell: ({ failures, incarnation }) => (
      <span title={`incarnation ${incarnation}`}>{failures}</span>
    ),
  },
  {
    id: "says",
    title: "Why",
    width: "28%",
    isWideOnly: true,
    cell: ({ stage, says, stopping, isReplaced }) => (
      <span title={says}>
        {stopping !== "" && <Badge tone="busy">stopping: {stopping}</Badge>}{" "}
        {isReplaced && <Badge tone="bad">replaced</Badge>}{" "}
        {toneOf(stage) === "good" && stopping === "" ? "" : says}
      </span>
    ),
  },
  {
    id: "logs",
    title: "Log",
    width: "6ch",
    cell: ({ metadata: { name } }) => (
      <a class="cell-link" href={hrefWith({ logs: name })} aria-label={`Log of ${name}`}>
        Log
      </a>
    ),
  },
];

function Addresses({ ports }: { readonly ports: readonly ShownPort[] }) {
  if (ports.length === 0) return <span class="quiet">none</span>;
  return (
    <span title={ports.map(({ name, text }) => `${name} ${text}`).join("\n")}>
      {ports.map(({ name, text, href }, at) => (
        <span key={name}>
          {at > 0 && ", "}
          {href === undefined ? (
            text
          ) : (
            <a class="cell-link" href={href} target="_blank" rel="noreferrer">
              {text}
            </a>
          )}
        </span>
      ))}
    </span>
  );
}
