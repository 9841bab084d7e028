/** Goes through the turns: step, play, slide, jump between marks, zoom. */
import { type Signal, useSignal } from "@preact/signals";
import type { IncidentModel } from "./reading/incident-model.ts";
import { momentText } from "./moment-text.ts";
import { SPEEDS } from "./play-turns.ts";
import { lastAtMost } from "./reading/sorted-search.ts";

export function ScrubBar({ model }: { readonly model: IncidentModel }) {
  return (
    <div class="incident-scrub">
      <Steps model={model} />
      <Slider model={model} />
      <Zoom model={model} />
    </div>
  );
}

function Steps({ model }: { readonly model: IncidentModel }) {
  const isPlaying = model.speed.value > 0;
  const chosen = useSignal(SPEEDS[1] ?? 1);
  return (
    <div class="incident-buttons" role="group" aria-label="Step through the turns">
      <Press label="Previous mark (p)" run={() => model.stepMark(-1)}>
        «
      </Press>
      <Press label="Previous turn ([)" run={() => model.step(-1)}>
        ‹
      </Press>
      <Press
        label={isPlaying ? "Pause" : "Play"}
        run={() => void (model.speed.value = isPlaying ? 0 : chosen.value)}
      >
        {isPlaying ? "❚❚" : "▶"}
      </Press>
      <Press label="Next turn (])" run={() => model.step(1)}>
        ›
      </Press>
      <Press label="Next mark (n)" run={() => model.stepMark(1)}>
        »
      </Press>
      <SpeedChoice model={model} chosen={chosen} />
    </div>
  );
}

interface SpeedProps {
  readonly model: IncidentModel;
  readonly chosen: Signal<number>;
}

function SpeedChoice({ model, chosen }: SpeedProps) {
  return (
    <label>
      <span class="unseen">Speed</span>
      <select
        class="incident-speed"
        value={chosen.value}
        onChange={({ currentTarget }) => {
          chosen.value = Number(currentTarget.value);
          if (model.speed.peek() > 0) model.speed.value = chosen.value;
        }}
      >
        {SPEEDS.map((speed) => (
          <option key={speed} value={speed}>
            {speed} turns/s
          </option>
        ))}
      </select>
    </label>
  );
}

function Slider({ model }: { readonly model: IncidentModel }) {
  const { document } = model.index;
  const listed = model.listed.value;
  const at = Math.max(0, lastAtMost(listed, model.turn.value));
  const turn = document.turns[model.turn.value];
  const said = turn
    ? `${momentText(turn.atMs, document.source.epochMs ?? undefined)}, ${document.lanes[turn.lane]?.name}: ${turn.text}`
    : "no turn";
  return (
    <label class="incident-slider">
      <span class="unseen">Turn</span>
      <input
        type="range"
        min={0}
        max={Math.max(0, listed.length - 1)}
        value={at}
        aria-valuetext={`${at + 1} of ${listed.length}, ${said}`}
        onInput={({ currentTarget }) => {
          const to = listed[Number(currentTarget.value)];
          if (to !== undefined) model.go(to);
        }}
      />
      <span class="quiet incident-at" aria-hidden="true">
        {listed.length === 0 ? 0 : at + 1} / {listed.length}
      </span>
    </label>
  );
}

function Zoom({ model }: { readonly model: IncidentModel }) {
  const axis = model.axis.value.kind;
  return (
    <div class="incident-buttons" role="group" aria-label="Lane range">
      <Press label="Zoom out (-)" run={() => model.zoom(1.6)}>
        −
      </Press>
      <Press label="Zoom in (+)" run={() => model.zoom(0.625)}>
        +
      </Press>
      <Press label="Show the full range (0)" run={() => model.fit()}>
        ⤢
      </Press>
      <button
        type="button"
        class="button"
        aria-pressed={axis === "turns"}
        title="Space turns evenly, regardless of time"
        onClick={() => model.setAxis(axis === "turns" ? "time" : "turns")}
      >
        even steps
      </button>
    </div>
  );
}

function Press(of: {
  readonly label: string;
  readonly run: () => void;
  readonly children: string;
}) {
  return (
    <button type="button" class="button" aria-label={of.label} title={of.label} onClick={of.run}>
      {of.children}
    </button>
  );
}
