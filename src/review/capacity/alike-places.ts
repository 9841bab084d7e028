/**
 * Nodes that are alike in all that placement looks at: the same room, the same labels as far as any
 * workload speaks of them, and the same replicas. A loss of one is a loss of the other, but for
 * names and ages, which decide only ties.
 */
import type { Node, Replica, Template } from "../../core/model/objects.ts";
import { workloadOf } from "../../core/model/workload-of.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { Place } from "./capacity-question.ts";

/** For each place the number of its group; places that are alike have the same. */
export function alikePlaces(objects: ObjectIndex, places: readonly Place[]): readonly number[] {
  const labels = labelsSpokenOf(objects);
  const groups = new Map<string, number>();
  return places.map((place, at) => {
    const text = signature(objects, place, labels) ?? `only ${at}`;
    const group = groups.get(text) ?? groups.size;
    groups.set(text, group);
    return group;
  });
}

/** Undefined: nothing is like it. Only single nodes are compared. */
function signature(
  objects: ObjectIndex,
  { nodes }: Place,
  labels: ReadonlySet<string>,
): string | undefined {
  const node = objects.nodeNamed(nodes[0] ?? "");
  if (node === undefined || nodes.length !== 1) return undefined;
  // Room that is kept there has an owner: no other node is like it.
  if (objects.useOf(node.meta.name).held.size > 0) return undefined;
  const replicas = [...objects.replicasOn(node.meta.name).values()]
    .map((replica) => replicaSignature(objects, replica))
    .toSorted();
  return JSON.stringify([nodeSignature(node, labels), replicas]);
}

function nodeSignature({ meta, spec, status }: Node, labels: ReadonlySet<string>): unknown {
  const { health, damped, clock, drivers } = status;
  const spoken = Object.entries(meta.labels)
    .filter(([key]) => labels.has(key))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    spec,
    spoken,
    meta.deletingMs === undefined,
    health,
    damped ?? 0,
    clock ?? 0,
    drivers ?? 0,
  ];
}

function replicaSignature(objects: ObjectIndex, replica: Replica): string {
  const key = workloadOf(replica);
  const { meta, spec, status } = replica;
  const isAlone = objects.replicasOf(key).size === 1;
  const { template } = spec;
  const who = isAlone
    ? [meta.namespace, meta.labels, template, objects.workload(key)?.spec]
    : [key, spec.generation];
  const { stage, stopping, deviceIds } = status;
  return JSON.stringify([who, stage, stopping?.reason ?? "", deviceIds]);
}

function labelsSpokenOf(objects: ObjectIndex): ReadonlySet<string> {
  const spoken = new Set<string>();
  for (const { spec } of objects.all("Workload").values()) {
    for (const key of labelsOf(spec.template)) spoken.add(key);
  }
  for (const { spec } of objects.all("PolicyRevision").values()) {
    for (const { by } of spec.spread ?? []) spoken.add(by);
  }
  return spoken;
}

function labelsOf({ ask, spread, affinity }: Template): readonly string[] {
  const terms = [
    ...(affinity?.required ?? []),
    ...(affinity?.antiRequired ?? []),
    ...(affinity?.preferred ?? []),
    ...(affinity?.antiPreferred ?? []),
  ];
  return [
    ...Object.keys(ask.nodeSelector),
    ...(ask.nodeExpressions ?? []).map(({ key }) => key),
    ...(ask.preferredNodes ?? []).flatMap(({ expressions }) => expressions.map(({ key }) => key)),
    ...spread.map(({ by }) => by),
    ...terms.map(({ by }) => by),
  ];
}
