/**
 * Changes an object that is there: reads it, has the change made to what clients see, and sends the
 * result on the condition that no other write came between. If somebody did and the client did not
 * ask to be told, the change is made again on the newer object.
 */
import type { Desired } from "../../core/protocol/command.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { ApiError } from "../errors.ts";
import { showSpec } from "../kinds/kubernetes-form.ts";
import { toDesiredMetadata } from "../metadata.ts";
import { rfc3339 } from "../rfc3339.ts";
import type { ApiContext } from "../http/api-context.ts";
import { carriedOutBefore, commitPut, OVERTAKEN, type Wanted, type Written } from "./commit-put.ts";
import { isAboutState, checkAgain } from "./check-again.ts";
import { fieldOf, type JsonObject, shownValue } from "../http/json-value.ts";
import {
  afterUpdate,
  type Ownership,
  readOwnerships,
  type Writer,
  writeOwnerships,
} from "./managed-fields.ts";
import { withoutDerived } from "../list/labels-of.ts";
import { readObject } from "../list/read-object.ts";
import { parseResourceVersion } from "../list/resource-version.ts";
import { type NamedTarget, takesNothing, targetKey } from "../list/served-kind.ts";
import { showObject } from "../list/show.ts";
import { conflictOn, notFound } from "../http/status-error.ts";
import { isStatusEntry } from "./status-owners.ts";
import type { WriteRequest } from "./write-request.ts";

export interface Modification {
  /** The whole object after the change. */
  readonly object: JsonObject;
  /** The resourceVersion the client expects, if it expects one. */
  readonly expected: string | undefined;
  /** Who owns what afterwards; `next` is the changed object as it will be shown. */
  readonly owners?: (next: JsonObject) => readonly Ownership[];
}

export interface Modified extends Written {
  readonly warnings: readonly string[];
}

/** Writers that keep overtaking each other this often are told so. */
export const TRIES_MAX = 5;

interface Modifying {
  readonly write: WriteRequest;
  readonly duplicates: readonly string[];
  readonly change: (live: JsonObject) => Modification;
}

/**
 * A no may be this very request's own doing, of which its sender has not heard; only the authority
 * knows.
 */
export async function modify(
  context: ApiContext,
  target: NamedTarget,
  of: Modifying,
): Promise<Modified> {
  try {
    return await checkAgain(context, () => modifyNow(context, target, of));
  } catch (error) {
    if (!isAboutState(error)) throw error;
    const before = await carriedOutBefore(context, target, of.write);
    if (before === undefined) throw error;
    return { ...before, warnings: [] };
  }
}

async function modifyNow(
  context: ApiContext,
  target: NamedTarget,
  of: Modifying,
): Promise<Modified> {
  for (let tries = 1; ; tries++) {
    const held = context.plane.objects.get(targetKey(target));
    if (held === undefined) throw notFound(target);
    const live = showObject(context, target.kind, held) as unknown as JsonObject;
    const change = of.change(live);
    checkIdentity(target, live, change.object);
    checkExpected(target, held, change.expected);
    const { wanted, warnings } = wantedOf(context, target, { ...of, held, live, change });
    const written = await commitPut(context, target, { wanted, held, write: of.write });
    if (written !== OVERTAKEN) return { ...written, warnings };
    // What came before us is shown by now, and may be the very object that the client expects.
    if (tries === TRIES_MAX) throw changedMeanwhile(target);
  }
}

function wantedOf(
  { plane, clock, secretKeys, veil }: ApiContext,
  target: NamedTarget,
  of: {
    readonly held: AnyObject;
    readonly live: JsonObject;
    readonly change: Modification;
    readonly write: WriteRequest;
    readonly duplicates: readonly string[];
  },
): { readonly wanted: Wanted; readonly warnings: readonly string[] } {
  const { kind, namespace, name } = target;
  const { held, live, change, write, duplicates } = of;
  const { fieldValidation } = write;
  const { taking = takesNothing } = kind;
  const keys = secretKeys.current;
  const isVeiled = veil(held) !== held;
  const taken = taking({ object: change.object, held, target, keys, isVeiled });
  const read = readObject(kind, taken.object, { name, fieldValidation, duplicates });
  const labels = withoutDerived(kind.api, held, read.metadata.labels ?? {});
  const metadata = { ...read.metadata, name, labels };
  const decided = toDesiredMetadata(metadata, namespace, held.meta);
  // As the server will show it: `0.5` CPUs over `500m` change nothing and take nothing from
  // anybody.
  const { desired, marked } = taken.finish(
    kind.keepsSpec === true ? ({ kind: held.kind, spec: held.spec } as Desired) : read.desired,
  );
  const after = { ...held, spec: desired.spec } as AnyObject;
  const next = marked({
    metadata: {
      labels: decided.labels,
      annotations: decided.annotations ?? {},
      ...(decided.finalizers.length === 0 ? {} : { finalizers: decided.finalizers }),
      ...((metadata.ownerReferences ?? []).length === 0
        ? {}
        : { ownerReferences: metadata.ownerReferences }),
    },
    ...showSpec(kind.api, kind.api.toApi(after, plane.objects).spec),
  });
  const writer: Writer = { manager: write.fieldManager, time: rfc3339(clock.nowMs()) };
  const before = metadata.managedFields ?? fieldOf(fieldOf(live, "metadata"), "managedFields");
  const owners =
    change.owners?.(next) ??
    afterUpdate(readOwnerships(before), { before: live, after: next }, writer);
  const managedFields = [
    ...writeOwnerships(owners, kind.apiVersion),
    // Owners of conditions own them through /status; a write of the object does not touch them.
    ...(Array.isArray(before) ? before.filter(isStatusEntry) : []),
  ];
  return {
    wanted: {
      desired,
      metadata: toDesiredMetadata({ ...metadata, managedFields }, namespace, held.meta),
    },
    warnings: read.warnings,
  };
}

export function checkIdentity(target: NamedTarget, live: JsonObject, object: JsonObject): void {
  const metadata = fieldOf(object, "metadata");
  for (const field of ["name", "namespace"] as const) {
    const found = fieldOf(metadata, field) ?? "";
    if (found === "" && field === "namespace") continue;
    if (found === target[field]) continue;
    throw new ApiError(
      "bad-request",
      `The ${field} of the object (${shownValue(found)}) does not match the ${field} on the URL (${target[field]}).`,
    );
  }
  const uid = fieldOf(metadata, "uid") ?? "";
  const actual = fieldOf(fieldOf(live, "metadata"), "uid");
  if (uid === "" || uid === actual) return;
  throw conflictOn(
    target,
    `Precondition failed: UID in precondition: ${shownValue(uid)}, UID in object meta: ${shownValue(actual)}`,
  );
}

/**
 * A resourceVersion is what the object was shown at, which may be later than when it was written.
 * What counts is that it was not written since.
 */
export function checkExpected(
  target: NamedTarget,
  held: AnyObject,
  expected: string | undefined,
): void {
  const revision = parseResourceVersion(expected);
  if (revision !== undefined && held.meta.revision > revision) throw changedMeanwhile(target);
}

export const changedMeanwhile = (target: NamedTarget): ApiError =>
  conflictOn(
    target,
    "the object has been modified; please apply your changes to the latest version and try again",
  );
