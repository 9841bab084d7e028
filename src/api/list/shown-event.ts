/**
 * One thing that watchers of a kind may see. It is put into words once for each way of showing it,
 * however many watchers read it.
 */
import type { Change, Commit } from "../../core/protocol/commit-record.ts";
import type { ObjectKey, Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { affectedBy, SHOWS_OTHERS } from "../watch/affected-by.ts";

export type EventType = "ADDED" | "MODIFIED" | "DELETED";

/**
 * A way of showing objects: a kind in a form. Two watchers with the same id read the same bytes.
 */
export interface Shape {
  readonly id: string;
  /** Whether its readers see the object without some of it. */
  isVeiled(object: AnyObject): boolean;
  encode(type: EventType, object: AnyObject, revision: Revision): Buffer;
  /** As `encode` of ADDED, of an object that does not change now: its text is kept. */
  encodeStanding(object: AnyObject, revision: Revision): Buffer;
}

export class ShownEvent {
  readonly revision: Revision;
  readonly before: AnyObject | undefined;
  readonly after: AnyObject | undefined;
  private readonly lines = new Map<string, Buffer>();

  constructor(of: {
    readonly revision: Revision;
    readonly before: AnyObject | undefined;
    readonly after: AnyObject | undefined;
  }) {
    this.revision = of.revision;
    this.before = of.before;
    this.after = of.after;
  }

  get kind(): AnyObject["kind"] | undefined {
    return (this.after ?? this.before)?.kind;
  }

  /**
   * The line for a watcher that sees only what matches, or undefined when it sees nothing of it.
   */
  lineFor(shape: Shape, matches: (object: AnyObject) => boolean): Buffer | undefined {
    const before = this.before !== undefined && matches(this.before) ? this.before : undefined;
    const after = this.after !== undefined && matches(this.after) ? this.after : undefined;
    if (after !== undefined) {
      return this.line(shape, before === undefined ? "ADDED" : "MODIFIED", after);
    }
    // What leaves the selection is gone as far as this watcher can see.
    return before === undefined ? undefined : this.line(shape, "DELETED", before);
  }

  private line(shape: Shape, type: EventType, object: AnyObject): Buffer {
    const name = `${type} ${shape.id}${shape.isVeiled(object) ? " veiled" : ""}`;
    let line = this.lines.get(name);
    if (line === undefined) {
      line = shape.encode(type, object, this.revision);
      this.lines.set(name, line);
    }
    return line;
  }
}

type Sides = Pick<Change, "before" | "after">;

/** One object in the place of another of its name: the first is gone, and the second is new. */
function apart({ before, after }: Change): readonly Sides[] {
  return before === undefined || after === undefined || before.meta.uid === after.meta.uid
    ? [{ before, after }]
    : [
        { before, after: undefined },
        { before: undefined, after },
      ];
}

/**
 * What commits mean to watchers, in the order of revisions: each change, and, once for the whole
 * batch, each object that looks different because of another's change.
 */
export function shownEvents(
  commits: readonly Commit[],
  objects: ObjectIndex,
  isWatched: (kind: AnyObject["kind"]) => boolean,
): readonly ShownEvent[] {
  const events: ShownEvent[] = [];
  const touched = new Map<ObjectKey, Revision>();
  // Most watch replicas alone, thousands of which may change at once.
  const showsOthers = [...SHOWS_OTHERS].some(isWatched);
  for (const { revision, changes } of commits) {
    for (const change of changes) {
      const { before, after } = change;
      const kind = (after ?? before)?.kind;
      if (kind !== undefined && isWatched(kind)) {
        for (const each of apart(change)) events.push(new ShownEvent({ revision, ...each }));
      }
      if (!showsOthers) continue;
      for (const key of affectedBy(change, objects)) touched.set(key, revision);
    }
  }
  for (const [key, revision] of touched) {
    const object = objects.get(key);
    // Gone, or written again since: its own event tells all there is to tell.
    if (object === undefined || object.meta.revision >= revision) continue;
    if (isWatched(object.kind)) {
      events.push(new ShownEvent({ revision, before: object, after: object }));
    }
  }
  return events.toSorted((a, b) => a.revision - b.revision);
}
