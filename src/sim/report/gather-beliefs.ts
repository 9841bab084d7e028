/**
 * Notes, at the moment of a violation, what was true and what every component held to be true:
 * about the violated object and about the ones it rests on.
 */
import { nodeKey, type ObjectKey, quotaKey } from "../../core/model/ids.ts";
import { wantsObject } from "../../core/observe/interest.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { Truth } from "../check/checker.ts";
import type { Beliefs } from "./run-result.ts";
import { takenIn } from "./taken-in.ts";

export function gatherBeliefs(truth: Truth, key: ObjectKey): readonly Beliefs[] {
  const held = [truth.objects, ...[...truth.clients()].map(({ view }) => view.objects)];
  const keys = new Set([key]);
  for (const objects of held) {
    for (const other of restsOn(objects, key)) keys.add(other);
  }
  return [...keys].map((each) => beliefsAbout(truth, each));
}

/**
 * The node the replica is or is believed to be on, what is held for it, and what its tenant may
 * use.
 */
function restsOn(objects: ObjectIndex, key: ObjectKey): readonly ObjectKey[] {
  const object = objects.replica(key);
  if (object === undefined) return [];
  const { node } = object.status;
  return [
    ...(node === undefined ? [] : [nodeKey(node)]),
    ...objects.reservationsOf(key).map((held) => held.key),
    quotaKey(object.meta.namespace),
  ];
}

function beliefsAbout(truth: Truth, key: ObjectKey): Beliefs {
  const last = truth.commits.at(-1);
  const real = truth.objects.get(key);
  const clients = [...truth.clients()].flatMap(({ name, view }) => {
    const held = view.objects.get(key);
    // Agents and most controllers are never shown most kinds; that they hold nothing says nothing.
    const isShown = held !== undefined || (real !== undefined && wantsObject(view.interest, real));
    if (!isShown) return [];
    const { revision: viewRevision, epoch } = view;
    // Who is not shown replicas cannot count what they take.
    const taken = view.interest.kinds.has("Replica") ? takenIn(view.objects, key) : undefined;
    return [{ name, viewRevision, epoch, held, taken }];
  });
  const { revision = 0, epoch = 0 } = last ?? {};
  return { key, truth: real, taken: takenIn(truth.objects, key), revision, epoch, clients };
}
