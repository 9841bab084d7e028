/** Nodes like those that there are, in a zone that has some: what a person can order. */
import { nodeKey, type Uid } from "../../core/model/ids.ts";
import type { Node, Replica } from "../../core/model/objects.ts";
import { countText } from "../../core/model/text/count-text.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { emptyNodeUse } from "../../core/observe/usage.ts";
import { firstMisfit } from "../../core/rules/feasibility/feasibility.ts";
import type { Candidate } from "./candidate.ts";

/** Shapes and zones that are tried; more would take minutes and tell little more. */
const SHAPES_MOST = 8;

/** Nodes to add, each like one that is there and in its zone. */
export type NodeOrder = readonly { readonly like: Node; readonly count: number }[];

export const nodesIn = (order: NodeOrder): number =>
  order.reduce((sum, { count }) => sum + count, 0);

/** One more like it. */
export function plusOne(order: NodeOrder, like: Node): NodeOrder {
  const known = order.find((each) => each.like === like);
  const others = order.filter((each) => each !== known);
  return [...others, { like, count: (known?.count ?? 0) + 1 }];
}

/** Of each zone the smallest node that would take the replica when it is empty. */
export function shapesFor(
  objects: ObjectIndex,
  replica: Replica,
  lost: ReadonlySet<string>,
): readonly Node[] {
  const smallest = new Map<string, Node>();
  const nodes = [...objects.all("Node").values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  for (const node of nodes) {
    const { meta, spec } = node;
    const candidate = { node: fresh(node, meta.name), use: emptyNodeUse() };
    if (firstMisfit(candidate, replica.spec.template.ask) !== undefined) continue;
    const place = `${spec.region} ${spec.zone}`;
    const known = smallest.get(place);
    if (known === undefined || isSmaller(node, known)) smallest.set(place, node);
  }
  // What survives the worst loss helps most often.
  const all = [...smallest.values()];
  const survive = all.filter(({ meta }) => !lost.has(meta.name));
  return [...survive, ...all.filter((each) => !survive.includes(each))].slice(0, SHAPES_MOST);
}

function isSmaller(a: Node, b: Node): boolean {
  const [x, y] = [a.spec.capacity, b.spec.capacity];
  return (
    x.deviceMillis < y.deviceMillis ||
    (x.deviceMillis === y.deviceMillis &&
      (x.cpuMillis < y.cpuMillis || (x.cpuMillis === y.cpuMillis && x.memoryMiB < y.memoryMiB)))
  );
}

export function addNodes(objects: ObjectIndex, order: NodeOrder): Candidate {
  const inOrder = order.toSorted((a, b) => (a.like.key < b.like.key ? -1 : 1));
  const added = inOrder.flatMap(({ like, count }) =>
    newNames(objects, like, count).map((name) => fresh(like, name)),
  );
  const parts = inOrder.map(
    ({ like, count }) =>
      `${countText(count, "node")} like ${like.meta.name} in zone ${like.spec.zone}`,
  );
  return { change: `add ${parts.join(" and ")}`, applied: added, changed: added };
}

function newNames(objects: ObjectIndex, { meta }: Node, count: number): readonly string[] {
  const names: string[] = [];
  for (let number = 1; names.length < count; number += 1) {
    const name = `${meta.name}-more-${number}`;
    if (objects.nodeNamed(name) === undefined) names.push(name);
  }
  return names;
}

/** Empty and healthy, with the labels of the one that it is like but for those that name it. */
function fresh({ meta, spec, status, ...node }: Node, name: string): Node {
  const { drain: _, pool: __, supply: ___, ...machine } = spec;
  const labels = Object.fromEntries(
    Object.entries(meta.labels).map(([key, value]) => [key, value === meta.name ? name : value]),
  );
  return {
    ...node,
    key: nodeKey(name),
    meta: { ...meta, name, uid: name as Uid, labels, deletingMs: undefined },
    spec: { ...machine, cordons: [], draining: false },
    status: { health: "ready", healthSinceMs: 0, session: status.session, evidence: undefined },
  };
}
