/**
 * The finalizers that the plane itself keeps on objects, and who takes each of them off. A person who could
 * would orphan what they guard (OB3).
 */
import type { Role } from "../model/actor.ts";
import type { Kind } from "../model/ids.ts";
import type { AnyObject } from "../model/objects.ts";

/** A workload outlives its deletion until its replicas are gone. */
export const REPLICAS_FINALIZER = "berth.dev/replicas";

/** A tenant outlives its deletion until its workloads and its quota are gone. */
export const CONTENTS_FINALIZER = "berth.dev/contents";

/** A budget outlives its end until nothing is spent of it any more. */
export const SPENT_FINALIZER = "berth.dev/spent";

interface Guard {
  readonly kind: Kind;
  readonly lifter: Role;
}

const GUARDS: ReadonlyMap<string, Guard> = new Map([
  [REPLICAS_FINALIZER, { kind: "Workload", lifter: "admit" }],
  [CONTENTS_FINALIZER, { kind: "Tenant", lifter: "empty-tenant" }],
  [SPENT_FINALIZER, { kind: "Budget", lifter: "expire-budget" }],
]);

/** Who takes it off an object of this kind; undefined: it is none of the plane's own. */
export function lifterOf(finalizer: string, kind: Kind): Role | undefined {
  const guard = GUARDS.get(finalizer);
  if (guard === undefined) return undefined;
  // It guards nothing there, and the one that knows it looks for it elsewhere (RP2).
  return guard.kind === kind ? guard.lifter : "lift-finalizer";
}

/** What is left of an object's finalizers when somebody wants these: the plane's own stay. */
export function finalizersAfter(
  { role }: { readonly role: Role },
  held: AnyObject,
  wanted: readonly string[],
): readonly string[] {
  const kept = held.meta.finalizers.filter((name) => {
    const lifter = lifterOf(name, held.kind);
    // What is not the plane's own is never the repairer's to take off.
    const isGuarded = lifter === undefined ? role === "lift-finalizer" : lifter !== role;
    return isGuarded && !wanted.includes(name);
  });
  return [...kept, ...wanted];
}
