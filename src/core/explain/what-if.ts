/**
 * The smallest changes that would give a waiting replica a place. Each one is made on a copy and
 * the real rules are asked again: what they still turn away is not told. Nothing is promised by it:
 * others may take the room first.
 */
import { nodeKey } from "../model/ids.ts";
import type { Replica } from "../model/objects.ts";
import { quotaShort } from "../observe/accounts/quota-room.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import { emptyNodeUse } from "../observe/usage.ts";
import { keptRooms, useFor } from "../rules/obstacles/budget-rule.ts";
import type { Obstacle, Surroundings } from "../rules/obstacles/obstacle.ts";
import { obstaclesOf, surroundingsOf } from "../rules/obstacles/obstacles.ts";
import { withRemedy } from "../rules/obstacles/remedy.ts";
import { gangOf } from "./gang-of.ts";
import { gangObstacles, whatIfGang } from "./gang-what-if.ts";
import { bestOfEach, type Idea, ideaOf, ideasFor, nodesWith } from "./ideas.ts";
import { newNode, placesOf } from "./new-node.ts";
import { isRaise, type Raise, withRaises } from "./quota-copy.ts";
import { quotaNeeded, quotaObstacles, raisesFor } from "./quota-obstacles.ts";
import { type Suggestion, type WhatIf, withoutLarger } from "./suggestion.ts";

/** Why the replica is not on this node, or not yet: every rule that turns it away. */
export function whyNot(objects: ObjectIndex, replica: Replica, name: string): readonly Obstacle[] {
  const node = objects.node(nodeKey(name));
  if (node === undefined) return [];
  const nodes = [...objects.all("Node").values()];
  const kept = keptRooms(objects, replica);
  const use = useFor(objects, { node: name, replica, kept });
  const around = surroundingsOf(replica, { objects, quotas: objects, nodes, kept });
  const gang = gangOf(objects, replica);
  return [
    ...quotaObstacles(objects, replica, gang),
    ...obstaclesOf({ node, use, replica }, around),
    ...gangObstacles(objects, gang),
  ];
}

export function whatIf(objects: ObjectIndex, replica: Replica): WhatIf {
  const gang = gangOf(objects, replica);
  const raises = raisesFor(objects, replica, quotaNeeded(replica, gang));
  if (gang !== undefined) return whatIfGang(objects, replica, { gang, raises });
  const { ideas, around, open, ...counted } = ideasFor(objects, replica, raises);
  if (open !== undefined) return { suggestions: [], fitsNow: open, ...counted };
  const verified = bestOfEach(ideas, (idea) =>
    holds(idea, around) ? suggestionOf(idea) : undefined,
  );
  const added = addedNode(replica, around, raises);
  const suggestions = withoutLarger(added === undefined ? verified : [...verified, added]);
  return { suggestions, ...counted };
}

const suggestionOf = ({ remedies, placing, opens }: Idea): Suggestion => ({
  remedies,
  node: placing.node.meta.name,
  opens,
});

/** Whether every rule, asked again with all of it changed, lets the replica in. */
function holds({ remedies, placing }: Idea, around: Surroundings): boolean {
  const after = remedies.reduce(withRemedy, placing);
  const raised = remedies.filter(isRaise);
  const { meta, spec } = after.replica;
  const tenant = meta.namespace;
  const quotas = raised.length === 0 ? around.quotas : withRaises(around.objects, tenant, raised);
  const amounts = quotaNeeded(after.replica, undefined);
  const { priorityClass } = spec.template;
  if (amounts !== undefined && quotaShort(quotas, { tenant, priorityClass, amounts })) return false;
  const { objects, kept } = around;
  const nodes = nodesWith(around.nodes, after.node);
  const released = remedies.flatMap((each) =>
    each.kind === "release-override" ? [each.override] : [],
  );
  const overrides = around.overrides.filter((each) => !released.includes(each.meta.name));
  const granted = remedies.flatMap((each) => (each.kind === "grant-budget" ? [each.region] : []));
  const of = { objects, quotas, nodes, overrides, kept, granted };
  return obstaclesOf(after, surroundingsOf(after.replica, of)).length === 0;
}

/** A node of exactly the size that is asked for, in the first place in which it would help. */
function addedNode(
  replica: Replica,
  around: Surroundings,
  raises: readonly Raise[],
): Suggestion | undefined {
  const { ask } = replica.spec.template;
  for (const place of placesOf(ask, around.nodes)) {
    const node = newNode(ask, place);
    const { amounts, device } = ask;
    const asked = device === undefined ? {} : { device };
    const remedy = { kind: "add-node", ...place, amounts, ...asked } as const;
    const placing = { node, use: emptyNodeUse(), replica };
    const idea = ideaOf(placing, [...raises, remedy]);
    if (holds(idea, { ...around, nodes: [...around.nodes, node] })) return suggestionOf(idea);
  }
  return undefined;
}
