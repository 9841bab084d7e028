/**
 * Regions with planes of their own, and what happens between the planes: `betweenPlanes: { events:
 * [{ event: cut, region: us-west, at: 60s, for: 90s }], lost: 20, late: 10, doubled: 5, lateBy: 3s
 * }`. The numbers are chances in 1,000 for each message.
 */
import type { PlainFields } from "../manifest/write-fields.ts";
import { TERM_BOUNDS_MS, TERM_MS } from "../core/model/regional/region-plane.ts";
import { formatDuration } from "../quantity/duration.ts";
import type { RegionalEvent, RegionalPart } from "../sim/regional/regional-world.ts";
import type { World } from "../sim/world/world.ts";
import type { Cursor } from "./cursor.ts";
import { readName, type References } from "./references.ts";

type RegionPlane = NonNullable<World["regions"][number]["plane"]>;

const WAYS = ["both", "to-global", "to-region"] as const;
const EVENTS = ["cut", "restore", "lose"] as const;

export function readRegionPlane(cursor: Cursor): RegionPlane {
  const fields = cursor.fields(["term"]);
  return { termMs: fields.get("term", (time) => readTerm(time), TERM_MS) };
}

function readTerm(cursor: Cursor): number {
  const termMs = cursor.durationMs();
  const { least, most } = TERM_BOUNDS_MS;
  if (termMs < least || termMs > most) {
    cursor.expected(`a time from ${formatDuration(least)} to ${formatDuration(most)}`);
  }
  return termMs;
}

export const plainRegionPlane = ({ termMs }: RegionPlane): PlainFields => ({
  term: formatDuration(termMs),
});

export function readBetweenPlanes(cursor: Cursor, references: References): RegionalPart {
  const fields = cursor.fields(["events", "lost", "late", "doubled", "lateBy"]);
  const chance = (name: "lost" | "late" | "doubled"): number =>
    fields.get(name, (value) => value.integer(0), 0);
  return {
    events: fields.get("events", (list) => list.list((item) => readEvent(item, references)), []),
    wan: {
      lost: chance("lost"),
      late: chance("late"),
      doubled: chance("doubled"),
      lateMs: fields.get("lateBy", (time) => time.durationMs(), 0),
    },
  };
}

function readEvent(cursor: Cursor, references: References): RegionalEvent {
  const fields = cursor.fields(["event", "region", "of", "at", "for", "way", "ago", "saidAfter"]);
  const atMs = fields.need("at").durationMs();
  const region = (): string => {
    const at = fields.need("region");
    const name = readName(at);
    references.refer("region", name, at);
    return name;
  };
  switch (fields.need("event").choice(EVENTS)) {
    case "cut": {
      const way = fields.get("way", (choice) => choice.choice(WAYS), "both");
      return { event: "cut", region: region(), atMs, forMs: fields.need("for").durationMs(), way };
    }
    case "restore": {
      const of = readName(fields.need("of"));
      return { event: "restore", of, atMs, agoMs: fields.need("ago").durationMs() };
    }
    case "lose": {
      const saidAfterMs = fields.need("saidAfter").durationMs();
      return { event: "lose", region: region(), atMs, saidAfterMs };
    }
  }
}

export const plainBetweenPlanes = ({ events, wan }: RegionalPart): PlainFields => ({
  events: events.map(plainEvent),
  lost: wan.lost,
  late: wan.late,
  doubled: wan.doubled,
  lateBy: formatDuration(wan.lateMs),
});

function plainEvent(of: RegionalEvent): PlainFields {
  const at = formatDuration(of.atMs);
  switch (of.event) {
    case "cut":
      return { event: of.event, region: of.region, at, for: formatDuration(of.forMs), way: of.way };
    case "restore":
      return { event: of.event, of: of.of, at, ago: formatDuration(of.agoMs) };
    case "lose":
      return {
        event: of.event,
        region: of.region,
        at,
        saidAfter: formatDuration(of.saidAfterMs),
      };
  }
}
