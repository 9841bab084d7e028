/**
 * Every turn as a line of text, in order: the lanes for readers who cannot see them, and the
 * fastest way through for all others. Only the lines in view are in the page.
 */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { IncidentModel } from "./reading/incident-model.ts";
import { counted } from "../parts/counted.ts";
import { exactMomentText, momentText } from "./moment-text.ts";
import { lastAtMost } from "./reading/sorted-search.ts";
import { TurnMark } from "./turn-mark.tsx";
import { TURN_SHAPES } from "./draw/turn-shapes.ts";

/** Two lines of text; incidents.css has the same number. */
const ROW_PX = 44;

/** Beyond both edges, so that a quick scroll does not show bare ground. */
const SPARE_ROWS = 6;

export function TurnList({ model }: { readonly model: IncidentModel }) {
  const box = useRef<HTMLDivElement>(null);
  const scrollTop = useSignal(0);
  const height = useSignal(480);
  const listed = model.listed.value;
  const at = lastAtMost(listed, model.turn.value);
  const isThere = listed[at] === model.turn.value;
  useEffect(() => watchHeight(box.current, (px) => void (height.value = px)), []);
  useSignalEffect(() => {
    bringIntoView(box.current, lastAtMost(model.listed.value, model.turn.value));
  });
  const first = Math.max(0, Math.floor(scrollTop.value / ROW_PX) - SPARE_ROWS);
  const end = Math.min(
    listed.length,
    Math.ceil((scrollTop.value + height.value) / ROW_PX) + SPARE_ROWS,
  );
  return (
    <section class="incident-list" aria-label="Turns">
      <p class="incident-count quiet" aria-live="polite">
        {listed.length === model.index.document.turns.length
          ? counted(listed.length, "turn")
          : `${listed.length} of ${counted(model.index.document.turns.length, "turn")}`}
      </p>
      <div
        ref={box}
        class="incident-rows"
        role="listbox"
        aria-label="Turns in order"
        tabIndex={0}
        {...(isThere ? { "aria-activedescendant": `turn-${model.turn.value}` } : {})}
        onScroll={({ currentTarget }) => void (scrollTop.value = currentTarget.scrollTop)}
        onKeyDown={(event) => pressed(event, model, Math.floor(height.value / ROW_PX))}
      >
        {/* Between a listbox and its options nothing may have a meaning of its own. */}
        <div
          role="presentation"
          class="incident-track"
          style={{ height: `${listed.length * ROW_PX}px` }}
        >
          {Array.from({ length: Math.max(0, end - first) }, (_, row) => (
            <Row
              key={listed[first + row]}
              model={model}
              turn={listed[first + row] ?? 0}
              place={first + row}
              of={listed.length}
            />
          ))}
        </div>
      </div>
      {listed.length === 0 && <p class="incident-none quiet">No turn matches. Remove a filter.</p>}
    </section>
  );
}

interface RowProps {
  readonly model: IncidentModel;
  readonly turn: number;
  readonly place: number;
  readonly of: number;
}

function Row({ model, turn, place, of }: RowProps) {
  const { document } = model.index;
  const { atMs = 0, lane = -1, what = "other", text = "" } = document.turns[turn] ?? {};
  const epochMs = document.source.epochMs ?? undefined;
  return (
    <div
      id={`turn-${turn}`}
      class={`incident-row is-${what}`}
      role="option"
      aria-selected={turn === model.turn.value}
      aria-posinset={place + 1}
      aria-setsize={of}
      style={{ top: `${place * ROW_PX}px` }}
      onClick={() => model.go(turn)}
      onPointerEnter={() => void (model.hovered.value = turn)}
      onPointerLeave={() => void (model.hovered.value = undefined)}
    >
      <TurnMark kind={what} />
      <span class="incident-row-lane">
        {document.lanes[lane]?.name}
        <span class="quiet"> {TURN_SHAPES[what].name}</span>
      </span>
      <time class="quiet" title={exactMomentText(atMs, epochMs)}>
        {momentText(atMs, epochMs)}
      </time>
      <span class="incident-row-text" title={text}>
        {text}
      </span>
    </div>
  );
}

function pressed(event: KeyboardEvent, model: IncidentModel, page: number): void {
  const listed = model.listed.peek();
  const at = lastAtMost(listed, model.turn.peek());
  const places: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: listed.length - 1,
  };
  const wanted = places[event.key];
  if (wanted === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const turn = listed[Math.min(Math.max(0, wanted), listed.length - 1)];
  if (turn !== undefined) model.go(turn);
}

function bringIntoView(box: HTMLDivElement | null, row: number): void {
  if (!box || row < 0) return;
  const top = row * ROW_PX;
  const isFar = Math.abs(top - box.scrollTop) > box.clientHeight * 2;
  if (isFar) box.scrollTop = top - box.clientHeight / 2 + ROW_PX / 2;
  else if (top < box.scrollTop) box.scrollTop = top;
  else if (top + ROW_PX > box.scrollTop + box.clientHeight) {
    box.scrollTop = top + ROW_PX - box.clientHeight;
  }
}

function watchHeight(
  box: HTMLElement | null,
  resized: (px: number) => void,
): (() => void) | undefined {
  if (!box) return undefined;
  const observer = new ResizeObserver(() => resized(box.clientHeight));
  observer.observe(box);
  return () => observer.disconnect();
}
