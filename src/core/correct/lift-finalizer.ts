/**
 * Drift: an object that was deleted and does not go, because of a finalizer without a controller.
 *
 * A finalizer of the plane's own guards one kind of object; on any other it guards nothing, and its
 * controller never looks there. This controller owns those, and takes them off. On the kind that it
 * guards it is useful partial progress and belongs to its owner. What others have put there is
 * theirs, however old: it is shown with its name and how long it has been waited for, and never
 * removed.
 */
import type { Desired, Intent } from "../protocol/command.ts";
import { WRITTEN_DEFINITIONS } from "../kinds/kind-definitions.ts";
import { lifterOf } from "../kinds/plane-finalizers.ts";
import type { Controller } from "../runner/controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import type { Kind, ObjectKey } from "../model/ids.ts";
import type { AnyObject } from "../model/objects.ts";
import type { View } from "../observe/view.ts";
import { liftOperation } from "../protocol/operations.ts";

/** What can be put can have finalizers. */
const KINDS: readonly Kind[] = WRITTEN_DEFINITIONS.map(({ kind }) => kind);

/** Often enough to say how old it is in minutes. */
const LOOK_EVERY_MS = 60_000;

export function createLiftFinalizer(): Controller {
  /** What is being deleted, and since when that was seen, on this controller's clock. */
  const deleting = new Map<ObjectKey, number | undefined>();
  return {
    role: "lift-finalizer",
    interest: { kinds: new Set(KINDS), node: undefined },
    follow: ({ key, after }) => {
      if (after?.meta.deletingMs === undefined) deleting.delete(key);
      else if (!deleting.has(key)) deleting.set(key, undefined);
    },
    keysFor: ({ key }) => (deleting.has(key) ? [key] : []),
    allKeys: () => deleting.keys(),
    reconcile: (key, view, look) => {
      const sinceMs = deleting.get(key) ?? look.now;
      if (deleting.has(key)) deleting.set(key, sinceMs);
      return liftFinalizer(key, view, look, sinceMs);
    },
  };
}

function liftFinalizer(key: ObjectKey, view: View, look: Look, sinceMs: number): Decision {
  const object = view.objects.get(key);
  if (object?.meta.deletingMs === undefined) return settled;
  const { finalizers } = object.meta;
  const lifters = finalizers.map((name) => lifterOf(name, object.kind));
  const lost = finalizers.filter((_, at) => lifters[at] === "lift-finalizer");
  if (lost.length > 0) {
    return propose([without(object, lost)], {
      summary: `finalizer ${lost.join(", ")} on ${key} guards nothing: no controller handles it for a ${object.kind}`,
    });
  }
  // While one of the plane's own is there, its owner is at work.
  if (finalizers.length === 0 || lifters.some((lifter) => lifter !== undefined)) return settled;
  const minutes = Math.floor((look.now - sinceMs) / LOOK_EVERY_MS);
  return wait({
    reason: "foreign-finalizer",
    wakes: [],
    deadlineMs: sinceMs + (minutes + 1) * LOOK_EVERY_MS,
    because: {
      summary: `${key} is being deleted and waits for its finalizers: ${finalizers.join(", ")}${minutes === 0 ? "" : `, for ${minutes} min so far`}`,
    },
  });
}

function without(object: AnyObject, lost: readonly string[]): Intent {
  const { kind, spec, meta } = object;
  return {
    kind: "put",
    operation: liftOperation(object, lost),
    key: object.key,
    // Only kinds that can be put are watched.
    desired: { kind, spec } as Desired,
    labels: meta.labels,
    finalizers: meta.finalizers.filter((name) => !lost.includes(name)),
    expect: { revision: meta.revision },
  };
}
