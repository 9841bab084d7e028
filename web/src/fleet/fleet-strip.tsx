/** The fleet in a few numbers: nodes by health, replicas, who waits, and the capacity by class. */
import { hrefOf } from "../app/route.ts";
import { hrefWith } from "../app/router.ts";
import { useView } from "../live/use-live.ts";
import { type Tone, TONE_MARKS, toneOf } from "../parts/stage-tone.ts";
import { HEALTHS, RESOURCES } from "./fleet-row.ts";
import { filter, selected } from "./fleet-state.ts";
import type { FleetSummary } from "./fleet-summary.ts";
import { PartsBar } from "./parts-bar.tsx";
import { countText } from "./resource-text.ts";

export function FleetStrip({ summary }: { readonly summary: FleetSummary }) {
  const { healths, cordoned, draining, held, soft, replicas, leaving } = summary;
  const devices = summary.hard.devices[0] ?? 0;
  return (
    <div class="fleet-strip">
      <nav class="fleet-counts" aria-label="Nodes by health">
        {HEALTHS.toReversed().map((health) => (
          <Count key={health} count={healths[health]} word={health} tone={toneOf(health)} />
        ))}
        <Count count={cordoned} word="cordoned" tone="off" />
        <Count count={draining} word="draining" tone="busy" />
        {held > 0 && <Count count={held} word="held" tone="wait" />}
        {soft > 0 && <Count count={soft} word="soft" tone="off" />}
        <span class="fleet-count">
          <strong>{countText(replicas)}</strong> {replicas === 1 ? "replica" : "replicas"}
          {leaving > 0 && <span class="quiet"> ({leaving} stopping)</span>}
        </span>
        {selected.value === "" ? <Waiting /> : <WaitingLink />}
      </nav>
      <div class="fleet-capacity">
        {RESOURCES.filter((name) => name !== "devices" || devices > 0).map((name) => (
          <PartsBar
            key={name}
            resource={name}
            parts={summary.hard[name]}
            outOfReach={summary.outOfReach[name]}
            forecast={summary.forecast[name]}
          />
        ))}
      </div>
    </div>
  );
}

/** Pressed again, all are shown. */
function Count(of: { readonly count: number; readonly word: string; readonly tone: Tone }) {
  const { count, word, tone } = of;
  const isChosen = filter.value === word;
  const isQuiet = count === 0;
  return (
    <a
      class={`fleet-count${isChosen ? " fleet-count-chosen" : ""}${isQuiet ? " quiet" : ""}`}
      href={hrefWith({ filter: isChosen ? undefined : word })}
      aria-current={isChosen}
    >
      <span class={isQuiet ? "" : `tone-${tone}`} aria-hidden="true">
        {TONE_MARKS[tone]}{" "}
      </span>
      <strong>{countText(count)}</strong> {word}
    </a>
  );
}

function WaitingLink() {
  return (
    <a class="fleet-count" href={hrefOf("queue")}>
      Queue →
    </a>
  );
}

/** Beside an open node there is no stream left for it: a page holds two. */
function Waiting() {
  const queue = useView("queue");
  if (!queue.isThere) return <WaitingLink />;
  const [standing, count] = [queue.at("class"), queue.at("count")];
  let waiting = 0;
  for (const row of queue.rows.all.values()) {
    if (row[standing] === "waiting") waiting += Number(row[count] ?? 0);
  }
  return (
    <a class="fleet-count" href={hrefOf("queue")}>
      <span class={waiting === 0 ? "quiet" : "tone-wait"} aria-hidden="true">
        {TONE_MARKS.wait}{" "}
      </span>
      <strong>{countText(waiting)}</strong> {waiting === 1 ? "waits" : "wait"} →
    </a>
  );
}
