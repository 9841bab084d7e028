/**
 * The constraint that binds first when a replica finds no place, by name: nodes that the replica
 * may use at all are looked at before others, a rule about neighbours that keeps it from a node
 * with room before a lack of room, and of several amounts the one that is short on most nodes.
 */
import type { Node, NodeExpression, Replica } from "../../core/model/objects.ts";
import { workloadOf } from "../../core/model/workload-of.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { deviceAskText } from "../../core/rules/feasibility/devices.ts";
import { matchesPool } from "../../core/rules/feasibility/matches-pool.ts";
import { NEIGHBOUR_RULES, STATIC_RULES } from "../../core/rules/feasibility/feasibility.ts";
import { keptRooms, useFor } from "../../core/rules/obstacles/budget-rule.ts";
import type { Obstacle } from "../../core/rules/obstacles/obstacle.ts";
import { obstaclesOf, surroundingsOf } from "../../core/rules/obstacles/obstacles.ts";
import { workloadText } from "./capacity-question.ts";

interface Judged {
  readonly node: Node;
  readonly obstacles: readonly Obstacle[];
}

/** Reasons that belong to the node: no room that is made there would help. */
const OF_NODE: ReadonlySet<string> = new Set([
  ...STATIC_RULES.map(({ name }) => name),
  "override",
  "region-partitioned",
]);

/** Reasons that belong to the neighbours: more room there would not help either. */
const OF_NEIGHBOURS: ReadonlySet<string> = new Set([
  ...NEIGHBOUR_RULES.map(({ name }) => name),
  "spread",
  "affinity",
  "region-quota",
]);

export function nameBinding(
  objects: ObjectIndex,
  replica: Replica,
  lost: ReadonlySet<string>,
): string {
  const nodes = [...objects.all("Node").values()].filter(
    ({ meta, spec }) => !lost.has(meta.name) && spec.supply !== "soft",
  );
  if (nodes.length === 0) return "no node is left";
  const judged = judgeAll(objects, replica, nodes);
  const open = judged.filter(({ obstacles }) => !obstacles.some(({ rule }) => OF_NODE.has(rule)));
  if (open.length === 0) return labelOfMost(nearest(judged), replica);
  const beside = open.filter(({ obstacles }) => obstacles.every(isAboutNeighbours));
  const short = open.filter(({ obstacles }) => !obstacles.some(isAboutNeighbours));
  if (beside.length === 0) return labelOfMost(nearest(short.length > 0 ? short : open), replica);
  const rule = labelOfMost(nearest(beside), replica);
  return short.length === 0 ? rule : `${rule}, with ${labelOfMost(nearest(short), replica)}`;
}

const isAboutNeighbours = ({ rule }: Obstacle): boolean => OF_NEIGHBOURS.has(rule);

function judgeAll(
  objects: ObjectIndex,
  replica: Replica,
  nodes: readonly Node[],
): readonly Judged[] {
  const kept = keptRooms(objects, replica);
  const around = surroundingsOf(replica, { objects, quotas: objects, nodes, kept });
  return nodes.flatMap((node) => {
    const use = useFor(objects, { node: node.meta.name, replica, kept });
    const obstacles = obstaclesOf({ node, use, replica }, around);
    return obstacles.length === 0 ? [] : [{ node, obstacles }];
  });
}

/** Those that the fewest reasons keep closed. */
function nearest(judged: readonly Judged[]): readonly Judged[] {
  const least = Math.min(...judged.map(({ obstacles }) => obstacles.length));
  return judged.filter(({ obstacles }) => obstacles.length === least);
}

function labelOfMost(judged: readonly Judged[], replica: Replica): string {
  const nodesOf = new Map<string, { readonly of: Obstacle; readonly nodes: Node[] }>();
  for (const { node, obstacles } of judged) {
    for (const of of obstacles) {
      const name = `${of.rule} ${of.rule === "capacity" ? of.what : ""}`;
      const known = nodesOf.get(name);
      if (known === undefined) nodesOf.set(name, { of, nodes: [node] });
      else known.nodes.push(node);
    }
  }
  const [most] = [...nodesOf.values()].toSorted((a, b) => b.nodes.length - a.nodes.length);
  return most === undefined ? "no rule rejects it" : labelOf(most.of, most.nodes, replica);
}

const AMOUNT_TEXTS: Readonly<Record<string, string>> = {
  cpuMillis: "CPU",
  memoryMiB: "memory",
  deviceMillis: "devices",
};

function labelOf({ rule, what }: Obstacle, nodes: readonly Node[], replica: Replica): string {
  const of = workloadText(workloadOf(replica));
  const { ask } = replica.spec.template;
  switch (rule) {
    case "capacity":
      return `${AMOUNT_TEXTS[what] ?? what} ${placeText(nodes)}`;
    case "devices":
      return deviceText(replica, nodes);
    case "max-replicas":
      return `the cap of replicas per node ${placeText(nodes)}`;
    case "spread":
      return `spread of ${of} over ${what}s`;
    case "max-per-node":
      return `the cap of replicas of ${of} per node`;
    case "anti-affinity":
    case "affinity":
      return `${rule} of ${of} over ${what}s`;
    case "region-quota":
      return `quota of tenant ${replica.meta.namespace} ${placeText(nodes)}`;
    case "fixed-port":
      return `a fixed port of ${of}`;
    case "driver":
      return `driver ${ask.driver ?? ""}`;
    case "node-selector":
      return `node label ${Object.entries(ask.nodeSelector)
        .map(([key, value]) => `${key}=${value}`)
        .join(", ")}`;
    case "node-expressions":
      return `node expression ${(ask.nodeExpressions ?? []).map(expressionText).join(", ")}`;
    default:
      return `${rule} ${placeText(nodes)}`;
  }
}

/** e.g. "topology.kubernetes.io/zone in eu-1a" */
const expressionText = ({ key, operator, values }: NodeExpression): string =>
  [key, operator, ...(values.length === 0 ? [] : [values.join(" or ")])].join(" ");

function deviceText({ spec }: Replica, nodes: readonly Node[]): string {
  const { device } = spec.template.ask;
  if (device === undefined) return "devices";
  const there = nodes.filter((node) => node.spec.pools.some((pool) => matchesPool(pool, device)));
  const model = device.models.length === 0 ? "device" : "device model";
  const name = device.models.length === 0 ? deviceAskText(device) : device.models.join(" or ");
  return `${model} ${name} ${there.length === 0 ? "on no node that is left" : placeText(there)}`;
}

/** Longer lists of places are read by no person. */
const PLACES_NAMED = 3;

function placeText(nodes: readonly Node[]): string {
  const zones = [...new Set(nodes.map(({ spec }) => spec.zone))].toSorted();
  const [zone] = zones;
  if (nodes.length === 1) return `on node ${nodes[0]?.meta.name ?? ""}`;
  if (zones.length === 1) return `in zone ${zone ?? ""}`;
  const regions = [...new Set(nodes.map(({ spec }) => spec.region))].toSorted();
  if (zones.length <= PLACES_NAMED) return `in zones ${andText(zones)}`;
  if (regions.length <= PLACES_NAMED) {
    return `in region${regions.length === 1 ? "" : "s"} ${andText(regions)}`;
  }
  return `on all ${nodes.length} nodes that are left`;
}

const andText = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
