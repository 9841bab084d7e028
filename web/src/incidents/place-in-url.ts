/** Where somebody is in an incident, as the words of a link: the link opens the same place. */
import type { LaneKind } from "../../../src/incident/incident-document.ts";
import type { AxisKind, Window } from "./draw/axis.ts";
import { LANE_KINDS } from "./draw/lane-rows.ts";

export interface Place {
  /** Index in the document's turns; undefined: where the incident begins to matter. */
  readonly turn: number | undefined;
  /** The object whose beliefs are shown; undefined: that of the selected turn. */
  readonly key: string | undefined;
  /** Only turns about this object. */
  readonly about: string | undefined;
  readonly search: string;
  readonly hidden: ReadonlySet<LaneKind>;
  readonly folded: ReadonlySet<LaneKind>;
  readonly hidesIdle: boolean;
  /** Undefined: what suits the document. */
  readonly axis: AxisKind | undefined;
  /** Undefined: all of it. */
  readonly window: Window | undefined;
}

export const START: Place = {
  turn: undefined,
  key: undefined,
  about: undefined,
  search: "",
  hidden: new Set(),
  folded: new Set(),
  hidesIdle: false,
  axis: undefined,
  window: undefined,
};

const AXES: readonly AxisKind[] = ["time", "turns"];

/** The words this place needs; defaults are left out, so that links stay short. */
export const PLACE_WORDS = "turn near key about find hide fold idle axis zoom".split(" ");

export function placeToQuery(place: Place): URLSearchParams {
  const query = new URLSearchParams();
  if (place.turn !== undefined) query.set("turn", `${place.turn}`);
  if (place.key !== undefined) query.set("key", place.key);
  if (place.about !== undefined) query.set("about", place.about);
  if (place.search !== "") query.set("find", place.search);
  if (place.hidden.size > 0) query.set("hide", [...place.hidden].toSorted().join("."));
  if (place.folded.size > 0) query.set("fold", [...place.folded].toSorted().join("."));
  if (place.hidesIdle) query.set("idle", "hidden");
  if (place.axis !== undefined) query.set("axis", place.axis);
  if (place.window) query.set("zoom", `${round(place.window.from)}_${round(place.window.to)}`);
  return query;
}

/** What cannot be read is left out: an old link still opens. */
export function placeFromQuery(query: URLSearchParams): Place {
  const turn = Number(query.get("turn") ?? Number.NaN);
  return {
    turn: Number.isSafeInteger(turn) && turn >= 0 ? turn : undefined,
    key: query.get("key") ?? undefined,
    about: query.get("about") ?? undefined,
    search: query.get("find") ?? "",
    hidden: kindsIn(query.get("hide")),
    folded: kindsIn(query.get("fold")),
    hidesIdle: query.get("idle") === "hidden",
    axis: AXES.find((kind) => kind === query.get("axis")),
    window: windowIn(query.get("zoom")),
  };
}

/** Thousandths of a millisecond are nearer than anything can be zoomed. */
const round = (position: number): number => Math.round(position * 1000) / 1000;

const kindsIn = (text: string | null): ReadonlySet<LaneKind> => {
  const words = new Set<string>((text ?? "").split("."));
  return new Set(LANE_KINDS.filter((kind) => words.has(kind)));
};

function windowIn(text: string | null): Window | undefined {
  const [from, to] = (text ?? "")
    .split("_")
    .map((part) => (part === "" ? Number.NaN : Number(part)));
  if (from === undefined || to === undefined) return undefined;
  return Number.isFinite(from) && Number.isFinite(to) && from < to ? { from, to } : undefined;
}
