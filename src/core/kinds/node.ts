/** Node: a machine, what it has and where it is. */
import type { Amounts } from "../model/amounts.ts";
import { leaseKey } from "../model/ids.ts";
import { LOAD_LIMITS } from "../model/limits/load-limits.ts";
import { AT_DEADLINE, DRAIN_DEADLINE_MAX_MS, type DrainTerms } from "../model/node/drain.ts";
import type { Cordon } from "../model/node/cordon.ts";
import type { DevicePool, NodeSpec } from "../model/objects.ts";
import { WHOLE_DEVICE_MILLIS } from "../rules/feasibility/devices.ts";
import {
  brokenPools,
  DEVICE_POOL,
  readPools,
  repeatedId,
  WRITTEN_POOL,
  writePools,
  type WrittenPools,
} from "./fields/device-pools.ts";
import {
  choice,
  count,
  duration,
  type FieldsOf,
  filled,
  flag,
  hidden,
  implied,
  list,
  name,
  object,
  optional,
  orEmpty,
  shown,
  text,
  usually,
  word,
} from "./fields/field.ts";
import { CAPACITY, REPLICAS_ON_NODE, TAINTS, WRITTEN_CAPACITY } from "./fields/node-fields.ts";
import type { BrokenRule, WrittenDefinition } from "./kind-definition.ts";
import { firstKey, stillInUse } from "./still-in-use.ts";
import { writtenAs } from "./written-form.ts";

/** How people write it: the devices stand under the capacity. */
interface WrittenNode extends Omit<NodeSpec, "capacity" | "pools"> {
  readonly capacity: { readonly amounts: Amounts } & WrittenPools;
}

const { region, zone, ...REST }: FieldsOf<Omit<NodeSpec, "capacity" | "pools">> = {
  region: shown(name("The region the node is in.", "Region"), {
    name: "Region",
    about: "The region the node is in.",
  }),
  zone: shown(name("The zone of that region the node is in."), {
    name: "Zone",
    about: "The zone the node is in.",
  }),
  taints: orEmpty(TAINTS),
  cordons: orEmpty(
    list(
      "The cordons of the node.",
      object<Cordon>(
        "Repels new work. A node may have several cordons; each holder lifts only its own.",
        { holder: word("The holder of the cordon."), reason: filled(text("Why."), "") },
      ),
      {},
    ),
  ),
  draining: hidden(flag("Evicts all work from the node, and repels new work."), false),
  drain: optional(
    object<DrainTerms>(
      "The holder, reason and deadline of the drain. Ignored unless the node is draining.",
      {
        holder: word("The holder of the drain. Only this holder can end it or change its terms."),
        reason: filled(text("Why."), ""),
        deadlineMs: optional(
          duration(
            "How long the drain waits for disruption budgets, such as 10m. Default: forever.",
            { least: 1, most: DRAIN_DEADLINE_MAX_MS },
          ),
        ),
        atDeadline: implied(
          choice(
            "stop: the remaining replicas stay, and the node takes no new work. force: they are stopped regardless of disruption budgets.",
            AT_DEADLINE,
          ),
          "stop",
        ),
      },
    ),
  ),
  maxReplicas: usually(
    count(
      "The maximum number of replicas on the node, even if it has room for more.",
      REPLICAS_ON_NODE,
    ),
    LOAD_LIMITS.nodeReplicas.value,
  ),
  supply: implied(
    choice("hard: an existing machine. soft: a forecast; the plane never binds a replica to it.", [
      "hard",
      "soft",
    ]),
    "hard",
  ),
  pool: optional(name("The node pool of the node. Set by the plane; immutable.")),
};

const millisOf = (pools: readonly DevicePool[]): number =>
  WHOLE_DEVICE_MILLIS * pools.reduce((sum, { ids }) => sum + ids.length, 0);

export const nodeDefinition: WrittenDefinition<"Node"> = {
  kind: "Node",
  plural: "nodes",
  shortNames: ["no"],
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  applyStep: 80,
  about: "A machine that replicas run on, with an agent that starts and watches them.",
  spec: {
    about: "The node as an operator describes it.",
    fields: {
      region,
      zone,
      capacity: CAPACITY,
      pools: list("The devices.", DEVICE_POOL, {}),
      ...REST,
    },
    written: writtenAs<NodeSpec, WrittenNode>({
      fields: {
        region,
        zone,
        capacity: object<WrittenNode["capacity"]>("The capacity of the node for replicas.", {
          amounts: WRITTEN_CAPACITY,
          devices: optional(WRITTEN_POOL),
          pools: optional(
            list(
              "Instead of devices: several pools of devices, by class and model.",
              WRITTEN_POOL,
              {},
            ),
          ),
        }),
        ...REST,
      },
      read: ({ capacity, ...rest }) => {
        const pools = readPools(capacity);
        return { ...rest, capacity: { ...capacity.amounts, deviceMillis: millisOf(pools) }, pools };
      },
      write: ({ capacity, pools, ...rest }) => ({
        ...rest,
        capacity: { amounts: capacity, ...writePools(pools) },
      }),
      rules: [({ capacity }) => brokenPools(capacity, "capacity")],
    }),
    unsupported: {
      unschedulable: "shown in status only: add an entry to spec.cordons instead.",
      podCIDR: "not supported: Berth runs no pods.",
      providerID: "not supported: use a label.",
    },
    example: {
      name: "rack-1",
      spec: { region: "eu-west", zone: "a", capacity: { cpu: 16, memory: "64Gi" } },
    },
    rules: [distinctIds, countedDevices],
  },
  stillUsed: (objects, { key, meta }) =>
    stillInUse(key, firstKey(objects.replicasOn(meta.name).keys())),
  /**
   * A lease means nothing without its node, and would be taken for a later node's of the same name;
   * the same is true of room that is held there. While replicas still hold the node it is all that
   * tells when they are gone.
   */
  dependents: (objects, { meta }) => {
    const isHeld = objects.replicasOn(meta.name).size > 0;
    const lease = isHeld ? undefined : objects.lease(leaseKey(meta.name));
    return [...(lease ? [lease] : []), ...objects.useOf(meta.name).held.values()];
  },
};

function distinctIds({ pools }: NodeSpec): BrokenRule | undefined {
  const found = repeatedId(pools);
  return found === undefined ? undefined : { field: "pools", found, expected: "distinct ids" };
}

function countedDevices({ capacity, pools }: NodeSpec): BrokenRule | undefined {
  const [found, millis] = [capacity.deviceMillis, millisOf(pools)];
  return found === millis
    ? undefined
    : { field: "capacity.deviceMillis", found, expected: `${millis}` };
}
