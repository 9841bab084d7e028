/** What controllers could say of many replicas at once in the present state; for one at a time, see proposals.ts. */
import type { Binding, Intent } from "../../src/core/protocol/command.ts";
import type { ObjectKey } from "../../src/core/model/ids.ts";
import type { Stage } from "../../src/core/model/stage.ts";
import { BrokenRules } from "./broken-rules.ts";
import { carryOut } from "./carry-out.ts";
import {
  copyOf,
  every,
  find,
  freeUnits,
  isWanted,
  type ModelState,
  type NodeThing,
  type ReplicaThing,
  wantedWorkload,
} from "./model-state.ts";
import type { Picks } from "./picks.ts";
import { generationOf, operation, type Proposal, INDEXES } from "./proposals.ts";
import { bindOf } from "./rules-of-many.ts";
import { bindingRules } from "./rules-of-replicas.ts";
import { WORKLOADS } from "./desired-states.ts";

/** One that was admitted goes on in the same incarnation; the others begin one. */
const STAGES_DUE: readonly Stage[] = ["released", "failed", "admitted"];

/** Some neighbouring indexes of each workload, each in the incarnation that is due. */
export function enqueues(state: ModelState, picks: Picks): Proposal[] {
  return WORKLOADS.map((workload): Proposal => {
    const generation = generationOf(find(state, "Workload", workload), picks);
    const isDue = (index: number): boolean => {
      const replica = find(state, "Replica", indexKey(workload, generation, index));
      return replica === undefined || STAGES_DUE.includes(replica.stage);
    };
    const due = picks.onceIn(5) ? [...INDEXES] : INDEXES.filter(isDue);
    const indexes = due.slice(0, 1 + (picks.next() % 4)).map((index) => {
      const held = find(state, "Replica", indexKey(workload, generation, index));
      return {
        index,
        incarnation: (held?.incarnation ?? 0) + (held?.stage === "admitted" ? 0 : 1),
      };
    });
    const intent: Intent = { kind: "enqueue", operation, workload, generation, indexes };
    return { role: "admit", intent };
  });
}

const indexKey = (workload: ObjectKey, generation: number, index: number): ObjectKey =>
  `${workload.replace("Workload", "Replica")}.${generation}.${index}` as ObjectKey;

const bindAll = (bindings: readonly Binding[]): Proposal => ({
  role: "place",
  intent: { kind: "bind-all", operation, bindings },
});

/** Several of those in the queue: somewhere, whether or not they fit there together, and where they do fit. */
export function bindAlls(state: ModelState, picks: Picks): Proposal[] {
  const queued = every(state, "Replica").filter(({ stage }) => stage === "queued");
  const nodes = every(state, "Node");
  if (queued.length === 0 || nodes.length === 0) return [];
  const anywhere = nodes.map((node) => {
    const some = queued.slice(0, 1 + (picks.next() % 4));
    return bindAll(roughBindings(state, some, node, picks));
  });
  const groups = [queued.filter((replica) => isWanted(state, replica)), ...queuedGangs(state)];
  const whole = queuedGangs(state)
    .map((group) => ({ group, bindings: fittingBindings(state, group) }))
    .filter(({ group, bindings }) => group.length > 1 && bindings.length === group.length);
  // Few walks bring a gang so far, so one that did places it.
  if (whole.length > 0 && picks.onceIn(2)) return whole.map(({ bindings }) => bindAll(bindings));
  const fitting = groups
    .filter((group) => group.length > 0)
    .map((group) => fittingBindings(state, group));
  return [...anywhere, ...fitting.filter((bindings) => bindings.length > 0).map(bindAll)];
}

/** On one node or on any; devices are chosen as if each were the only one. */
function roughBindings(
  state: ModelState,
  replicas: readonly ReplicaThing[],
  node: NodeThing,
  picks: Picks,
): readonly Binding[] {
  const nodes = every(state, "Node");
  const apart = picks.onceIn(2);
  return replicas.map((replica, at) => {
    const to = apart ? (nodes[(nodes.indexOf(node) + at) % nodes.length] ?? node) : node;
    const count = replica.template.ask.device?.count ?? 0;
    const free = freeUnits(state, to, replica.template.ask);
    const from = picks.onceIn(2) ? 0 : at * count;
    const deviceIds = free.slice(from, from + count);
    return { replica: replica.key, incarnation: replica.incarnation, node: to.name, deviceIds };
  });
}

/** Those of the wanted members of each gang that wait for a node. */
function queuedGangs(state: ModelState): ReplicaThing[][] {
  const members = every(state, "Replica").filter(
    (replica) => replica.stage === "queued" && isWanted(state, replica),
  );
  return every(state, "Workload")
    .filter(({ spec }) => spec.gang !== undefined)
    .map(({ key }) => members.filter((member) => wantedWorkload(state, member)?.key === key));
}

/** One after the other, each where the ones before it leave room; who fits nowhere is left out. */
function fittingBindings(state: ModelState, replicas: readonly ReplicaThing[]): readonly Binding[] {
  const copy = copyOf(state);
  return replicas.flatMap(({ key: replica, incarnation, template: { ask } }) => {
    const choices = every(copy, "Node").map((node): Binding => {
      const deviceIds = freeUnits(copy, node, ask).slice(0, ask.device?.count ?? 0);
      return { replica, incarnation, node: node.name, deviceIds };
    });
    const right = choices.find((binding) => {
      const broken = new BrokenRules();
      bindingRules(copy, bindOf(binding), "place", broken);
      return broken.codes.size === 0;
    });
    if (right === undefined) return [];
    carryOut(copy, bindOf(right), "place");
    return [right];
  });
}
