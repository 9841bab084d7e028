/** What is shown of a node. */
import { Type } from "typebox";
import { DRIVER_NAMES } from "../../core/model/node/driver-name.ts";
import { choice, fields, quantity, text, textMap, time } from "../schema/shapes.ts";
import { conditionsSchema } from "./status/condition.ts";
import { drainStatusSchema } from "./status/drain-status.ts";
import { provisionSchema } from "./status/provision-status.ts";
import { evidenceSchema } from "./status/evidence-shown.ts";

export const nodeStatusSchema = fields("The observed state of the node.", {
  health: choice("The health of the node's agent.", ["ready", "suspect", "unknown", "fenced"]),
  since: time("Since when."),
  session: Type.Integer({
    description: "The agent's session; a new session starts with no process running. 0: none yet.",
  }),
  evidence: Type.Optional(evidenceSchema("The reason for the health.")),
  heldForFlapping: Type.Optional(
    fields("Set while the node repels new work because it came back too often.", {
      since: time("Since when."),
      until: time("Until when, by the clock of the leader that set it."),
      returns: Type.Integer({ description: "How many times it came back within ten minutes." }),
    }),
  ),
  clockSuspect: Type.Optional(
    fields("Set while its clock runs faster or slower than the bound allows.", {
      since: time("Since when."),
      offBy: Type.Integer({
        description:
          "How much faster it runs than the plane's clock, in thousandths; below 0: slower.",
      }),
    }),
  ),
  notes: Type.Optional(
    Type.Array(Type.String(), {
      description: "Features that the machine lacks, as reported by its agent.",
    }),
  ),
  drivers: Type.Optional(
    Type.Array(
      fields("A driver that the node allows.", {
        name: choice("Its name.", [...DRIVER_NAMES]),
        lacks: Type.Optional(text("Why the machine cannot run it, such as a missing tool.")),
        lacksDisk: Type.Optional(text("Why replicas get no disk there (`run.disk`).")),
      }),
      { description: "What may run replicas here, as reported by the agent." },
    ),
  ),
  drain: Type.Optional(drainStatusSchema),
  provision: Type.Optional(provisionSchema),
  unschedulable: Type.Boolean({ description: "Whether the node repels new work, for any reason." }),
  allocated: fields("Capacity in use by replicas.", {
    cpu: text("CPUs."),
    memory: text("Memory."),
    devices: quantity("Devices; 500m is half of one."),
    replicas: Type.Integer({ description: "The number of replicas on the node." }),
  }),
  deviceOwners: Type.Optional(
    textMap("The replicas of each device, as namespace/name by device id; several can share one."),
  ),
  conditions: conditionsSchema,
});

export type NodeStatusText = Type.Static<typeof nodeStatusSchema>;
