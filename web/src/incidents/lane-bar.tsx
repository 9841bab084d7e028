/** Chooses what is shown: words to find, one object, kinds of lanes. It is also the legend. */
import type { LaneKind } from "../../../src/incident/incident-document.ts";
import type { IncidentModel } from "./reading/incident-model.ts";
import { KIND_NAMES, LANE_KINDS } from "./draw/lane-rows.ts";
import { TurnMark } from "./turn-mark.tsx";
import { TURN_KINDS, TURN_SHAPES } from "./draw/turn-shapes.ts";

export function LaneBar({ model }: { readonly model: IncidentModel }) {
  const { about, search, hidesIdle } = model.place.value;
  return (
    <div class="incident-bar">
      <label class="filter-box">
        <span class="unseen">Find in turns</span>
        <input
          type="search"
          data-filter
          placeholder="Find in turns"
          autocomplete="off"
          spellcheck={false}
          value={search}
          onInput={({ currentTarget }) => model.change({ search: currentTarget.value })}
          onKeyDown={(event) => sought(event, model)}
        />
      </label>
      {about !== undefined && (
        <button
          type="button"
          class="button incident-about"
          onClick={() => model.filterTo(undefined)}
        >
          Only {about} <span aria-hidden="true">✕</span>
          <span class="unseen">Show all objects again</span>
        </button>
      )}
      <Kinds model={model} />
      <button
        type="button"
        class="button"
        aria-pressed={hidesIdle}
        onClick={() => model.change({ hidesIdle: !hidesIdle })}
      >
        hide idle lanes
      </button>
      <Legend />
    </div>
  );
}

/**
 * Enter goes to the next one that was found, with shift to the one before; after the last comes the
 * first.
 */
function sought(event: KeyboardEvent, model: IncidentModel): void {
  if (event.key === "Enter" && !model.step(event.shiftKey ? -1 : 1)) {
    const round = model.listed.peek().at(event.shiftKey ? -1 : 0);
    if (round !== undefined) model.go(round);
  }
  if (event.key === "Escape") model.change({ search: "" });
}

function Kinds({ model }: { readonly model: IncidentModel }) {
  const { lanes } = model.index.document;
  const there = LANE_KINDS.filter((kind) => lanes.some((lane) => lane.kind === kind));
  return (
    <div class="incident-kinds" role="group" aria-label="Lanes">
      {there.map((kind) => (
        <Kind
          key={kind}
          model={model}
          kind={kind}
          count={lanes.filter((lane) => lane.kind === kind).length}
        />
      ))}
    </div>
  );
}

interface KindProps {
  readonly model: IncidentModel;
  readonly kind: LaneKind;
  readonly count: number;
}

function Kind({ model, kind, count }: KindProps) {
  const { hidden, folded } = model.place.value;
  const isShown = !hidden.has(kind);
  const isFolded = folded.has(kind);
  return (
    <span class="incident-kind">
      <button
        type="button"
        class="button"
        aria-pressed={isShown}
        onClick={() => model.toggle("hidden", kind)}
      >
        {isShown ? "☑" : "☐"} {count} {count === 1 ? kind : KIND_NAMES[kind]}
      </button>
      {count > 1 && (
        <button
          type="button"
          class="button"
          aria-pressed={isFolded}
          aria-label={`Fold ${KIND_NAMES[kind]} into one lane`}
          title={`Fold ${KIND_NAMES[kind]} into one lane`}
          onClick={() => model.toggle("folded", kind)}
        >
          {isFolded ? "▸" : "▾"}
        </button>
      )}
    </span>
  );
}

function Legend() {
  return (
    <details class="incident-legend">
      <summary>Legend</summary>
      <ul>
        {TURN_KINDS.map((kind) => (
          <li key={kind}>
            <TurnMark kind={kind} /> {TURN_SHAPES[kind].name}
          </li>
        ))}
        <li>
          <span class="incident-hatch" aria-hidden="true" /> its view of the selected object differs
          from committed state
        </li>
        <li>
          <span class="incident-lost" aria-hidden="true">
            ┄✕
          </span>{" "}
          message that never arrived
        </li>
      </ul>
    </details>
  );
}
