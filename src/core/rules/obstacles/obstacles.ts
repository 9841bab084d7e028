/**
 * Every rule that keeps one replica from one node, with the numbers, and not only the first. The
 * rules are those of `feasibility/` and of the scheduler's neighbours; each is asked about one part
 * of the question at a time.
 */
import type { RefusalCode } from "../../protocol/refusals.ts";
import { allowedLocation } from "../feasibility/allowed-location.ts";
import { capacity } from "../feasibility/capacity.ts";
import { devices, matchesPool } from "../feasibility/devices.ts";
import { firstMisfit, ROOM_RULES, STATIC_RULES } from "../feasibility/feasibility.ts";
import { maxReplicas } from "../feasibility/max-replicas.ts";
import type { FeasibilityRule } from "../feasibility/misfit.ts";
import { nodeExpressions } from "../feasibility/node-expressions.ts";
import { nodeSelector } from "../feasibility/node-selector.ts";
import { schedulable } from "../feasibility/schedulable.ts";
import { supply } from "../feasibility/supply.ts";
import { taints } from "../feasibility/taints.ts";
import { AMOUNT_NAMES, type AmountName, type Amounts, shortage } from "../../model/amounts.ts";
import type { Ask, Node, Override, Replica, Topology } from "../../model/objects.ts";
import { domainOf } from "../../model/topology.ts";
import { type NeighbourRule, neighbourRules } from "./neighbour-rules.ts";
import { REGION_QUOTA } from "./region-quota-name.ts";
import { regionRoom } from "../../observe/accounts/quota-room.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { spreadInForce } from "../../observe/policy-in-force.ts";
import type { NodeUse } from "../../observe/usage.ts";
import { overridesInForce } from "../override/overrides-in-force.ts";
import { isAvoided, ofOverrides } from "./override-obstacles.ts";
import type { Placing, Remedy } from "./remedy.ts";

export interface Obstacle {
  readonly rule: string;
  readonly code?: RefusalCode;
  /** What about the node. */
  readonly what: string;
  readonly expected: string | number;
  readonly actual: string | number;
  /**
   * Left out: nothing that a person could change about the workload, the quota or the node at once.
   */
  readonly remedy?: Remedy;
}

export interface Surroundings {
  readonly objects: ObjectIndex;
  /**
   * Where the quota is looked up; another than `objects` when it is asked what a raise would do.
   */
  readonly quotas: ObjectIndex;
  /** All nodes there are, or would be. */
  readonly nodes: readonly Node[];
  readonly rules: readonly NeighbourRule[];
  /** Those that count, but for any that it is asked without. */
  readonly overrides: readonly Override[];
  /** How many the emptiest place has, by what makes places; worked out once for one ask. */
  readonly fewest: Map<Topology, number>;
}

export function obstaclesOf(placing: Placing, around: Surroundings): readonly Obstacle[] {
  const { node, use, replica } = placing;
  const candidate = { node, use };
  // Most nodes of a fleet pass most rules: each is asked as a whole before it is taken apart.
  const isPassed = (rule: FeasibilityRule): boolean =>
    rule.check(candidate, replica.spec.template.ask) === undefined;
  const found = [
    ...(STATIC_RULES.every(isPassed) ? [] : ofNode(placing)),
    ...(ROOM_RULES.every(isPassed) ? [] : ofRoom(placing)),
  ];
  if (found.length === 0) {
    // Whatever was not asked about by itself: a node that a rule rejects is never suggested.
    const rest = firstMisfit(candidate, replica.spec.template.ask);
    if (rest !== undefined) found.push({ rule: rest.rule.name, ...rest.misfit });
  }
  return [
    ...found,
    ...ofNeighbours(placing, around),
    ...ofRegion(placing, around),
    ...ofOverrides(placing, around),
  ];
}

/** For one replica: who its neighbours are is asked once for all nodes. */
export const surroundingsOf = (
  replica: Replica,
  of: Pick<Surroundings, "objects" | "quotas" | "nodes"> & Partial<Pick<Surroundings, "overrides">>,
): Surroundings => ({
  overrides: overridesInForce(of.objects),
  ...of,
  rules: neighbourRules(
    replica,
    of.objects.neighbours,
    spreadInForce(of.objects, replica.spec.template),
  ),
  fewest: new Map(),
});

interface Question {
  readonly rule: FeasibilityRule;
  readonly node?: Node;
  readonly ask?: Ask;
  readonly remedy?: Remedy;
}

function* questionsOf({ node, replica }: Placing): Iterable<Question> {
  const { ask } = replica.spec.template;
  const { region, zone } = node.spec;
  yield {
    rule: allowedLocation,
    ask: { ...ask, zones: [] },
    remedy: { kind: "allow-region", region },
  };
  yield {
    rule: allowedLocation,
    ask: { ...ask, regions: [] },
    remedy: { kind: "allow-zone", zone },
  };
  for (const [label, value] of Object.entries(ask.nodeSelector).toSorted(byName)) {
    const remedy = { kind: "drop-label", label, value } as const;
    yield { rule: nodeSelector, ask: { ...ask, nodeSelector: { [label]: value } }, remedy };
  }
  for (const expression of ask.nodeExpressions ?? []) {
    const remedy = { kind: "drop-expression", expression } as const;
    yield { rule: nodeExpressions, ask: { ...ask, nodeExpressions: [expression] }, remedy };
  }
  for (const taint of node.spec.taints) {
    const only = { ...node, spec: { ...node.spec, taints: [taint] } };
    yield { rule: taints, node: only, remedy: { kind: "tolerate", taint } };
  }
  yield { rule: supply };
  yield* holdsOf(node);
}

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]): number =>
  a < b ? -1 : 1;

/** Each way in which a node may be held back, as if it were the only one. */
function* holdsOf(node: Node): Iterable<Question> {
  const { meta, spec, status } = node;
  const { damped, clock, ...trusted } = status;
  const free: Node = {
    ...node,
    meta: { ...meta, deletingMs: undefined },
    spec: { ...spec, draining: false, cordons: [] },
    status: { ...trusted, health: "ready" },
  };
  yield { rule: schedulable, node: { ...free, meta } };
  for (const cordon of spec.cordons) {
    const held = { ...free, spec: { ...free.spec, cordons: [cordon] } };
    const { holder } = cordon;
    yield { rule: schedulable, node: held, remedy: { kind: "uncordon", node: meta.name, holder } };
  }
  const drained = { ...free, spec: { ...free.spec, draining: spec.draining } };
  yield { rule: schedulable, node: drained, remedy: { kind: "end-drain", node: meta.name } };
  yield {
    rule: schedulable,
    node: { ...free, status: { ...free.status, health: status.health } },
  };
  if (damped !== undefined) {
    yield { rule: schedulable, node: { ...free, status: { ...free.status, damped } } };
  }
  if (clock !== undefined) {
    yield { rule: schedulable, node: { ...free, status: { ...free.status, clock } } };
  }
}

function ofNode(placing: Placing): Obstacle[] {
  const { node, use, replica } = placing;
  const { ask } = replica.spec.template;
  const found: Obstacle[] = [];
  for (const question of questionsOf(placing)) {
    const { rule, remedy } = question;
    const misfit = rule.check({ node: question.node ?? node, use }, question.ask ?? ask);
    if (misfit === undefined) continue;
    const { code, what, expected, actual } = misfit;
    const of = { rule: rule.name, code, what, expected, actual };
    found.push(remedy === undefined ? of : { ...of, remedy });
  }
  return found;
}

function ofRoom({ node, use, replica }: Placing): Obstacle[] {
  const { ask } = replica.spec.template;
  const { name } = node.meta;
  const found: Obstacle[] = [];
  const full = maxReplicas.check({ node, use }, ask);
  if (full !== undefined) {
    found.push({ rule: maxReplicas.name, ...full, remedy: { kind: "free-place", node: name } });
  }
  for (const amount of AMOUNT_NAMES) {
    const asked = ask.amounts[amount];
    // A fleet that is full is full of one thing; the rule is asked about what may be that.
    if (asked <= node.spec.capacity[amount] - use[amount]) continue;
    const of = { node, use: useOfOnly(use, amount) };
    const short = capacity.check(of, { ...ask, amounts: amountOfOnly(ask.amounts, amount) });
    if (short === undefined || short.what !== amount) continue;
    // What the node never had cannot be freed; devices are told of by their pools.
    const canHelp = asked <= node.spec.capacity[amount] && amount !== "deviceMillis";
    const { zone } = node.spec;
    const missing = asked - Number(short.actual);
    const remedy = { kind: "free", node: name, zone, name: amount, amount: missing } as const;
    found.push({ rule: capacity.name, ...short, ...(canHelp ? { remedy } : {}) });
  }
  return [...found, ...ofDevices({ node, use, replica })];
}

/**
 * One amount, as if of the others nothing were asked or taken. Spelled out: it is made for every
 * node of a fleet.
 */
const amountOfOnly = (of: Amounts, amount: AmountName): Amounts => ({
  cpuMillis: amount === "cpuMillis" ? of.cpuMillis : 0,
  memoryMiB: amount === "memoryMiB" ? of.memoryMiB : 0,
  deviceMillis: amount === "deviceMillis" ? of.deviceMillis : 0,
});

const useOfOnly = (use: NodeUse, amount: AmountName): NodeUse => ({
  cpuMillis: amount === "cpuMillis" ? use.cpuMillis : 0,
  memoryMiB: amount === "memoryMiB" ? use.memoryMiB : 0,
  deviceMillis: amount === "deviceMillis" ? use.deviceMillis : 0,
  replicas: use.replicas,
  devices: use.devices,
  held: use.held,
});

function ofDevices({ node, use, replica }: Placing): Obstacle[] {
  const { ask } = replica.spec.template;
  const misfit = devices.check({ node, use }, ask);
  const { device } = ask;
  if (misfit === undefined || device === undefined) return [];
  const there = node.spec.pools
    .filter((pool) => matchesPool(pool, device))
    .reduce((sum, pool) => sum + pool.ids.length, 0);
  const count = device.count - Number(misfit.actual);
  const remedy = { kind: "free-devices", node: node.meta.name, count } as const;
  return [{ rule: devices.name, ...misfit, ...(there >= device.count ? { remedy } : {}) }];
}

function ofNeighbours({ node, replica }: Placing, around: Surroundings): readonly Obstacle[] {
  if (around.rules.length === 0) return [];
  return around.rules.flatMap((rule) => {
    const domain = domainOf(node, rule.by);
    const fewest = fewestOf(rule, replica.spec.template.ask, around);
    if (!rule.forbids(domain, fewest)) return [];
    return [neighbourObstacle(rule, { domain, fewest })];
  });
}

function neighbourObstacle(
  { name, by, counts }: NeighbourRule,
  { domain, fewest }: { readonly domain: string | undefined; readonly fewest: number },
): Obstacle {
  if (domain === undefined) {
    return { rule: name, what: by, expected: `a ${by}`, actual: "the node has none" };
  }
  const count = counts.get(domain) ?? 0;
  const actual = `${count} in ${domain}`;
  const what = by;
  switch (name) {
    case "spread":
      return {
        rule: name,
        what,
        expected: `at most maxSkew above the lowest count, ${fewest}`,
        actual: `${count + 1} in ${domain} with this one`,
        remedy: { kind: "loosen-spread", by, maxSkew: count + 1 - fewest },
      };
    case "max-per-node":
      return {
        rule: name,
        what,
        expected: "fewer replicas of its workload",
        actual,
        remedy: { kind: "raise-max-per-node", to: count + 1 },
      };
    case "affinity":
      return { rule: name, what, expected: "a replica matching its affinity", actual };
    default:
      return { rule: name, what, expected: "no replica matching its anti-affinity", actual };
  }
}

/** How many the emptiest place has, among the places of nodes that may be used at all. */
function fewestOf(rule: NeighbourRule, ask: Ask, around: Surroundings): number {
  if (rule.looksAt !== "fewest") return 0;
  const { nodes, objects } = around;
  const known = around.fewest.get(rule.by);
  if (known !== undefined) return known;
  let fewest: number | undefined;
  for (const node of nodes) {
    const domain = domainOf(node, rule.by);
    const count = domain === undefined ? undefined : (rule.counts.get(domain) ?? 0);
    if (count === undefined || (fewest !== undefined && count >= fewest)) continue;
    const candidate = { node, use: objects.useOf(node.meta.name) };
    if (isAvoided(node, around.overrides)) continue;
    if (STATIC_RULES.every((each) => each.check(candidate, ask) === undefined)) fewest = count;
  }
  around.fewest.set(rule.by, fewest ?? 0);
  return fewest ?? 0;
}

function ofRegion({ node, replica }: Placing, { quotas }: Surroundings): readonly Obstacle[] {
  const { region } = node.spec;
  const tenant = replica.meta.namespace;
  const room = regionRoom(quotas, tenant, region);
  const { amounts } = replica.spec.template.ask;
  const short = room && shortage(amounts, room);
  if (room === undefined || short === undefined) return [];
  const bound = { of: "region", tenant, region } as const;
  const amount = amounts[short] - room[short];
  return [
    {
      rule: REGION_QUOTA,
      code: "quota-exceeded",
      what: `quota of ${tenant} in ${region}, ${short}`,
      expected: amounts[short],
      actual: room[short],
      remedy: { kind: "raise-quota", bound, name: short, amount },
    },
  ];
}
