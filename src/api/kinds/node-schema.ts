/** What an operator writes about a node, and what is shown of it. */
import { Type } from "typebox";
import {
  choice,
  fields,
  flag,
  name,
  quantity,
  text,
  textMap,
  time,
  wholeNumber,
  word,
} from "../schema/shapes.ts";
import { conditionsSchema } from "./condition.ts";
import { MOST_DEVICES } from "./template-schema.ts";

const devices = fields(
  "Exclusive devices of one class. Either a count, which names them class-0, class-1 and so on, or their ids.",
  {
    class: word("The class that workloads ask for, such as gpu."),
    count: Type.Optional(wholeNumber("How many there are.", { from: 1, to: MOST_DEVICES })),
    ids: Type.Optional(
      Type.Array(word("The id of a device."), {
        description: "The ids of the devices.",
        uniqueItems: true,
        maxItems: MOST_DEVICES,
      }),
    ),
  },
);

const taint = fields(
  "Keeps away all work that does not tolerate it.",
  { key: word("What tolerations name."), value: Type.Optional(text("May be empty.")) },
  {
    effect:
      "not supported: a taint always keeps new work away. Use draining to move work that runs.",
  },
);

const cordon = fields("Keeps new work away. Several may hold one node; each lifts only its own.", {
  holder: word("Who holds the node cordoned."),
  reason: Type.Optional(text("Why.")),
});

export const nodeSpecSchema = fields(
  "The node as an operator describes it.",
  {
    region: name("The region the node is in."),
    zone: name("The zone of that region the node is in."),
    capacity: fields("What the node has for replicas.", {
      cpu: quantity("CPUs, such as 8 or 7500m."),
      memory: quantity("Memory, such as 32Gi."),
      devices: Type.Optional(devices),
    }),
    taints: Type.Optional(
      Type.Array(taint, { description: "What keeps away work that does not tolerate it." }),
    ),
    cordons: Type.Optional(
      Type.Array(cordon, { description: "Who keeps new work away from the node at present." }),
    ),
    draining: Type.Optional(flag("Moves all work away from the node, and keeps new work away.")),
  },
  {
    unschedulable: "shown in status only: add an entry to spec.cordons instead.",
    podCIDR: "not supported: Berth runs no pods.",
    providerID: "not supported: use a label.",
  },
);

export const nodeStatusSchema = fields("What the control plane knows of the node.", {
  health: choice("How the agent of the node is doing.", ["ready", "suspect", "unknown", "fenced"]),
  since: time("Since when."),
  session: Type.Integer({
    description: "The agent's session; a later one begins with nothing running. 0: none yet.",
  }),
  evidence: Type.Optional(
    fields("Why the health is what it is.", {
      kind: text("The kind of evidence."),
      message: text("The evidence, in a sentence."),
    }),
  ),
  unschedulable: Type.Boolean({ description: "Whether new work is kept away, for any reason." }),
  allocated: fields("What replicas hold of the capacity.", {
    cpu: text("CPUs."),
    memory: text("Memory."),
    devices: Type.Integer({ description: "Exclusive devices." }),
    replicas: Type.Integer({ description: "How many replicas hold it." }),
  }),
  deviceOwners: Type.Optional(
    textMap("The replica that has each exclusive device, as namespace/name by device id."),
  ),
  conditions: conditionsSchema,
});

export type NodeSpecText = Type.Static<typeof nodeSpecSchema>;
export type NodeDevicesText = Type.Static<typeof devices>;
export type NodeStatusText = Type.Static<typeof nodeStatusSchema>;
