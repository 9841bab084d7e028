/**
 * Region: where nodes are, the zones it is divided into, and whether somebody has marked it as cut
 * off.
 */
import { Type } from "typebox";
import type { Override, Region } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { marksOn } from "../../core/rules/override/partitioned.ts";
import { provisionalOf } from "../../core/model/provisional.ts";
import { rfc3339 } from "../rfc3339.ts";
import { type Condition, conditionsSchema, writeConditions } from "./status/condition.ts";
import {
  regionPlaneText,
  shownRegionPlane,
  writeRegionPlane,
} from "./status/region-plane-status.ts";
import { showKind } from "./show-kind.ts";
import { fields } from "../schema/shapes.ts";

const status = fields(
  "Whether operators marked the region as partitioned, and the bindings that depend on it.",
  {
    provisional: Type.Integer({
      description: "The number of provisional bindings made while it was partitioned.",
    }),
    plane: Type.Optional(shownRegionPlane),
    conditions: Type.Optional(conditionsSchema),
  },
);

/** Whether somebody has marked the region as partitioned (DG1). */
const PARTITIONED = "Partitioned";

export const regionKind = showKind({
  kind: "Region",
  status,
  showStatus: writeStatus,
  planeConditions: [PARTITIONED],
  columns: [
    {
      name: "Zones",
      type: "string",
      description: "The zones of the region.",
      cell: (region) => region.spec.zones.join(","),
    },
    {
      name: "Nodes",
      type: "integer",
      description: "How many nodes are in the region.",
      cell: (region, objects) => {
        const { heard } = region.status;
        if (heard?.summary !== undefined) return heard.summary.nodes;
        let nodes = 0;
        for (const node of objects.all("Node").values()) {
          if (node.spec.region === region.meta.name) nodes += 1;
        }
        return nodes;
      },
    },
    {
      name: "Plane",
      type: "string",
      description: "What its own plane last said, for a region that has one.",
      cell: regionPlaneText,
    },
    {
      name: "Heard",
      type: "string",
      description: "When its own plane last reported, by the clock of the leader.",
      isWide: true,
      cell: ({ status: { heard } }) => (heard === undefined ? "" : rfc3339(heard.atMs)),
    },
    {
      name: "Partitioned",
      type: "string",
      description: "The overrides that mark it as partitioned, and until when.",
      cell: ({ meta }, objects) =>
        marksOn(objects, meta.name)
          .map((mark) => `${mark.meta.name} until ${rfc3339(mark.status.untilMs)}`)
          .join(","),
    },
  ],
});

function writeStatus(region: Region, objects: ObjectIndex) {
  const { meta } = region;
  const plane = writeRegionPlane(region);
  const conditions = marksOn(objects, meta.name).map(partitioned);
  const provisional = provisionalIn(meta.name, objects);
  return {
    provisional,
    ...(plane === undefined ? {} : { plane }),
    ...(conditions.length === 0 ? {} : { conditions: writeConditions(conditions.slice(0, 1)) }),
  };
}

function partitioned(mark: Override): Condition {
  const { owner, sinceMs, untilMs } = mark.status;
  const { target, reason } = mark.spec;
  const by = `until ${rfc3339(untilMs)} by override ${mark.meta.name} of ${owner}`;
  const message = `${target.region ?? ""} is partitioned ${by}: ${reason}`;
  return { type: PARTITIONED, status: "True", reason: "Marked", message, sinceMs };
}

function provisionalIn(region: string, objects: ObjectIndex): number {
  let count = 0;
  for (const replica of objects.all("Replica").values()) {
    if (provisionalOf(replica) === undefined) continue;
    if (objects.nodeNamed(replica.status.node ?? "")?.spec.region === region) count += 1;
  }
  return count;
}
