/** What the global plane knows of a region that has a plane of its own. */
import { Type } from "typebox";
import type { Region } from "../../../core/model/objects.ts";
import { rfc3339Millis } from "../../rfc3339.ts";
import { choice, fields, time } from "../../schema/shapes.ts";
import { shownAmounts, writeAmounts } from "../text/amounts-text.ts";

const count = (description: string) => Type.Integer({ description });

export const shownRegionPlane = fields("What the region's own plane last reported.", {
  state: choice(
    "never-heard: it has not reported yet. learning: it was restored and takes no new work yet. heard: it reported. gone: a person stated that it is gone.",
    ["never-heard", "learning", "heard", "gone"],
  ),
  incarnation: Type.Optional(count("Grows when its log is restored from a backup.")),
  heardAt: Type.Optional(time("When it last reported, by the clock of the leader.")),
  termUntil: Type.Optional(
    time("When it certainly takes no new work any more, if it reports nothing until then."),
  ),
  nodes: Type.Optional(count("Its nodes.")),
  replicas: Type.Optional(count("Its replicas.")),
  serving: Type.Optional(count("Those that serve or run.")),
  queued: Type.Optional(count("Those that wait for a node.")),
  capacity: Type.Optional(shownAmounts("The capacity of its nodes.")),
  free: Type.Optional(shownAmounts("The free part of its ready nodes.")),
});

function stateOf({ status: { heard } }: Region): "never-heard" | "learning" | "heard" | "gone" {
  if (heard === undefined) return "never-heard";
  if (heard.gone === true) return "gone";
  return heard.learning ? "learning" : "heard";
}

/** Undefined for a region that this plane serves itself. */
export function writeRegionPlane(region: Region) {
  if (region.spec.plane === undefined) return undefined;
  const { heard } = region.status;
  const state = stateOf(region);
  if (heard === undefined) return { state };
  const { incarnation, atMs, termUntilMs, summary } = heard;
  return {
    state,
    incarnation,
    heardAt: rfc3339Millis(atMs),
    termUntil: rfc3339Millis(termUntilMs),
    ...(summary === undefined
      ? {}
      : {
          nodes: summary.nodes,
          replicas: summary.replicas,
          serving: summary.serving,
          queued: summary.queued,
          capacity: writeAmounts(summary.capacity),
          free: writeAmounts(summary.free),
        }),
  };
}

/** For a table: empty for a region that this plane serves itself. */
export function regionPlaneText(region: Region): string {
  if (region.spec.plane === undefined) return "";
  const { heard } = region.status;
  if (heard === undefined) return "never heard";
  if (heard.gone === true) return "gone";
  const { summary } = heard;
  const runs = summary === undefined ? "" : `, ${summary.serving}/${summary.replicas} serving`;
  return `${heard.learning ? "learning" : "own"}${runs}`;
}
