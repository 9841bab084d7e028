/**
 * Which role removes a finalizer of the plane from an object, and which finalizers a put keeps
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

/** The role that removes it from an object of this kind; undefined: it is not the plane's. */
export function lifterOf(finalizer: string, kind: Kind): Role | undefined {
  const guard = GUARDS.get(finalizer);
  if (guard === undefined) return undefined;
  // It guards nothing there, and its own controller looks for it on another kind (RP2).
  return guard.kind === kind ? guard.lifter : "lift-finalizer";
}

/** The finalizers after a put that wants these: the plane's own stay. */
export function finalizersAfter(
  { role }: { readonly role: Role },
  held: AnyObject,
  wanted: readonly string[],
): readonly string[] {
  const kept = held.meta.finalizers.filter((name) => {
    const lifter = lifterOf(name, held.kind);
    // The repair controller never removes a finalizer of a client.
    const isGuarded = lifter === undefined ? role === "lift-finalizer" : lifter !== role;
    return isGuarded && !wanted.includes(name);
  });
  return [...kept, ...wanted];
}
