/**
 * Whether Berth's rules allow what runs today: every replica on its node, asked as if it were to be
 * placed there now beside all others. A rule that says no means something else than Kubernetes'
 * rule, or the cluster changed since the pod was placed, such as a taint that was added later.
 */
import type { Node, Replica } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { firstMisfit, NEIGHBOUR_RULES } from "../../core/rules/feasibility/feasibility.ts";
import { Neighbourhood } from "../../core/rules/feasibility/neighbourhood.ts";

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
  // A list of its own: each is taken out of the index and put back.
  const placed = [...index.all("Replica").values()].filter(
    ({ status }) => status.node !== undefined,
  );
  for (const replica of placed) {
    const { node = "" } = replica.status;
    const difference = differenceOf(replica, index);
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

function differenceOf(replica: Replica, index: ObjectIndex) {
  const { node: name = "" } = replica.status;
  const node = index.nodeNamed(name);
  const pod = `${replica.meta.namespace}/${replica.meta.name}`;
  if (node === undefined) return { rule: "node", text: `${pod}: node ${name} is not in the dump` };
  return without(replica, index, () => {
    const misfit = misfitOf(replica, node, index);
    if (misfit === undefined) return undefined;
    const { rule, what, expected, actual } = misfit;
    return { rule, text: `${pod} on ${name}: ${what} is ${actual}, expected ${expected}` };
  });
}

function misfitOf(replica: Replica, node: Node, index: ObjectIndex) {
  const use = index.useOf(node.meta.name);
  const first = firstMisfit({ node, use }, replica.spec.template.ask);
  if (first !== undefined) return { rule: first.rule.name, ...first.misfit };
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
