/**
 * Changes that may give a replica a place, node by node: what would lift every rule that rejects
 * the node. Each is only an idea until it was tried.
 */
import type { Node, Replica } from "../model/objects.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import { keptRooms, useFor } from "../rules/obstacles/budget-rule.ts";
import type { Surroundings } from "../rules/obstacles/obstacle.ts";
import { obstaclesOf, surroundingsOf } from "../rules/obstacles/obstacles.ts";
import { type Placing, rankOf, type Remedy, sizeOf } from "../rules/obstacles/remedy.ts";
import type { Raise } from "./quota-copy.ts";
import type { Suggestion } from "./suggestion.ts";

/** Each is asked a dozen questions; this many take some tens of milliseconds. */
const NODES_LOOKED_AT = 20_000;
/** Who would have to change more at once is better served by a new node. */
const REMEDIES_AT_ONCE = 3;
const SUGGESTED = 8;
/** Verified at most; the smallest come first. */
const TRIED = 64;

export interface Idea {
  readonly remedies: readonly Remedy[];
  readonly placing: Placing;
  readonly size: number;
  readonly rank: number;
  opens: number;
}

export interface Ideas {
  /** The smallest first. */
  readonly ideas: readonly Idea[];
  readonly around: Surroundings;
  /** The first node that no rule rejects. */
  readonly open?: string;
  readonly nodesLookedAt: number;
  readonly nodes: number;
  readonly beyondHelp: Readonly<Record<string, number>>;
}

/** `raises` are part of every idea: without them it does not get as far as looking for a node. */
export function ideasFor(objects: ObjectIndex, replica: Replica, raises: readonly Raise[]): Ideas {
  const all = [...objects.all("Node").values()].toSorted((a, b) =>
    a.meta.name < b.meta.name ? -1 : 1,
  );
  const kept = keptRooms(objects, replica);
  const around = surroundingsOf(replica, { objects, quotas: objects, nodes: all, kept });
  const looked = all.slice(0, NODES_LOOKED_AT);
  const ideas = new Map<string, Idea>();
  const beyondHelp: Record<string, number> = {};
  const counted = { around, nodes: all.length, nodesLookedAt: looked.length, beyondHelp };
  for (const node of looked) {
    const use = useFor(objects, { node: node.meta.name, replica, kept });
    const placing = { node, use, replica };
    const obstacles = obstaclesOf(placing, around);
    if (obstacles.length === 0 && raises.length === 0) {
      return { ideas: [], open: node.meta.name, ...counted };
    }
    const stuck = obstacles.find(({ remedy }) => remedy === undefined);
    if (stuck !== undefined) {
      beyondHelp[stuck.rule] = (beyondHelp[stuck.rule] ?? 0) + 1;
      continue;
    }
    noteIdea(ideas, placing, [...raises, ...obstacles.flatMap(({ remedy }) => remedy ?? [])]);
  }
  return { ideas: [...ideas.values()].toSorted(compare), ...counted };
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

/** Fewer changes first, then smaller ones, then those that are done more lightly. */
export const compare = (a: Idea, b: Idea): number =>
  a.remedies.length - b.remedies.length ||
  a.size - b.size ||
  a.rank - b.rank ||
  (a.placing.node.meta.name < b.placing.node.meta.name ? -1 : 1);

export function ideaOf(placing: Placing, remedies: readonly Remedy[]): Idea {
  const { amounts } = placing.replica.spec.template.ask;
  let size = 0;
  let rank = 0;
  for (const remedy of remedies) {
    size += sizeOf(remedy, amounts);
    rank += rankOf(remedy);
  }
  return { remedies, placing, size, rank, opens: 1 };
}

/**
 * The best of each sort in each zone: ten nodes that lack the same say no more than the one that
 * lacks least. `tried` answers what is told of an idea that holds.
 */
export function bestOfEach(
  sorted: readonly Idea[],
  tried: (idea: Idea) => Suggestion | undefined,
): readonly Suggestion[] {
  const told = new Set<string>();
  const verified: Suggestion[] = [];
  let count = 0;
  for (const idea of sorted) {
    if (verified.length === SUGGESTED || count === TRIED) break;
    const { zone } = idea.placing.node.spec;
    const sort = [zone, ...idea.remedies.map(({ kind }) => kind)].join(" ");
    if (told.has(sort)) continue;
    count += 1;
    const suggestion = tried(idea);
    if (suggestion === undefined) continue;
    told.add(sort);
    verified.push(suggestion);
  }
  return verified;
}

/** The nodes that there would be with this one as it is after the changes. */
export const nodesWith = (nodes: readonly Node[], changed: Node): readonly Node[] =>
  nodes.map((each) => (each.key === changed.key ? changed : each));
