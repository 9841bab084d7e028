/**
 * What a person sees of an incident and what they can do about it, without a browser: the place is
 * one signal, and all that is drawn or listed follows from it. Canvas, list, panels and link stay
 * in step because none of them keeps a copy.
 */
import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { IncidentDocument, LaneKind } from "../../../../src/incident/incident-document.ts";
import {
  type Axis,
  type AxisKind,
  clampWindow,
  makeAxis,
  panWindow,
  revealIn,
  type Window,
  wholeOf,
  zoomWindow,
} from "../draw/axis.ts";
import { type Beliefs, beliefsAt } from "./beliefs-at.ts";
import { chooseTurns, findTurns } from "./choose-turns.ts";
import { type IncidentIndex, indexIncident } from "./incident-index.ts";
import { type LaneRow, laneRows } from "../draw/lane-rows.ts";
import type { Place } from "../place-in-url.ts";
import { firstAtLeast, lastAtMost } from "./sorted-search.ts";

/**
 * As many turns as can be told apart on a screen; a longer run opens around the turn that matters.
 */
const TURNS_AT_FIRST = 240;

/** What is on the edge cannot be read. */
const MARGIN_SHARE = 12;

export class IncidentModel {
  readonly index: IncidentIndex;
  readonly place: Signal<Place>;
  readonly axis: ReadonlySignal<Axis>;
  readonly window: ReadonlySignal<Window>;
  /** The selected turn. */
  readonly turn: ReadonlySignal<number>;
  /** Turns that the filters let through. */
  readonly chosen: ReadonlySignal<Int32Array>;
  /**
   * Of those, the ones that the search finds: the rows of the list, and the steps of the scrubber.
   */
  readonly listed: ReadonlySignal<Int32Array>;
  readonly rows: ReadonlySignal<readonly LaneRow[]>;
  /** The object whose beliefs are shown. */
  readonly key: ReadonlySignal<string | undefined>;
  readonly beliefs: ReadonlySignal<Beliefs | undefined>;
  /** Turns a second; 0: it stands. */
  readonly speed: Signal<number> = signal(0);
  /** What the pointer is over. */
  readonly hovered: Signal<number | undefined> = signal(undefined);

  constructor(document: IncidentDocument, place: Place) {
    const index = indexIncident(document);
    this.index = index;
    this.place = signal(place);
    // Another part of a recording has its turns elsewhere, and a link must show the turn that it
    // names.
    const isMoved = (): boolean => document.source.kind === "recording" && !this.seesTurn(place);
    // A simulation does hundreds of things in one millisecond and nothing for seconds: its turns
    // read better than its clock.
    const suits = document.source.kind === "simulation" ? "turns" : "time";
    const kind = computed(() => this.place.value.axis ?? suits);
    this.axis = computed(() => makeAxis(kind.value, document.turns));
    this.turn = computed(() => this.turnOf(this.place.value.turn));
    const firstWindow = computed(() => this.windowAtFirst());
    this.window = computed(() => {
      const { window } = this.place.value;
      const isOld = window === place.window && isMoved();
      return window && !isOld ? clampWindow(this.axis.value, window) : firstWindow.value;
    });
    const hidden = computed(() => this.place.value.hidden);
    const about = computed(() => this.place.value.about);
    const search = computed(() => this.place.value.search);
    this.chosen = computed(() => chooseTurns(index, { hidden: hidden.value, about: about.value }));
    this.listed = computed(() => findTurns(index, this.chosen.value, search.value));
    const folded = computed(() => this.place.value.folded);
    const hidesIdle = computed(() => this.place.value.hidesIdle);
    this.rows = computed(() => {
      const busy = new Set(Array.from(this.chosen.value, (at) => document.turns[at]?.lane));
      const choice = { hidden: hidden.value, folded: folded.value, hidesIdle: hidesIdle.value };
      return laneRows(document.lanes, choice, (lane) => busy.has(lane));
    });
    this.key = computed(() => this.place.value.key ?? this.keyOf(this.turn.value));
    this.beliefs = computed(() =>
      this.key.value === undefined ? undefined : beliefsAt(index, this.turn.value, this.key.value),
    );
  }

  change(change: Partial<Place>): void {
    this.place.value = { ...this.place.peek(), ...change };
  }

  /** Selects a turn and brings it into view. */
  go(turn: number): void {
    const to = this.turnOf(turn);
    const axis = this.axis.peek();
    const window = this.window.peek();
    const revealed = revealIn(axis, window, axis.positions[to] ?? 0);
    this.change({ turn: to, window: revealed });
  }

  /** To the next or the previous turn of the list. False: there is none. */
  step(by: 1 | -1): boolean {
    return this.goAmong(this.listed.peek(), by);
  }

  /** To the next or the previous mark. */
  stepMark(by: 1 | -1): boolean {
    return this.goAmong(this.index.markTurns, by);
  }

  goToViolation(): void {
    const { marks, turns } = this.index.document;
    const at = marks.find(({ kind }) => kind === "violation")?.turn;
    this.go(at ?? turns.findIndex(({ what }) => what === "violate"));
  }

  zoom(factor: number, around?: number): void {
    const axis = this.axis.peek();
    const window = this.window.peek();
    const selected = axis.positions[this.turn.peek()] ?? 0;
    const isSeen = selected >= window.from && selected <= window.to;
    const middle = isSeen ? selected : (window.from + window.to) / 2;
    this.change({ window: zoomWindow(axis, window, { factor, around: around ?? middle }) });
  }

  pan(share: number): void {
    this.change({ window: panWindow(this.axis.peek(), this.window.peek(), share) });
  }

  look(window: Window): void {
    this.change({ window: clampWindow(this.axis.peek(), window) });
  }

  fit(): void {
    this.change({ window: wholeOf(this.axis.peek()) });
  }

  /** Another axis keeps the same turns in view. */
  setAxis(kind: AxisKind): void {
    const { positions } = this.axis.peek();
    const { from, to } = this.window.peek();
    const first = Math.min(firstAtLeast(positions, from), positions.length - 1);
    const last = Math.max(first, lastAtMost(positions, to));
    batch(() => {
      this.change({ axis: kind });
      const next = this.axis.value;
      this.look({ from: next.positions[first] ?? 0, to: next.positions[last] ?? 0 });
    });
  }

  toggle(list: "hidden" | "folded", kind: LaneKind): void {
    const kinds = new Set(this.place.peek()[list]);
    if (!kinds.delete(kind)) kinds.add(kind);
    this.change({ [list]: kinds });
  }

  /** Only one object, or all again. Lanes that have nothing to do with it only take room then. */
  filterTo(key: string | undefined): void {
    batch(() => {
      this.change({ about: key, key, hidesIdle: key !== undefined });
      const { positions } = this.axis.value;
      const chosen = this.chosen.value;
      const from = positions[chosen[0] ?? 0] ?? 0;
      const to = positions[chosen.at(-1) ?? 0] ?? 0;
      const margin = (to - from) / MARGIN_SHARE;
      if (key !== undefined) this.look({ from: from - margin, to: to + margin });
    });
  }

  private seesTurn({ window, turn }: Place): boolean {
    const at = this.axis.value.positions[this.turnOf(turn)] ?? 0;
    return window !== undefined && at >= window.from && at <= window.to;
  }

  private turnOf(wanted: number | undefined): number {
    const last = Math.max(0, this.index.document.turns.length - 1);
    return Math.min(Math.max(0, wanted ?? this.turnAtFirst()), last);
  }

  /** Where a rule was violated, or the first point of no return, or the first other mark. */
  private turnAtFirst(): number {
    const { marks } = this.index.document;
    const decisive = marks.find(({ kind }) => kind === "violation" || kind === "divergence");
    const point = marks.find(({ kind }) => kind === "point");
    return (decisive ?? point ?? marks[0])?.turn ?? 0;
  }

  private windowAtFirst(): Window {
    const axis = this.axis.value;
    const count = axis.positions.length;
    if (count <= TURNS_AT_FIRST) return wholeOf(axis);
    const first = Math.min(
      Math.max(0, this.turn.value - TURNS_AT_FIRST / 2),
      count - TURNS_AT_FIRST,
    );
    const from = axis.positions[first] ?? axis.start;
    const to = axis.positions[first + TURNS_AT_FIRST - 1] ?? axis.end;
    const margin = (to - from) / 20;
    return clampWindow(axis, { from: from - margin, to: to + margin });
  }

  /** The object of the turn, or the first that it changed. */
  private keyOf(turn: number): string | undefined {
    const { document, commitsOf } = this.index;
    return document.turns[turn]?.key ?? commitsOf.get(turn)?.[0]?.changes[0]?.key;
  }

  private goAmong(turns: ArrayLike<number>, by: 1 | -1): boolean {
    const here = this.turn.peek();
    const at = by > 0 ? lastAtMost(turns, here) + 1 : firstAtLeast(turns, here) - 1;
    const to = turns[at];
    if (to === undefined) return false;
    this.go(to);
    return true;
  }
}
