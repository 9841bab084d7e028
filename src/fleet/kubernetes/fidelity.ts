/**
 * Whether Berth's rules allow what runs today: every replica on its node, asked as if it were to be
 * placed there now beside all others. A rule that says no means something else than Kubernetes'
 * rule, or the cluster changed since the pod was placed, such as a taint that was added later.
 */
import type { AnyObject, Node, Replica } from "../../core/model/objects.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import { firstMisfit, NEIGHBOUR_RULES } from "../../core/rules/feasibility/feasibility.ts";
import { Neighbourhood } from "../../core/rules/feasibility/neighbourhood.ts";
import { groupBy } from "./group-by.ts";

export interface Difference {
  /** The rule of Berth that rejects the pod where it runs. */
  readonly rule: string;
  readonly count: number;
  /** On so many nodes. */
  readonly nodes: number;
  readonly examples: readonly string[];
}

const EXAMPLES = 3;

export function findDifferences(index: ObjectIndex): readonly Difference[] {
  const found = new Map<string, { count: number; nodes: Set<string>; examples: string[] }>();
  const placed = [...index.all("Replica").values()].filter(
    ({ status }) => status.node !== undefined,
  );
  const neighbours = neighboursOf(placed, index);
  const onNodes = new Map<string, ObjectIndex>();
  for (const replica of placed) {
    const { node = "" } = replica.status;
    let onNode = onNodes.get(node);
    if (onNode === undefined) onNodes.set(node, (onNode = oneNode(node, index)));
    const ofTenant = neighbours.get(replica.meta.namespace) as ObjectIndex;
    const difference = differenceOf(replica, { onNode, ofTenant });
    if (difference === undefined) continue;
    const { rule, text } = difference;
    const all = found.get(rule) ?? { count: 0, nodes: new Set(), examples: [] };
    found.set(rule, all);
    all.count += 1;
    all.nodes.add(node);
    if (all.examples.length < EXAMPLES) all.examples.push(text);
  }
  return [...found]
    .map(([rule, { count, nodes, examples }]) => ({ rule, count, nodes: nodes.size, examples }))
    .toSorted((a, b) => b.count - a.count);
}

/**
 * Each replica is taken out of an index and put back. In an index of the whole fleet that costs as
 * much as all neighbour rules of all tenants together, so there are smaller ones: of a node, for the
 * rules about its room, and of tenants that know each other, for the rules about neighbours.
 */
interface Surroundings {
  readonly onNode: ObjectIndex;
  readonly ofTenant: ObjectIndex;
}

function oneNode(name: string, index: ObjectIndex): ObjectIndex {
  const small = new ObjectIndex();
  const node = index.nodeNamed(name);
  if (node !== undefined) put(node, small);
  for (const replica of index.replicasOn(name).values()) put(replica, small);
  return small;
}

/** By tenant; tenants whose terms name each other share one index. */
function neighboursOf(
  placed: readonly Replica[],
  index: ObjectIndex,
): ReadonlyMap<string, ObjectIndex> {
  const groups = new Groups();
  for (const { meta, spec } of placed) {
    groups.join(meta.namespace, meta.namespace);
    for (const { tenants = [] } of spec.template.affinity?.antiRequired ?? []) {
      for (const other of tenants) groups.join(meta.namespace, other);
    }
  }
  const byGroup = groupBy(placed, ({ meta }) => groups.of(meta.namespace));
  const byTenant = new Map<string, ObjectIndex>();
  for (const replicas of byGroup.values()) {
    const small = new ObjectIndex();
    for (const name of new Set(replicas.map(({ status }) => status.node ?? ""))) {
      const node = index.nodeNamed(name);
      if (node !== undefined) put(node, small);
    }
    for (const replica of replicas) {
      put(replica, small);
      byTenant.set(replica.meta.namespace, small);
    }
  }
  return byTenant;
}

/** Names that were joined, directly or through others, are of one group. */
class Groups {
  private readonly above = new Map<string, string>();

  of(name: string): string {
    let top = name;
    for (let up = this.above.get(top); up !== undefined; up = this.above.get(top)) top = up;
    if (top !== name) this.above.set(name, top);
    return top;
  }

  join(a: string, b: string): void {
    const [top, other] = [this.of(a), this.of(b)];
    if (top !== other) this.above.set(other, top);
  }
}

function put(after: AnyObject, index: ObjectIndex): void {
  index.fold({ key: after.key, before: undefined, after });
}

function differenceOf(replica: Replica, { onNode, ofTenant }: Surroundings) {
  const { node: name = "" } = replica.status;
  const node = onNode.nodeNamed(name);
  const pod = `${replica.meta.namespace}/${replica.meta.name}`;
  if (node === undefined) return { rule: "node", text: `${pod}: node ${name} is not in the dump` };
  const misfit =
    without(replica, onNode, () => nodeMisfit(replica, node, onNode)) ??
    without(replica, ofTenant, () => neighbourMisfit(replica, node, ofTenant));
  if (misfit === undefined) return undefined;
  const { rule, what, expected, actual } = misfit;
  return { rule, text: `${pod} on ${name}: ${what} is ${actual}, expected ${expected}` };
}

function nodeMisfit(replica: Replica, node: Node, index: ObjectIndex) {
  const use = index.useOf(node.meta.name);
  const first = firstMisfit({ node, use }, replica.spec.template.ask);
  return first && { rule: first.rule.name, ...first.misfit };
}

function neighbourMisfit(replica: Replica, node: Node, index: ObjectIndex) {
  const neighbours = new Neighbourhood(index.neighbours);
  for (const rule of NEIGHBOUR_RULES) {
    const misfit = rule.check(node, replica, neighbours);
    if (misfit !== undefined) return { rule: rule.name, ...misfit };
  }
  return undefined;
}

/** As if the replica were not there. */
function without<T>(replica: Replica, index: ObjectIndex, ask: () => T): T {
  index.fold({ key: replica.key, before: replica, after: undefined });
  const answer = ask();
  index.fold({ key: replica.key, before: undefined, after: replica });
  return answer;
}
