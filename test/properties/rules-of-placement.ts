/** The rules about which nodes a replica may have and whom it may be with (BD3 to BD15). */
import type { AffinityTerm, Ask, Labels, NodeExpression } from "../../src/core/model/objects.ts";
import type { BrokenRules } from "./broken-rules.ts";
import {
  every,
  find,
  freeUnits,
  isOnANode,
  MEASURES,
  type ModelState,
  type NodeThing,
  type ReplicaThing,
  replicasOn,
  sum,
} from "./model-state.ts";
import { nodeKey } from "../../src/core/model/ids.ts";

export function nodeRules(
  { spec, labels, ...node }: NodeThing,
  ask: Ask,
  broken: BrokenRules,
): void {
  const heldBack =
    spec.cordons.length > 0 ||
    spec.draining ||
    node.deletingMs !== undefined ||
    node.health !== "ready" ||
    node.heldSinceMs !== undefined;
  broken.add("node-not-schedulable", heldBack);
  broken.add("supply-is-soft", spec.supply === "soft");
  const elsewhere =
    (ask.regions.length > 0 && !ask.regions.includes(spec.region)) ||
    (ask.zones.length > 0 && !ask.zones.includes(spec.zone));
  broken.add("location-not-allowed", elsewhere);
  const said = ask.nodeExpressions ?? [];
  const isSelected = has(labels, ask.nodeSelector) && said.every((one) => isTrue(one, labels));
  broken.add("node-not-selected", !isSelected);
  const repelled = spec.taints
    .filter(({ effect }) => effect === "no-schedule")
    .some(
      (taint) =>
        !ask.tolerations.some(
          ({ key, value, effect }) =>
            ["", taint.key].includes(key) &&
            ["", taint.value].includes(value) &&
            ["", taint.effect].includes(effect ?? ""),
        ),
    );
  broken.add("taint-not-tolerated", repelled);
  // No agent of a walk says anything of drivers, and one that spoke runs plain processes.
  const isPlain = node.session > 0 && ask.driver !== undefined && ask.driver !== "process";
  broken.add("driver-missing", isPlain);
}

const has = (labels: Labels, wanted: Labels): boolean =>
  Object.entries(wanted).every(([label, value]) => labels[label] === value);

function isTrue({ key, operator, values }: NodeExpression, labels: Labels): boolean {
  const label = labels[key];
  switch (operator) {
    case "exists":
      return label !== undefined;
    case "does-not-exist":
      return label === undefined;
    case "in":
      return values.some((value) => value === label);
    case "not-in":
      return !values.some((value) => value === label);
    case "gt":
      return Number(label) > Number(values[0]);
    case "lt":
      return Number(label) < Number(values[0]);
  }
}

/** BD4, BD5 and BD11: is there room for it beside those who hold the node, whichever units it is given? */
export function roomRules(state: ModelState, node: NodeThing, ask: Ask, broken: BrokenRules): void {
  const { capacity, maxReplicas } = node.spec;
  const here = replicasOn(state, node.name);
  broken.add("node-full", maxReplicas !== undefined && here.length >= maxReplicas);
  const asked = sum([...here.map(({ template }) => template.ask.amounts), ask.amounts]);
  const isFull = MEASURES.some((measure) => asked[measure] > capacity[measure]);
  broken.add("node-full", isFull);
  broken.add("device-taken", freeUnits(state, node, ask).length < (ask.device?.count ?? 0));
}

/** BD5 and BD9: exactly as many distinct units as it asks for, each of them free for it. */
export function unitRules(
  state: ModelState,
  node: NodeThing,
  { ask, chosen }: { readonly ask: Ask; readonly chosen: readonly string[] },
  broken: BrokenRules,
): void {
  const free = freeUnits(state, node, ask);
  const twice = chosen.some((id, at) => chosen.indexOf(id) !== at);
  const areFree = chosen.every((id) => free.includes(id));
  broken.add("device-taken", chosen.length !== (ask.device?.count ?? 0) || twice || !areFree);
}

export function neighbourRules(
  state: ModelState,
  node: NodeThing,
  replica: ReplicaThing,
  broken: BrokenRules,
): void {
  const siblings = replicasOn(state, node.name).filter(
    ({ workloadBorn, templateGeneration }) =>
      workloadBorn === replica.workloadBorn && templateGeneration === replica.templateGeneration,
  );
  const { maxPerNode } = replica.template;
  broken.add("too-many-on-node", maxPerNode !== undefined && siblings.length >= maxPerNode);
  const ports = Object.values(replica.template.ask.fixedPorts ?? {});
  const isTaken = replicasOn(state, node.name).some(({ template }) =>
    Object.values(template.ask.fixedPorts ?? {}).some((port) => ports.includes(port)),
  );
  broken.add("port-taken", isTaken);
  const placed = every(state, "Replica").filter(isOnANode);
  const minds = placed.some((other) => {
    const there = find(state, "Node", nodeKey(other.node!));
    if (there === undefined) return false;
    return (
      (replica.template.affinity?.antiRequired ?? []).some(
        (term) => means(term, replica, other) && isOnePlace(term.by, node, there),
      ) ||
      (other.template.affinity?.antiRequired ?? []).some(
        (term) => means(term, other, replica) && isOnePlace(term.by, node, there),
      )
    );
  });
  broken.add("kept-apart", minds);
}

const means = (term: AffinityTerm, of: ReplicaThing, other: ReplicaThing): boolean =>
  (term.tenants ?? [of.namespace]).includes(other.namespace) && has(other.labels, term.labels);

function isOnePlace(by: string, a: NodeThing, b: NodeThing): boolean {
  const place = ({ name, spec, labels }: NodeThing): string | undefined =>
    ({ node: name, zone: spec.zone, region: spec.region })[by] ?? labels[by];
  return place(a) !== undefined && place(a) === place(b);
}
