/**
 * Every override that holds, the one that ends next first, with what it holds back at this moment.
 */
import { useMemo } from "preact/hooks";
import { useKeys } from "../app/keys.ts";
import { queryState } from "../app/query-state.ts";
import type { ObjectWatch } from "../live/object-watch.ts";
import { useObjects, useView } from "../live/use-live.ts";
import { usePaced } from "../live/use-paced.ts";
import type { ViewStream } from "../live/view-stream.ts";
import { CommandLine } from "../parts/command-line.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { FilterBox } from "../parts/filter-box.tsx";
import { LiveGate } from "../parts/live-gate.tsx";
import { textFilter } from "../parts/text-filter.ts";
import { readWait } from "../queue/wait-row.ts";
import { askCreate } from "./ask-override.tsx";
import { OverrideCard } from "./override-card.tsx";
import { type OverrideObject, OVERRIDES } from "./override-object.ts";
import { standingWords } from "./override-words.ts";

const filter = queryState("filter");
const selected = queryState("override");

/**
 * What waits is asked for anew when the queue changes, and no more often than somebody can read.
 */
const ASK_MS = 500;

export function OverrideList() {
  const overrides = useObjects<OverrideObject>({ path: OVERRIDES });
  const queue = useView("queue");
  return (
    <LiveGate stream={overrides} what="the overrides">
      {() => <Held overrides={overrides} queue={queue} />}
    </LiveGate>
  );
}

interface HeldProps {
  readonly overrides: ObjectWatch<OverrideObject>;
  readonly queue: ViewStream;
}

function Held({ overrides, queue }: HeldProps) {
  const version = overrides.rows.version.value;
  const all = useMemo(() => inOrder(overrides.rows.peek().values()), [overrides, version]);
  const turn = usePaced(queue.rows, ASK_MS);
  const waits = useMemo(() => waitsOf(queue), [queue, turn]);
  useKeys("Overrides", [{ keys: "n", text: "New override", run: () => void askCreate() }]);
  if (all.length === 0) return <NoOverride />;
  const fits = textFilter(filter.value);
  const shown = all.filter((each) => fits(subjectOf(each)));
  return (
    <>
      <div class="steering-bar">
        <FilterBox state={filter} label="Filter overrides" shown={shown.length} all={all.length} />
        <NewButton />
      </div>
      {shown.length === 0 && (
        <EmptyState title="No override matches.">Clear the filter to see all.</EmptyState>
      )}
      <ul class="overrides" aria-label="Overrides">
        {shown.map((override) => (
          <OverrideCard
            key={override.metadata.name}
            override={override}
            isSelected={override.metadata.name === selected.value}
            waits={waits}
            turn={turn}
          />
        ))}
      </ul>
    </>
  );
}

const NewButton = () => (
  <button type="button" class="button button-main" onClick={() => void askCreate()}>
    New override…
  </button>
);

const inOrder = (overrides: Iterable<OverrideObject>): readonly OverrideObject[] =>
  [...overrides].toSorted(
    (a, b) =>
      Date.parse(a.status.until) - Date.parse(b.status.until) ||
      (a.metadata.name < b.metadata.name ? -1 : 1),
  );

const subjectOf = ({ metadata, spec, status }: OverrideObject): string =>
  `${metadata.name} ${spec.action} ${standingWords(spec)} ${status.owner} ${spec.reason}`;

/** Those who wait for any override; a wait for its end alone is not blocked. */
const waitsOf = ({ rows }: ViewStream): string =>
  [...rows.peek().values()]
    .map(readWait)
    .filter(
      ({ reason, owner }) =>
        (reason === "override" && owner !== "expire-override") || reason === "region-partitioned",
    )
    .map(({ wait, text }) => `${wait} ${text}`)
    .toSorted()
    .join();

function NoOverride() {
  return (
    <EmptyState title="No override is in force.">
      <p>
        Use an override in an incident, when you know something that the controllers do not:
        unstable power in a zone, an audit, a repair that would make it worse. It has a reason and
        expires on its own; there is nothing to undo.
      </p>
      <CommandLine text="berth override create avoid-zone --zone eu-west-c --reason 'shaky power' --ttl 30m" />
      <NewButton />
    </EmptyState>
  );
}
