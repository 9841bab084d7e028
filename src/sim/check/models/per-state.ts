/**
 * Remembers what was worked out from all objects of one side until one of them changes. A checker
 * that asks the same question many times in one moment then pays for it once; the answer is the one
 * it would get anew, since it is worked out from those objects and from nothing else. Leases do not
 * count: who asks for them must not ask this way.
 */
import type { ObjectIndex } from "../../../core/observe/object-index.ts";

interface Kept<T> {
  readonly version: number;
  readonly answer: T;
}

export function perState<T>(workOut: (objects: ObjectIndex) => T): (objects: ObjectIndex) => T {
  const kept = new WeakMap<ObjectIndex, Kept<T>>();
  return (objects) => {
    const { version } = objects;
    const held = kept.get(objects);
    if (held?.version === version) return held.answer;
    const answer = workOut(objects);
    kept.set(objects, { version, answer });
    return answer;
  };
}
