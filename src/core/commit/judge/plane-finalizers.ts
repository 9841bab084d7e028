/**
 * The finalizers that the plane itself keeps on objects, and who takes each of them off. A person who could
 * would orphan what they guard (OB3).
 */
import type { Role } from "../../model/actor.ts";
import type { AnyObject } from "../../model/objects.ts";
import type { Bench } from "../verdict.ts";

/** A workload outlives its deletion until its replicas are gone. */
export const REPLICAS_FINALIZER = "berth.dev/replicas";

/** A tenant outlives its deletion until its workloads and its quota are gone. */
export const CONTENTS_FINALIZER = "berth.dev/contents";

const LIFTED_BY: ReadonlyMap<string, Role> = new Map([
  [REPLICAS_FINALIZER, "admit"],
  [CONTENTS_FINALIZER, "empty-tenant"],
]);

/** What is left of an object's finalizers when somebody wants these: the plane's own stay. */
export function finalizersAfter(
  { role }: Bench,
  held: AnyObject,
  wanted: readonly string[],
): readonly string[] {
  const kept = held.meta.finalizers.filter((name) => {
    const lifter = LIFTED_BY.get(name);
    return lifter !== undefined && lifter !== role && !wanted.includes(name);
  });
  return [...kept, ...wanted];
}
