/**
 * Everything as it was at a revision: what is there now with all undone that came later. Commits in
 * memory know what they replaced; those of the store do not, and what an object was before them is
 * what an older commit wrote, as far as the store still has that one.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { KINDS, type Kind, type ObjectKey, parseKey, type Revision } from "../core/model/ids.ts";
import type { AnyObject } from "../core/model/objects.ts";
import { ObjectIndex } from "../core/observe/object-index.ts";
import { isMadeAt, type PastLog } from "./past-log.ts";

export interface PastState {
  readonly objects: ObjectIndex;
  /** Kinds of which something is not known, with the oldest revision at which all of it is. */
  readonly unknown: ReadonlyMap<Kind, Revision>;
}

/** Folding this many objects takes some ten milliseconds, in which no other request is served. */
const FOLDED_AT_ONCE = 5_000;
/** Read at once: about a megabyte. */
const PAGE = 1_000;

export async function pastState(
  now: { readonly objects: ObjectIndex; readonly past: PastLog; readonly revision: Revision },
  revision: Revision,
): Promise<PastState> {
  const { past } = now;
  const { start } = past;
  const held = heldAt(now, Math.max(start, revision));
  const unknown =
    revision < start
      ? await undoStored(held, past, { start, revision })
      : new Map<Kind, Revision>();
  const objects = new ObjectIndex();
  let folded = 0;
  for (const [key, after] of held) {
    objects.fold({ key, before: undefined, after });
    folded += 1;
    if (folded % FOLDED_AT_ONCE === 0) await nextTurn();
  }
  return { objects, unknown };
}

/** In one turn, so that nothing moves on meanwhile. */
function heldAt(
  { objects, past, revision: head }: Parameters<typeof pastState>[0],
  revision: Revision,
): Map<ObjectKey, AnyObject> {
  const held = new Map<ObjectKey, AnyObject>();
  for (const kind of KINDS) {
    for (const [key, object] of objects.all<Kind>(kind)) held.set(key, object);
  }
  for (let at = head; at > revision; at -= 1) {
    for (const { key, before } of past.commit(at)?.changes.toReversed() ?? []) {
      if (before === undefined) held.delete(key);
      else held.set(key, before);
    }
  }
  return held;
}

/** The oldest change of a key after the revision that is looked for. */
interface Later {
  readonly revision: Revision;
  readonly isMade: boolean;
}

async function undoStored(
  held: Map<ObjectKey, AnyObject>,
  past: PastLog,
  { start, revision }: { readonly start: Revision; readonly revision: Revision },
): Promise<ReadonlyMap<Kind, Revision>> {
  const later = new Map<ObjectKey, Later>();
  let isCompacted = false;
  let to = start;
  while (to > 0 && !isCompacted && (to > revision || isOpen(later))) {
    const page = await past.page(Math.max(0, to - PAGE), to);
    for (const commit of page.commits.toReversed()) {
      for (const { key, after } of commit.changes) {
        if (commit.revision > revision) {
          later.set(key, { revision: commit.revision, isMade: isMadeAt(after, commit.revision) });
        } else if (later.delete(key)) {
          if (after === undefined) held.delete(key);
          else held.set(key, after);
        }
      }
    }
    isCompacted = page.compactedTo !== undefined;
    to = page.from;
  }
  // Between the revision and what is kept anything may have changed, whatever is kept.
  const unknown = new Map<Kind, Revision>(to > revision ? KINDS.map((kind) => [kind, to]) : []);
  for (const [key, { revision: first, isMade }] of later) {
    held.delete(key);
    // Before the first commit of all there was nothing; before the compacted part the state is
    // unknown.
    if (isMade || !isCompacted) continue;
    const { kind } = parseKey(key);
    unknown.set(kind, Math.max(first, unknown.get(kind) ?? 0));
  }
  return unknown;
}

function isOpen(later: ReadonlyMap<ObjectKey, Later>): boolean {
  for (const { isMade } of later.values()) if (!isMade) return true;
  return false;
}
