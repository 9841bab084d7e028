/** What an operator writes about a node, and what is shown of it. */
import { Type } from "typebox";
import { LOAD_LIMITS } from "../../core/model/limits/load-limits.ts";
import {
  choice,
  duration,
  fields,
  flag,
  name,
  quantity,
  text,
  textMap,
  time,
  wholeNumber,
  WITHIN_A_DAY,
  word,
} from "../schema/shapes.ts";
import { AT_DEADLINE } from "../../core/model/node/drain.ts";
import { conditionsSchema } from "./status/condition.ts";
import { drainStatusSchema } from "./status/drain-status.ts";
import { provisionSchema } from "./status/provision-status.ts";
import { poolSchema } from "./text/device-text.ts";
import { evidenceSchema } from "./status/evidence-shown.ts";
import { TAINT_EFFECTS } from "./placement-schema.ts";

/** More replicas than any machine holds. */
export const MOST_REPLICAS = 100_000;

export const taintSchema = fields("Keeps away work that does not tolerate it.", {
  key: word("What tolerations name."),
  value: Type.Optional(text("May be empty.")),
  effect: Type.Optional(
    choice(
      "no-schedule keeps new work away; prefer-no-schedule takes it when no other node does as well. Neither moves work that runs: use draining.",
      TAINT_EFFECTS,
      "no-schedule",
    ),
  ),
});

const cordon = fields("Keeps new work away. Several may hold one node; each lifts only its own.", {
  holder: word("Who holds the node cordoned."),
  reason: Type.Optional(text("Why.")),
});

const drain = fields(
  "Who drains the node, why, and until when. Means nothing unless it is draining.",
  {
    holder: word("Who drains it. Nobody else ends the drain or changes its terms."),
    reason: Type.Optional(text("Why.")),
    deadline: Type.Optional(
      duration(
        "How long it waits for workloads to spare their replicas, such as 10m. Left out: for ever.",
        WITHIN_A_DAY,
      ),
    ),
    atDeadline: Type.Optional(
      choice(
        "stop: who remains stays, and the node stays closed. force: they are asked to stop, whether or not their workloads can spare them.",
        AT_DEADLINE,
        "stop",
      ),
    ),
  },
);

export const nodeSpecSchema = fields(
  "The node as an operator describes it.",
  {
    region: name("The region the node is in."),
    zone: name("The zone of that region the node is in."),
    capacity: fields("What the node has for replicas.", {
      cpu: quantity("CPUs, such as 8 or 7500m."),
      memory: quantity("Memory, such as 32Gi."),
      devices: Type.Optional(poolSchema),
      pools: Type.Optional(
        Type.Array(poolSchema, {
          description: "Instead of devices: several pools of devices, by class and model.",
        }),
      ),
    }),
    taints: Type.Optional(
      Type.Array(taintSchema, { description: "What keeps away work that does not tolerate it." }),
    ),
    cordons: Type.Optional(
      Type.Array(cordon, { description: "Who keeps new work away from the node at present." }),
    ),
    draining: Type.Optional(flag("Moves all work away from the node, and keeps new work away.")),
    drain: Type.Optional(drain),
    maxReplicas: Type.Optional(
      wholeNumber("The most replicas it takes, whatever room is left.", {
        from: 0,
        to: MOST_REPLICAS,
        byDefault: LOAD_LIMITS.nodeReplicas.value,
      }),
    ),
    supply: Type.Optional(
      choice(
        "hard: a machine that is there. soft: a forecast of one, to which nothing is ever bound.",
        ["hard", "soft"],
        "hard",
      ),
    ),
    pool: Type.Optional(
      name("The node pool that it came of. Written by the plane alone, and never changed."),
    ),
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
  evidence: Type.Optional(evidenceSchema("Why the health is what it is.")),
  heldForFlapping: Type.Optional(
    fields("Set while new work is kept away because it came back too often.", {
      since: time("Since when."),
      until: time("Until when, by the clock of the leader that began it."),
      returns: Type.Integer({ description: "How often it came back within ten minutes." }),
    }),
  ),
  clockSuspect: Type.Optional(
    fields("Set while its clock was last seen to run faster or slower than the bound allows.", {
      since: time("Since when."),
      offBy: Type.Integer({
        description: "Parts in a thousand that it runs faster than the plane's; below 0: slower.",
      }),
    }),
  ),
  notes: Type.Optional(
    Type.Array(Type.String(), {
      description: "What the machine cannot do for its replicas, in its agent's words.",
    }),
  ),
  drain: Type.Optional(drainStatusSchema),
  provision: Type.Optional(provisionSchema),
  unschedulable: Type.Boolean({ description: "Whether new work is kept away, for any reason." }),
  allocated: fields("What replicas hold of the capacity.", {
    cpu: text("CPUs."),
    memory: text("Memory."),
    devices: quantity("Devices; 500m is half of one."),
    replicas: Type.Integer({ description: "How many replicas hold it." }),
  }),
  deviceOwners: Type.Optional(
    textMap("Whose each device is, as namespace/name by device id; several have shares of it."),
  ),
  conditions: conditionsSchema,
});

export type NodeSpecText = Type.Static<typeof nodeSpecSchema>;
export type NodeStatusText = Type.Static<typeof nodeStatusSchema>;
