/**
 * Caches, until anything changes, the answer for replicas that are alike in everything a question
 * about nodes may read: tenant, labels, template, workload and generation. A replica with reserved
 * room is unlike all others and is asked about by itself.
 */
import type { Replica } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { isHeldFor } from "./naive-room.ts";
import { perState } from "./per-state.ts";

type Question<T> = (objects: ObjectIndex, replica: Replica) => T;

export function perLike<T>(workOut: Question<T>): Question<T> {
  const answers = perState(() => new Map<object, { readonly of: Replica; readonly answer: T }>());
  return (objects, replica) => {
    if (isHeldFor(objects, replica)) return workOut(objects, replica);
    const kept = answers(objects);
    const { template } = replica.spec;
    const held = kept.get(template);
    if (held !== undefined && areAlike(held.of, replica)) return held.answer;
    const answer = workOut(objects, replica);
    kept.set(template, { of: replica, answer });
    return answer;
  };
}

/** The template is the key of the cache, so it is equal. */
const areAlike = (a: Replica, b: Replica): boolean =>
  a.meta.labels === b.meta.labels &&
  a.meta.namespace === b.meta.namespace &&
  a.spec.workloadUid === b.spec.workloadUid &&
  a.spec.generation === b.spec.generation;
