/**
 * What is different between two revisions: of each object the first value before and the last one
 * after.
 */
import type { Kind, ObjectKey, Revision } from "../../core/model/ids.ts";
import { KINDS, parseKey } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { PastState } from "../../host/past-state.ts";
import type { PlanePort } from "../../host/plane-port.ts";

export interface Difference {
  readonly key: ObjectKey;
  readonly before: AnyObject | undefined;
  readonly after: AnyObject | undefined;
}

export interface Wanted {
  /** Left out: all but leases, which are renewed all the time. */
  readonly kind?: Kind;
  readonly namespace?: string;
  readonly name?: string;
}

/** Both revisions are in memory: as many steps as there are changes between them. */
export function differenceInMemory(
  { past }: PlanePort,
  { from, to }: { readonly from: Revision; readonly to: Revision },
  wanted: Wanted,
): readonly Difference[] {
  const found = new Map<ObjectKey, Difference>();
  for (let at = from + 1; at <= to; at += 1) {
    for (const { key, before, after } of past.commit(at)?.changes ?? []) {
      if (!isWanted(key, wanted)) continue;
      const known = found.get(key);
      found.set(key, { key, before: known === undefined ? before : known.before, after });
    }
  }
  return inOrder(found.values());
}

/** One of them is older. */
export function differenceOfStates(
  from: PastState["objects"],
  to: PastState["objects"],
  wanted: Wanted,
): readonly Difference[] {
  const found: Difference[] = [];
  for (const kind of KINDS) {
    for (const [key, before] of from.all<Kind>(kind)) {
      if (isWanted(key, wanted)) found.push({ key, before, after: to.get(key) });
    }
    for (const [key, after] of to.all<Kind>(kind)) {
      if (from.get(key) === undefined && isWanted(key, wanted)) {
        found.push({ key, before: undefined, after });
      }
    }
  }
  return inOrder(found);
}

function isWanted(key: ObjectKey, { kind, namespace, name }: Wanted): boolean {
  const of = parseKey(key);
  if (kind === undefined ? of.kind === "Lease" : of.kind !== kind) return false;
  return (
    (namespace === undefined || of.namespace === namespace) &&
    (name === undefined || of.name === name)
  );
}

/** An object that came and went is no difference, and neither is a write without a change. */
const inOrder = (found: Iterable<Difference>): readonly Difference[] =>
  [...found]
    .filter(({ before, after }) => before?.meta.revision !== after?.meta.revision)
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
