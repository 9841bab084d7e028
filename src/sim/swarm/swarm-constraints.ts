/**
 * Draws what workloads ask of nodes and of each other beyond room: devices, statements about
 * labels, affinity, caps and spreading. Each workload gets few of them, so that many can still be
 * placed.
 */
import type {
  Affinity,
  AffinityTerm,
  Ask,
  DeviceAsk,
  DevicePool,
  NodeExpression,
  NodeSpec,
  Spread,
  Template,
} from "../../core/model/objects.ts";
import { DRIVER_NAMES } from "../../core/model/node/driver-name.ts";
import type { Taint } from "../../core/model/node/taint.ts";
import { deviceNames } from "../../core/model/text/device-names.ts";
import { WHOLE_GPU_MILLIS } from "../world/build-world.ts";
import type { KeyedRandom } from "../faults/keyed-random.ts";

/**
 * Every workload has one of these, so that terms find replicas of others and not only their own.
 */
export const TIERS = ["front", "back"] as const;
const MODELS = ["small", "big"] as const;
const TOPOLOGIES = ["zone", "region", "node", "rack"] as const;
/** Parts that do and do not add up to a whole device. */
const SHARES = [200, 250, 400, 500, 600] as const;

function one<T>(random: KeyedRandom, what: string, at: number, from: readonly T[]): T {
  return from[random.draw(what, at) % from.length] as T;
}

export function drawPools(random: KeyedRandom, at: number): readonly DevicePool[] {
  if (!random.chance("node has gpus", at, 25)) return [];
  const count = random.between("node gpus", at, 1, 4);
  const model = random.chance("node model", at, 60) ? one(random, "model", at, MODELS) : "";
  const first = { class: "gpu", model, ids: deviceNames({ class: "gpu", count }, []) };
  if (!random.chance("node second pool", at, 25)) return [first];
  const ids = deviceNames({ class: "gpu", count: 1 }, [first]);
  return [first, { class: "gpu", model: "big", ids }];
}

export function drawTaints(random: KeyedRandom, at: number): readonly Taint[] {
  const taints: Taint[] = [];
  if (random.chance("node tainted", at, 12)) {
    taints.push({ key: "dedicated", value: "x", effect: "no-schedule" });
  }
  if (random.chance("node shunned", at, 10)) {
    taints.push({ key: "spot", value: "yes", effect: "prefer-no-schedule" });
  }
  return taints;
}

export function drawLimits(
  random: KeyedRandom,
  at: number,
): Pick<NodeSpec, "maxReplicas" | "supply"> {
  return {
    ...(random.chance("node capped", at, 10)
      ? { maxReplicas: random.between("node cap", at, 0, 5) }
      : {}),
    ...(random.chance("node forecast", at, 6) ? { supply: "soft" as const } : {}),
  };
}

export function drawDevice(random: KeyedRandom, at: number): DeviceAsk | undefined {
  if (!random.chance("workload gpu", at, 25)) return undefined;
  const models = random.chance("workload model", at, 30)
    ? one<readonly string[]>(random, "workload models", at, [["big"], ["small", "big"]])
    : [];
  if (random.chance("workload share", at, 50)) {
    const shareMillis = one(random, "workload part", at, SHARES);
    return { class: "gpu", models, count: 1, shareMillis };
  }
  const count = random.between("workload gpus", at, 1, 2);
  return { class: "gpu", models, count, shareMillis: WHOLE_GPU_MILLIS };
}

const EXPRESSIONS: readonly NodeExpression[] = [
  { key: "disk", operator: "in", values: ["ssd", "nvme"] },
  { key: "disk", operator: "not-in", values: ["hdd"] },
  { key: "rack", operator: "exists", values: [] },
  { key: "rack", operator: "does-not-exist", values: [] },
  { key: "rack", operator: "gt", values: ["1"] },
  { key: "rack", operator: "lt", values: ["3"] },
];

export function drawExpressions(
  random: KeyedRandom,
  at: number,
): Pick<Ask, "nodeExpressions" | "preferredNodes"> {
  const said = one(random, "expression", at, EXPRESSIONS);
  if (random.chance("ask for labels", at, 15)) return { nodeExpressions: [said] };
  if (!random.chance("ask prefers labels", at, 12)) return {};
  const weight = random.between("ask weight", at, 1, 100);
  return { preferredNodes: [{ weight, expressions: [said] }] };
}

/** In a few worlds only, and of few numbers, so that workloads of all tenants meet. */
export function drawFixedPorts(random: KeyedRandom, at: number): Pick<Ask, "fixedPorts"> {
  if (!random.chance("world fixes ports", 0, 15)) return {};
  if (!random.chance("workload fixes ports", at, 50)) return {};
  return { fixedPorts: { http: one(random, "fixed port", at, [8080, 9090]) } };
}

/** In a few worlds only; their machines differ in what they can run (drivers-of-machine.ts). */
export function drawDriver(random: KeyedRandom, at: number): Pick<Ask, "driver"> {
  if (!random.chance("world has drivers", 0, 25)) return {};
  if (!random.chance("workload has driver", at, 50)) return {};
  return { driver: one(random, "driver", at, DRIVER_NAMES) };
}

export function drawTogether(
  random: KeyedRandom,
  at: number,
  name: string,
): Pick<Template, "spread" | "affinity" | "maxPerNode"> {
  const affinity = drawAffinity(random, at, name);
  return {
    spread: drawSpread(random, at),
    ...(affinity === undefined ? {} : { affinity }),
    ...(random.chance("workload capped", at, 15)
      ? { maxPerNode: random.between("workload cap", at, 1, 3) }
      : {}),
  };
}

function drawSpread(random: KeyedRandom, at: number): readonly Spread[] {
  if (!random.chance("workload spreads", at, 35)) return [];
  const by = one(random, "spread by", at, TOPOLOGIES);
  const maxSkew = random.between("spread skew", at, 1, 3);
  return [{ by, maxSkew, ...(random.chance("spread soft", at, 25) ? { soft: true } : {}) }];
}

function drawAffinity(random: KeyedRandom, at: number, name: string): Affinity | undefined {
  if (!random.chance("workload has affinity", at, 30)) return undefined;
  const none: Affinity = { required: [], preferred: [], antiRequired: [], antiPreferred: [] };
  const own: AffinityTerm = { by: one(random, "own by", at, TOPOLOGIES), labels: { app: name } };
  const tenants = random.chance("affinity abroad", at, 20) ? ["t1", "t2"] : undefined;
  const tier: AffinityTerm = {
    by: one(random, "tier by", at, TOPOLOGIES),
    labels: { tier: one(random, "tier sought", at, TIERS) },
    ...(tenants === undefined ? {} : { tenants }),
  };
  const weight = random.between("affinity weight", at, 1, 100);
  switch (random.between("affinity kind", at, 0, 6)) {
    case 0:
      return { ...none, required: [own] };
    case 1:
      return { ...none, required: [tier] };
    case 2:
      return { ...none, antiRequired: [{ ...own, by: "node" }] };
    case 3:
      return { ...none, antiRequired: [own] };
    case 4:
      return { ...none, antiRequired: [{ ...tier, by: "node" }] };
    case 5:
      return { ...none, preferred: [{ weight, ...tier }] };
    default:
      return { ...none, antiPreferred: [{ weight, ...tier }] };
  }
}
