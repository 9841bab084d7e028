/**
 * Which role takes a finalizer of the plane off an object, and which finalizers a put leaves there
 * (OB3).
 */
import type { Role } from "../model/actor.ts";
import type { Kind } from "../model/ids.ts";
import type { AnyObject } from "../model/objects.ts";
import type { Guard } from "./kind-definition.ts";
import { ALL_DEFINITIONS } from "./kind-definitions.ts";

const GUARDS: ReadonlyMap<string, Guard & { readonly kind: Kind }> = new Map(
  ALL_DEFINITIONS.flatMap(({ kind, guard }) =>
    guard === undefined ? [] : [[guard.finalizer, { ...guard, kind }]],
  ),
);

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
