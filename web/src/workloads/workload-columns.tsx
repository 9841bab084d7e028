/** What the table of workloads shows of each. */
import { Badge } from "../parts/badge.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { SegmentBar } from "../parts/segment-bar.tsx";
import { StatusWord } from "../parts/status-word.tsx";
import { stagePlace, TONE_MARKS, toneOf } from "../parts/stage-tone.ts";
import type { Column } from "../parts/virtual-table.tsx";
import { STANDING_WORDS, standingOf } from "./standing-of.ts";
import { underWay } from "./under-way.ts";
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
    id: "ready",
    title: "Ready",
    width: "12ch",
    sortBy: ({ ready, wanted }) => (wanted === 0 ? 1 : ready / wanted),
    cell: (workload) => <Ready workload={workload} />,
  },
  {
    id: "stages",
    title: "Stages",
    width: "13%",
    isWideOnly: true,
    cell: ({ stages }) => <Stages stages={stages} />,
  },
  {
    id: "way",
    title: "Progress",
    width: "21%",
    isWideOnly: true,
    sortBy: (workload) => underWay(workload)[0]?.text ?? "~",
    cell: (workload) => <Ways workload={workload} />,
  },
  {
    id: "pending",
    title: "Pending",
    width: "25%",
    isWideOnly: true,
    sortBy: ({ pending }) => -(pending[0]?.count ?? 0),
    cell: ({ pending }) => <Pending pending={pending} />,
  },
  {
    id: "priority",
    title: "Priority",
    width: "9ch",
    isWideOnly: true,
    sortBy: ({ priority }) => priority,
    cell: ({ priority }) => (priority === "" ? <span class="quiet">none</span> : priority),
  },
  {
    id: "age",
    title: "Age",
    width: "7ch",
    isWideOnly: true,
    sortBy: ({ created }) => -created,
    cell: ({ created }) => <RelativeTime at={created} form="age" />,
  },
];

function Name({ workload }: { readonly workload: Workload }) {
  const { tenant, name, type } = workload;
  const standing = standingOf(workload);
  const word = STANDING_WORDS[standing];
  return (
    <span class="workload-name">
      <span class={`tone-${standing}`} title={word}>
        <span aria-hidden="true">{TONE_MARKS[standing]}</span>
        <span class="unseen">{word}: </span>
      </span>
      <span class="cell-lines">
        <span>
          <span class="quiet">{tenant}/</span>
          {name}
        </span>
        <span class="quiet cell-small wide-only">{type}</span>
        <span class="cell-small narrow-only">
          <Most workload={workload} />
        </span>
      </span>
    </span>
  );
}

/** On a phone, what there is most to say of it: why it stands still, or what is under way. */
function Most({ workload }: { readonly workload: Workload }) {
  const [first] = workload.pending;
  if (first !== undefined) {
    return <StatusWord tone="wait">{`${first.count} ${first.reason}`}</StatusWord>;
  }
  const [way] = underWay(workload);
  if (way !== undefined) return <StatusWord tone={way.tone}>{way.text}</StatusWord>;
  return <span class="quiet">{workload.type}</span>;
}

function Ready({ workload }: { readonly workload: Workload }) {
  const { stages, wanted } = workload;
  return (
    <span class="cell-lines">
      <span>{readyText(workload)}</span>
      <SegmentBar
        whole={wanted}
        segments={inOrder(stages).map(([stage, amount]) => ({
          label: stage,
          amount,
          tone: toneOf(stage),
        }))}
      />
    </span>
  );
}

function Stages({ stages }: Pick<Workload, "stages">) {
  const all = inOrder(stages);
  if (all.length === 0) return <span class="quiet">no replicas</span>;
  return (
    <span class="stage-words" title={all.map(([stage, count]) => `${count} ${stage}`).join(", ")}>
      {all.map(([stage, count]) => (
        <span key={stage} class={`tone-${toneOf(stage)}`}>
          <span aria-hidden="true">{TONE_MARKS[toneOf(stage)]}</span> {count} {stage}
        </span>
      ))}
    </span>
  );
}

function Ways({ workload }: { readonly workload: Workload }) {
  return (
    <span class="cell-ways">
      {underWay(workload).map(({ tone, text, why }) => (
        <StatusWord key={text} tone={tone} title={why === undefined ? text : `${text}: ${why}`}>
          {text}
        </StatusWord>
      ))}
    </span>
  );
}

function Pending({ pending }: Pick<Workload, "pending">) {
  const [first, ...others] = pending;
  if (first === undefined) return null;
  const rest = others.reduce((sum, { count }) => sum + count, 0);
  return (
    <span class="cell-lines">
      <span title={pending.map(({ text }) => text).join("\n")}>
        <Badge tone="wait">
          {first.count} {first.reason}
        </Badge>
        {rest > 0 && <span class="quiet"> and {rest} more</span>}
      </span>
      <span class="quiet cell-small" title={first.text}>
        {first.text}
      </span>
    </span>
  );
}

const inOrder = (stages: Workload["stages"]): readonly (readonly [string, number])[] =>
  Object.entries(stages).toSorted(([a], [b]) => stagePlace(a) - stagePlace(b));
