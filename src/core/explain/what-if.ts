/**
 * The smallest changes that would give a waiting replica a place. Each one is made on a copy and
 * the real rules are asked again: what they still turn away is not told. Nothing is promised by it:
 * others may take the room first.
 */
import { nodeKey } from "../model/ids.ts";
import type { Ask, DevicePool, Node, Replica } from "../model/objects.ts";
import { AMOUNT_NAMES } from "../model/amounts.ts";
import { quotaShort } from "../observe/accounts/quota-room.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import { emptyNodeUse } from "../observe/usage.ts";
import { keptRooms, useFor } from "../rules/obstacles/budget-rule.ts";
import type { Obstacle, Surroundings } from "../rules/obstacles/obstacle.ts";
import { obstaclesOf, surroundingsOf } from "../rules/obstacles/obstacles.ts";
import { type Raise, withRaises } from "./quota-copy.ts";
import {
  type Placing,
  rankOf,
  type Remedy,
  sizeOf,
  withRemedy,
} from "../rules/obstacles/remedy.ts";

export interface Suggestion {
  readonly remedies: readonly Remedy[];
  /** A node that would take it then. */
  readonly node: string;
  /** How many nodes the same change would open. */
  readonly opens: number;
}

export interface WhatIf {
  readonly suggestions: readonly Suggestion[];
  /** Set: it would be placed as things are, so it waits for something else. */
  readonly fitsNow?: string;
  readonly nodesLookedAt: number;
  readonly nodes: number;
  /**
   * Nodes that no change of a workload, a quota or a hold would open, by the rule that turns them
   * away.
   */
  readonly beyondHelp: Readonly<Record<string, number>>;
}

/** Each is asked a dozen questions; this many take some tens of milliseconds. */
const NODES_LOOKED_AT = 20_000;
/** Who would have to change more at once is better served by a new node. */
const REMEDIES_AT_ONCE = 3;
const SUGGESTED = 8;
/** Verified at most; the smallest come first. */
const TRIED = 64;

/** Why the replica is not on this node, or not yet: every rule that turns it away. */
export function whyNot(objects: ObjectIndex, replica: Replica, name: string): readonly Obstacle[] {
  const node = objects.node(nodeKey(name));
  if (node === undefined) return [];
  const nodes = [...objects.all("Node").values()];
  const kept = keptRooms(objects, replica);
  const use = useFor(objects, { node: name, replica, kept });
  const around = surroundingsOf(replica, { objects, quotas: objects, nodes, kept });
  return [...quotaObstacles(objects, replica), ...obstaclesOf({ node, use, replica }, around)];
}

/** Of one that holds no quota yet. */
function quotaObstacles(objects: ObjectIndex, replica: Replica): readonly Obstacle[] {
  return raisesFor(objects, replica).map((remedy) => ({
    rule: "quota",
    code: "quota-exceeded",
    what: `${remedy.bound.of} quota of ${remedy.bound.tenant}, ${remedy.name}`,
    expected: replica.spec.template.ask.amounts[remedy.name],
    actual: replica.spec.template.ask.amounts[remedy.name] - remedy.amount,
    remedy,
  }));
}

/**
 * What would have to be raised so that the replica could be queued; found by asking again after
 * each raise.
 */
function raisesFor(objects: ObjectIndex, { meta, spec, status }: Replica): readonly Raise[] {
  if (status.stage !== "admitted") return [];
  const { namespace: tenant } = meta;
  const { ask, priorityClass } = spec.template;
  const raises: Raise[] = [];
  // Each of three bounds may be short of each amount.
  for (let round = 0; round < 3 * AMOUNT_NAMES.length; round += 1) {
    const copy = withRaises(objects, tenant, raises);
    const short = quotaShort(copy, { tenant, priorityClass, amounts: ask.amounts });
    if (short === undefined) return raises;
    const bound: Raise["bound"] =
      short.bound === "class" ? { of: "class", tenant, priorityClass } : { of: "tenant", tenant };
    const amount = ask.amounts[short.name] - short.room;
    raises.push({ kind: "raise-quota", bound, name: short.name, amount });
  }
  return raises;
}

interface Idea {
  readonly remedies: readonly Remedy[];
  readonly placing: Placing;
  readonly size: number;
  readonly rank: number;
  opens: number;
}

export function whatIf(objects: ObjectIndex, replica: Replica): WhatIf {
  const all = [...objects.all("Node").values()].toSorted((a, b) =>
    a.meta.name < b.meta.name ? -1 : 1,
  );
  const kept = keptRooms(objects, replica);
  const around = surroundingsOf(replica, { objects, quotas: objects, nodes: all, kept });
  const raises = raisesFor(objects, replica);
  const looked = all.slice(0, NODES_LOOKED_AT);
  const ideas = new Map<string, Idea>();
  const beyondHelp: Record<string, number> = {};
  const counted = { nodes: all.length, nodesLookedAt: looked.length, beyondHelp };
  for (const node of looked) {
    const use = useFor(objects, { node: node.meta.name, replica, kept });
    const placing = { node, use, replica };
    const obstacles = obstaclesOf(placing, around);
    if (obstacles.length === 0 && raises.length === 0) {
      return { suggestions: [], fitsNow: node.meta.name, ...counted };
    }
    const stuck = obstacles.find(({ remedy }) => remedy === undefined);
    if (stuck !== undefined) {
      beyondHelp[stuck.rule] = (beyondHelp[stuck.rule] ?? 0) + 1;
      continue;
    }
    noteIdea(ideas, placing, [...raises, ...obstacles.flatMap(({ remedy }) => remedy ?? [])]);
  }
  const sorted = [...ideas.values()].toSorted(compare);
  const verified = bestOfEach(sorted, around);
  const added = addedNode(replica, around, raises);
  return { suggestions: added === undefined ? verified : [...verified, added], ...counted };
}

/**
 * The best of each sort in each zone: ten nodes that lack the same say no more than the one that
 * lacks least.
 */
function bestOfEach(sorted: readonly Idea[], around: Surroundings): readonly Suggestion[] {
  const told = new Set<string>();
  const verified: Suggestion[] = [];
  let tried = 0;
  for (const idea of sorted) {
    if (verified.length === SUGGESTED || tried === TRIED) break;
    const { zone } = idea.placing.node.spec;
    const sort = [zone, ...idea.remedies.map(({ kind }) => kind)].join(" ");
    if (told.has(sort)) continue;
    tried += 1;
    if (!holds(idea, around)) continue;
    told.add(sort);
    verified.push(suggestionOf(idea));
  }
  return verified;
}

function noteIdea(ideas: Map<string, Idea>, placing: Placing, remedies: readonly Remedy[]): void {
  if (remedies.length > REMEDIES_AT_ONCE) return;
  // A change of one node helps only there; a change of the workload may open several.
  const isOfNode = remedies.some((remedy) => "node" in remedy);
  const name = isOfNode ? placing.node.meta.name : JSON.stringify(remedies);
  const known = ideas.get(name);
  if (known === undefined) ideas.set(name, ideaOf(placing, remedies));
  else known.opens += 1;
}

const suggestionOf = ({ remedies, placing, opens }: Idea): Suggestion => ({
  remedies,
  node: placing.node.meta.name,
  opens,
});

/** Fewer changes first, then smaller ones, then those that are done more lightly. */
const compare = (a: Idea, b: Idea): number =>
  a.remedies.length - b.remedies.length ||
  a.size - b.size ||
  a.rank - b.rank ||
  (a.placing.node.meta.name < b.placing.node.meta.name ? -1 : 1);

function ideaOf(placing: Placing, remedies: readonly Remedy[]): Idea {
  const { amounts } = placing.replica.spec.template.ask;
  let size = 0;
  let rank = 0;
  for (const remedy of remedies) {
    size += sizeOf(remedy, amounts);
    rank += rankOf(remedy);
  }
  return { remedies, placing, size, rank, opens: 1 };
}

/** Whether every rule, asked again with all of it changed, lets the replica in. */
function holds({ remedies, placing }: Idea, around: Surroundings): boolean {
  const after = remedies.reduce(withRemedy, placing);
  const raised = remedies.filter((each): each is Raise => each.kind === "raise-quota");
  const { meta, spec, status } = after.replica;
  const tenant = meta.namespace;
  const quotas = raised.length === 0 ? around.quotas : withRaises(around.objects, tenant, raised);
  if (status.stage === "admitted") {
    const { ask, priorityClass } = spec.template;
    if (quotaShort(quotas, { tenant, priorityClass, amounts: ask.amounts })) return false;
  }
  const nodes = around.nodes.map((each) => (each.key === after.node.key ? after.node : each));
  const { objects } = around;
  const released = remedies.flatMap((each) =>
    each.kind === "release-override" ? [each.override] : [],
  );
  const overrides = around.overrides.filter((each) => !released.includes(each.meta.name));
  const granted = remedies.flatMap((each) => (each.kind === "grant-budget" ? [each.region] : []));
  const { kept } = around;
  const then = surroundingsOf(after.replica, {
    objects,
    quotas,
    nodes,
    overrides,
    kept,
    granted,
  });
  return obstaclesOf(after, then).length === 0;
}

/** A node of exactly the size that is asked for, in the first place in which it would help. */
function addedNode(
  replica: Replica,
  around: Surroundings,
  raises: readonly Raise[],
): Suggestion | undefined {
  const { ask } = replica.spec.template;
  for (const { region, zone } of placesOf(ask, around.nodes)) {
    const node = newNode(ask, region, zone);
    const { amounts, device } = ask;
    const asked = device === undefined ? {} : { device };
    const remedy = { kind: "add-node", region, zone, amounts, ...asked } as const;
    const placing = { node, use: emptyNodeUse(), replica };
    const idea = ideaOf(placing, [...raises, remedy]);
    if (holds(idea, { ...around, nodes: [...around.nodes, node] })) return suggestionOf(idea);
  }
  return undefined;
}

interface Location {
  readonly region: string;
  readonly zone: string;
}

/** The places there are and those that the workload names, as far as it allows them. */
function placesOf({ regions, zones }: Ask, nodes: readonly Node[]): readonly Location[] {
  const known = new Map<string, Location>();
  for (const { spec } of nodes) {
    if (regions.length > 0 && !regions.includes(spec.region)) continue;
    if (zones.length > 0 && !zones.includes(spec.zone)) continue;
    known.set(`${spec.region} ${spec.zone}`, { region: spec.region, zone: spec.zone });
  }
  if (known.size === 0) {
    return [{ region: regions[0] ?? "a-region", zone: zones[0] ?? "a-zone" }];
  }
  return [...known.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, place]) => place);
}

export const NEW_NODE = "(a new node)";

function newNode(ask: Ask, region: string, zone: string): Node {
  const wanted = (ask.nodeExpressions ?? []).flatMap(({ key, operator, values }) =>
    operator === "in" || operator === "exists" ? [[key, values[0] ?? "true"] as const] : [],
  );
  const labels = { ...Object.fromEntries(wanted), ...ask.nodeSelector };
  return {
    kind: "Node",
    key: nodeKey(NEW_NODE),
    meta: {
      namespace: "",
      name: NEW_NODE,
      uid: "" as Node["meta"]["uid"],
      generation: 1,
      revision: 0,
      createdMs: 0,
      labels,
      finalizers: [],
      deletingMs: undefined,
    },
    spec: {
      region,
      zone,
      capacity: { ...ask.amounts, deviceMillis: (ask.device?.count ?? 0) * 1000 },
      pools: poolsOf(ask),
      taints: [],
      cordons: [],
      draining: false,
    },
    status: { health: "ready", healthSinceMs: 0, session: 1, evidence: undefined },
  };
}

function poolsOf({ device }: Ask): readonly DevicePool[] {
  if (device === undefined) return [];
  const ids = Array.from({ length: device.count }, (_, at) => `new-${at}`);
  return [{ class: device.class, model: device.models[0] ?? "", ids }];
}
