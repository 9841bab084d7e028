/** Override: what somebody has decided for a while, why, and until when. */
import { Type } from "typebox";
import { meansPlace, meansWorkload, raiseText, targetText } from "../../core/model/override.ts";
import type { Override } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { rfc3339, rfc3339Millis } from "../rfc3339.ts";
import { fields, text, time } from "../schema/shapes.ts";
import { conditionsSchema, writeConditions } from "./status/condition.ts";
import { POSTCONDITION, postconditionOf } from "./status/postcondition.ts";
import { showKind } from "./show-kind.ts";

const status = fields("The owner of the override and when it expires.", {
  owner: text("The owner; only the owner can extend or release it."),
  since: time("When it was created."),
  until: time("When it expires."),
  extensions: Type.Integer({ description: "How many times it was extended." }),
  budgets: Type.Optional(
    Type.Array(Type.String(), {
      description: "For mark-partitioned: the recovery budgets in force there when it was created.",
    }),
  ),
  conditions: Type.Optional(conditionsSchema),
});

export const overrideKind = showKind({
  kind: "Override",
  status,
  planeConditions: [POSTCONDITION],
  showStatus: writeStatus,
  columns: [
    "action",
    {
      name: "Target",
      type: "string",
      description: "The target.",
      cell: ({ spec: of }) => `${targetText(of.target)}${raiseText(of)}`,
    },
    {
      name: "Owner",
      type: "string",
      description: "The owner.",
      cell: (override) => override.status.owner,
    },
    {
      name: "Until",
      type: "string",
      description: "When it expires.",
      cell: (override) => rfc3339(override.status.untilMs),
    },
    {
      name: "Covers",
      type: "string",
      description: "The number of nodes or workloads that it affects now.",
      cell: (override, objects) => coversText(override, objects),
    },
    "reason",
  ],
});

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

function coversText({ spec: { target } }: Override, objects: ObjectIndex): string {
  const isPlace = [target.node, target.zone, target.region].some((each) => each !== undefined);
  if (isPlace) {
    const nodes = [...objects.all("Node").values()].filter(({ meta, spec: of }) =>
      meansPlace(target, { name: meta.name, region: of.region, zone: of.zone }),
    );
    return counted(nodes.length, "node");
  }
  const workloads = [...objects.all("Workload").values()].filter(({ meta }) =>
    meansWorkload(target, meta),
  );
  return counted(workloads.length, "workload");
}

function writeStatus(override: Override, objects: ObjectIndex) {
  const { owner, sinceMs, untilMs, extensions, budgets } = override.status;
  const condition = postconditionOf(override, objects);
  return {
    owner,
    since: rfc3339Millis(sinceMs),
    until: rfc3339Millis(untilMs),
    extensions,
    ...(budgets === undefined ? {} : { budgets: budgets.map((each) => each.name) }),
    ...(condition === undefined ? {} : { conditions: writeConditions([condition]) }),
  };
}
