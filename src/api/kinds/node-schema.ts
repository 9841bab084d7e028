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

export const taintSchema = fields("Repels work that does not tolerate it.", {
  key: word("The key that tolerations match."),
  value: Type.Optional(text("May be empty.")),
  effect: Type.Optional(
    choice(
      "no-schedule repels new work; prefer-no-schedule repels it if another node fits. Neither evicts running work: use draining.",
      TAINT_EFFECTS,
      "no-schedule",
    ),
  ),
});

const cordon = fields(
  "Repels new work. A node may have several cordons; each holder lifts only its own.",
  {
    holder: word("The holder of the cordon."),
    reason: Type.Optional(text("Why.")),
  },
);

const drain = fields(
  "The holder, reason and deadline of the drain. Ignored unless the node is draining.",
  {
    holder: word("The holder of the drain. Only this holder can end it or change its terms."),
    reason: Type.Optional(text("Why.")),
    deadline: Type.Optional(
      duration(
        "How long the drain waits for disruption budgets, such as 10m. Default: forever.",
        WITHIN_A_DAY,
      ),
    ),
    atDeadline: Type.Optional(
      choice(
        "stop: the remaining replicas stay, and the node takes no new work. force: they are stopped regardless of disruption budgets.",
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
    capacity: fields("The capacity of the node for replicas.", {
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
      Type.Array(taintSchema, {
        description: "Taints: they repel work that does not tolerate them.",
      }),
    ),
    cordons: Type.Optional(Type.Array(cordon, { description: "The cordons of the node." })),
    draining: Type.Optional(flag("Evicts all work from the node, and repels new work.")),
    drain: Type.Optional(drain),
    maxReplicas: Type.Optional(
      wholeNumber("The maximum number of replicas on the node, even if it has room for more.", {
        from: 0,
        to: MOST_REPLICAS,
        byDefault: LOAD_LIMITS.nodeReplicas.value,
      }),
    ),
    supply: Type.Optional(
      choice(
        "hard: an existing machine. soft: a forecast; the plane never binds a replica to it.",
        ["hard", "soft"],
        "hard",
      ),
    ),
    pool: Type.Optional(name("The node pool of the node. Set by the plane; immutable.")),
  },
  {
    unschedulable: "shown in status only: add an entry to spec.cordons instead.",
    podCIDR: "not supported: Berth runs no pods.",
    providerID: "not supported: use a label.",
  },
);

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

export type NodeSpecText = Type.Static<typeof nodeSpecSchema>;
export type NodeStatusText = Type.Static<typeof nodeStatusSchema>;
