/** What the table of workloads shows of each. */
import { RelativeTime } from "../parts/relative-time.tsx";
import { SegmentBar } from "../parts/segment-bar.tsx";
import { stagePlace, toneOf } from "../parts/stage-tone.ts";
import type { Column } from "../parts/virtual-table.tsx";
import { StatusLine } from "./status-line.tsx";
import { stagesText, statusOf, statusRank } from "./status-of.ts";
import type { Workload } from "./workload-row.ts";
import { readyText } from "./workload-sentence.ts";

export const WORKLOAD_COLUMNS: readonly Column<Workload>[] = [
  {
    id: "name",
    title: "Workload",
    sortBy: ({ key }) => key,
    cell: (workload) => <Name workload={workload} />,
  },
  {
    id: "status",
    title: "Status",
    width: "46%",
    isWideOnly: true,
    sortBy: statusRank,
    cell: (workload) => <StatusCell workload={workload} />,
  },
  {
    id: "ready",
    title: "Ready",
    width: "12ch",
    sortBy: ({ ready, wanted }) => (wanted === 0 ? 1 : ready / wanted),
    cell: (workload) => <Ready workload={workload} />,
  },
  {
    id: "priority",
    title: "Priority",
    width: "12ch",
    isWideOnly: true,
    sortBy: ({ priority }) => priority,
    cell: ({ priority }) => (priority === "" ? <span class="quiet">none</span> : priority),
  },
  {
    id: "age",
    title: "Age",
    width: "8ch",
    isWideOnly: true,
    sortBy: ({ created }) => -created,
    cell: ({ created }) => <RelativeTime at={created} form="age" />,
  },
];

function Name({ workload }: { readonly workload: Workload }) {
  const { tenant, name, type } = workload;
  return (
    <span class="cell-lines">
      <span>
        <span class="quiet">{tenant}/</span>
        {name}
      </span>
      <span class="quiet cell-small wide-only">{type}</span>
      <span class="cell-small narrow-only">
        <StatusLine status={statusOf(workload)} />
      </span>
    </span>
  );
}

function StatusCell({ workload }: { readonly workload: Workload }) {
  const status = statusOf(workload);
  return (
    <span class={status.more === "" ? "cell-lines status-alone" : "cell-lines"}>
      <StatusLine status={status} />
      {status.more !== "" && <span class="quiet cell-small status-more">{status.more}</span>}
    </span>
  );
}

function Ready({ workload }: { readonly workload: Workload }) {
  const { stages, wanted } = workload;
  return (
    <span class="cell-lines" title={stagesText(stages)}>
      <span>{readyText(workload)}</span>
      <SegmentBar
        whole={wanted}
        segments={Object.entries(stages)
          .toSorted(([a], [b]) => stagePlace(a) - stagePlace(b))
          .map(([stage, amount]) => ({ label: stage, amount, tone: toneOf(stage) }))}
      />
    </span>
  );
}
