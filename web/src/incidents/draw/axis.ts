/**
 * Where turns stand from left to right. By time, with the turns of one millisecond spread over it,
 * so that zooming in takes apart what happened "at once"; or one step a turn, which is how a run
 * without a clock reads best.
 */
import type { Turn } from "../../../../src/incident/incident-document.ts";

export type AxisKind = "time" | "turns";

export interface Axis {
  readonly kind: AxisKind;
  /** By turn; never falls. */
  readonly positions: Float64Array;
  readonly start: number;
  readonly end: number;
}

/** What is seen of an axis. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Two milliseconds, or six turns: nearer there is nothing more to see. */
const CLOSEST = { time: 2, turns: 6 };

/** A little room at both ends, so that the first and the last turn can be hit. */
const MARGIN = 0.02;

export function makeAxis(kind: AxisKind, turns: readonly Turn[]): Axis {
  const positions =
    kind === "turns" ? Float64Array.from(turns, (_, at) => at) : positionsByTime(turns);
  const first = positions[0] ?? 0;
  const last = positions.at(-1) ?? 0;
  const margin = Math.max((last - first) * MARGIN, CLOSEST[kind] / 2);
  return { kind, positions, start: first - margin, end: last + margin };
}

function positionsByTime(turns: readonly Turn[]): Float64Array {
  const positions = new Float64Array(turns.length);
  let begin = 0;
  while (begin < turns.length) {
    const atMs = turns[begin]?.atMs ?? 0;
    let end = begin + 1;
    while (end < turns.length && turns[end]?.atMs === atMs) end++;
    for (let at = begin; at < end; at++) positions[at] = atMs + (at - begin) / (end - begin);
    begin = end;
  }
  return positions;
}

export const wholeOf = ({ start, end }: Axis): Window => ({ from: start, to: end });

/** Inside the axis and not nearer than there is anything to see. */
export function clampWindow(axis: Axis, { from, to }: Window): Window {
  const whole = axis.end - axis.start;
  if (to - from >= whole) return wholeOf(axis);
  const span = Math.min(whole, Math.max(Math.min(CLOSEST[axis.kind], whole), to - from));
  const middle = (from + to) / 2;
  const begin = Math.min(Math.max(axis.start, middle - span / 2), axis.end - span);
  return { from: begin, to: begin + span };
}

/** A factor below 1 goes nearer; what is at `around` stays where it is. */
export function zoomWindow(axis: Axis, window: Window, zoom: Zoom): Window {
  const { factor, around } = zoom;
  return clampWindow(axis, {
    from: around - (around - window.from) * factor,
    to: around + (window.to - around) * factor,
  });
}

export interface Zoom {
  readonly factor: number;
  readonly around: number;
}

/** `share` of what is seen; negative is to the left. */
export function panWindow(axis: Axis, { from, to }: Window, share: number): Window {
  const by = (to - from) * share;
  return clampWindow(axis, { from: from + by, to: to + by });
}

/** Moves as little as shows the position with some of what is around it. */
export function revealIn(axis: Axis, window: Window, position: number): Window {
  const room = (window.to - window.from) / 8;
  if (position >= window.from + room && position <= window.to - room) return window;
  const isNear = position >= window.from - room * 4 && position <= window.to + room * 4;
  if (!isNear) {
    const half = (window.to - window.from) / 2;
    return clampWindow(axis, { from: position - half, to: position + half });
  }
  const by =
    position < window.from + room ? position - window.from - room : position - window.to + room;
  return clampWindow(axis, { from: window.from + by, to: window.to + by });
}

/** Round steps of 1, 2 and 5, at most `count` of them. */
export function ticksIn({ from, to }: Window, count: number): readonly number[] {
  const raw = (to - from) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(Math.max(raw, 1)));
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => each >= raw) ?? power;
  const ticks: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) ticks.push(at);
  return ticks;
}
