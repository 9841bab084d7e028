/**
 * The changes that would give a whole gang its places. Every idea is made on a copy, and the
 * scheduler's own search then has to place all members, one after the other: what helps one of
 * them alone is not told.
 */
import { times } from "../model/amounts.ts";
import { KINDS } from "../model/ids.ts";
import type { Ask, Replica } from "../model/objects.ts";
import { quotaShort } from "../observe/accounts/quota-room.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import { emptyNodeUse } from "../observe/usage.ts";
import { View } from "../observe/view.ts";
import { type Found, NodeFinder } from "../propose/fleet/node-finder.ts";
import type { Obstacle } from "../rules/obstacles/obstacle.ts";
import { type Remedy, withRemedy } from "../rules/obstacles/remedy.ts";
import { frozenBy } from "../rules/override/wait-for-override.ts";
import { ChangedWorld, type Changed, COPIED_OBJECTS, objectsWith } from "./changed-world.ts";
import type { Gang } from "./gang-of.ts";
import { bestOfEach, compare, type Ideas, ideasFor } from "./ideas.ts";
import { type Location, newNode, placesOf } from "./new-node.ts";
import type { Raise } from "./quota-copy.ts";
import { quotaNeeded } from "./quota-obstacles.ts";
import { type Suggestion, type WhatIf, withoutLarger } from "./suggestion.ts";

interface Case {
  readonly gang: Gang;
  readonly raises: readonly Raise[];
}

interface Place {
  readonly replica: Replica;
  readonly found: Found;
}

/** That the node takes one of them does not help while there is no room for the others. */
export function gangObstacles(objects: ObjectIndex, gang: Gang | undefined): readonly Obstacle[] {
  if (gang === undefined) return [];
  const places = placesFor(objects, gang.members);
  if (places.length === gang.members.length) return [];
  return [
    {
      rule: "gang",
      code: "gang-incomplete",
      what: "members",
      expected: `room for all ${gang.members.length}`,
      actual: `room for ${places.length}`,
    },
  ];
}

export function whatIfGang(objects: ObjectIndex, replica: Replica, given: Case): WhatIf {
  const { gang, raises } = given;
  const places = placesFor(objects, gang.members);
  const told = { gang: { members: gang.members.length, fitting: places.length } };
  const fits = places.length === gang.members.length;
  const own = places.find((each) => each.replica.key === replica.key) ?? places[0];
  if (fits && own !== undefined && raises.length === 0) {
    const nodes = objects.all("Node").size;
    const counted = { nodes, nodesLookedAt: nodes, beyondHelp: {} };
    return { suggestions: [], fitsNow: own.found.node, ...counted, ...told };
  }
  if (objects.size > COPIED_OBJECTS) {
    const { ideas: _, around: __, open: ___, ...counted } = ideasFor(objects, replica, raises);
    return { suggestions: [], ...counted, ...told, oneMemberOnly: true };
  }
  const trial = new GangTrial(objects, replica, given);
  if (fits) {
    const raised = trial.suggestion(raises);
    const { ideas: _, around: __, open: ___, ...counted } = ideasFor(objects, replica, raises);
    return { suggestions: raised === undefined ? [] : [raised], ...counted, ...told };
  }
  return { ...trial.suggestions(places), ...told };
}

/** The members that find a place, each as if those before it were there already. */
function placesFor(objects: ObjectIndex, members: readonly Replica[]): readonly Place[] {
  const [first] = members;
  if (first === undefined || frozenBy(objects, first.meta.namespace).length > 0) return [];
  const view = new View({ kinds: new Set(KINDS), node: undefined });
  view.lookInto({ objects, leaps: 0 });
  const finder = new NodeFinder(view);
  const places: Place[] = [];
  for (const replica of members) {
    const found = finder.find(replica);
    if (found === undefined) break;
    finder.assume(replica, found, 0);
    places.push({ replica, found });
  }
  return places;
}

class GangTrial {
  private readonly world: ChangedWorld;
  private readonly replica: Replica;
  private readonly gang: Gang;
  private readonly raises: readonly Raise[];

  constructor(objects: ObjectIndex, replica: Replica, { gang, raises }: Case) {
    this.world = new ChangedWorld(objects);
    this.replica = replica;
    this.gang = gang;
    this.raises = raises;
  }

  suggestions(
    places: readonly Place[],
  ): Pick<WhatIf, "suggestions" | "nodes" | "nodesLookedAt" | "beyondHelp"> {
    const left = this.gang.members.length - places.length;
    const bound = places.map(boundAt);
    const next = this.gang.members[places.length] ?? this.replica;
    // What is in the way of the next one, once those that fit are there; and of all others at once.
    const one = this.world.during(bound, () => this.ideas(next));
    const rest = this.world.during(bound, () => (left > 1 ? this.ideas(asMany(next, left)) : one));
    const ideas = [...one.ideas, ...(rest === one ? [] : rest.ideas)].toSorted(compare);
    const verified = bestOfEach(ideas, ({ remedies }) => this.tried(remedies, left));
    const added = this.addedNodes(next, left);
    const { nodes, nodesLookedAt, beyondHelp } = one;
    const suggestions = withoutLarger(added === undefined ? verified : [...verified, added]);
    return { suggestions, nodes, nodesLookedAt, beyondHelp };
  }

  /** Of an idea that leaves the count of a bound open, the smallest that is enough. */
  private tried(remedies: readonly Remedy[], left: number): Suggestion | undefined {
    const told = this.suggestion(remedies);
    if (told !== undefined || !remedies.some(isCounted)) return told;
    let [low, high] = [0, left];
    let best = this.suggestion(remedies.map((each) => raisedBy(each, high)));
    while (best !== undefined && high - low > 1) {
      const middle = (low + high) >> 1;
      const smaller = this.suggestion(remedies.map((each) => raisedBy(each, middle)));
      if (smaller === undefined) low = middle;
      else [best, high] = [smaller, middle];
    }
    return best;
  }

  /** What is told of these changes if they place the whole gang. */
  suggestion(remedies: readonly Remedy[]): Suggestion | undefined {
    const { objects } = this.world;
    if (!remedies.every((each) => isHeldByOthers(objects, each))) return undefined;
    const changed = objectsWith(objects, remedies, this.replica);
    const members = this.gang.members.map((member) => withChanges(member, remedies));
    const places = this.world.during(changed, () =>
      this.isShortOfQuota() ? [] : placesFor(objects, members),
    );
    const [first] = places;
    if (first === undefined || places.length < members.length) return undefined;
    const nodes = new Set(places.map(({ found }) => found.node));
    const own = places.find((each) => each.replica.key === this.replica.key) ?? first;
    return { remedies, node: own.found.node, opens: nodes.size };
  }

  private isShortOfQuota(): boolean {
    const { meta, spec } = this.replica;
    const amounts = quotaNeeded(this.replica, this.gang);
    if (amounts === undefined) return false;
    const ask = { tenant: meta.namespace, priorityClass: spec.template.priorityClass, amounts };
    return quotaShort(this.world.objects, ask) !== undefined;
  }

  private ideas(replica: Replica): Ideas {
    return ideasFor(this.world.objects, replica, this.raises);
  }

  /** One node for all that are left, or as many nodes of a member's size; in the first place. */
  private addedNodes(next: Replica, left: number): Suggestion | undefined {
    const { ask } = next.spec.template;
    const nodes = [...this.world.objects.all("Node").values()];
    for (const place of placesOf(ask, nodes)) {
      for (const [of, count] of left === 1 ? ([[ask, 1]] as const) : sizes(ask, left)) {
        const remedies = [...this.raises, addNode(of, place, count)];
        const told = this.suggestion(remedies);
        if (told !== undefined) return told;
      }
    }
    return undefined;
  }
}

const sizes = (ask: Ask, left: number): readonly (readonly [Ask, number])[] => [
  [askFor(ask, left), 1],
  [ask, left],
];

function addNode(ask: Ask, place: Location, count: number): Remedy {
  const { amounts, device } = ask;
  return {
    kind: "add-node",
    ...place,
    amounts,
    ...(device === undefined ? {} : { device }),
    ...(count === 1 ? {} : { count }),
  };
}

function askFor(ask: Ask, count: number): Ask {
  const { amounts, device } = ask;
  const many = { ...ask, amounts: times(amounts, count) };
  return device === undefined
    ? many
    : { ...many, device: { ...device, count: device.count * count } };
}

const asMany = (replica: Replica, count: number): Replica => ({
  ...replica,
  spec: {
    ...replica.spec,
    template: { ...replica.spec.template, ask: askFor(replica.spec.template.ask, count) },
  },
});

const boundAt = ({ replica, found: { node, deviceIds } }: Place): Changed => ({
  key: replica.key,
  after: { ...replica, status: { ...replica.status, stage: "bound", node, deviceIds } },
});

/** The changes of the workload: each member asks for the same. */
function withChanges(replica: Replica, remedies: readonly Remedy[]): Replica {
  const node = newNode(replica.spec.template.ask, { region: "", zone: "" });
  const placing = { node, use: emptyNodeUse(), replica };
  return remedies.reduce(withRemedy, placing).replica;
}

/** Room that only the gang's own members would take cannot be freed for them. */
function isHeldByOthers(objects: ObjectIndex, remedy: Remedy): boolean {
  switch (remedy.kind) {
    case "free":
      return objects.useOf(remedy.node)[remedy.name] >= remedy.amount;
    case "free-place":
      return objects.useOf(remedy.node).replicas > 0;
    case "free-devices":
      return objects.useOf(remedy.node).devices.size >= remedy.count;
    default:
      return true;
  }
}

const isCounted = ({ kind }: Remedy): boolean =>
  kind === "loosen-spread" || kind === "raise-max-per-node";

function raisedBy(remedy: Remedy, more: number): Remedy {
  if (remedy.kind === "loosen-spread") return { ...remedy, maxSkew: remedy.maxSkew + more };
  return remedy.kind === "raise-max-per-node" ? { ...remedy, to: remedy.to + more } : remedy;
}
