/**
 * What one component believes: an index of the objects it is interested in, as of a revision. It
 * may be old; it is never mixed. Nothing here is a reservation of anything.
 */
import type { Change, Commit } from "../protocol/commit-record.ts";
import type { Epoch, ObjectKey, Revision } from "../model/ids.ts";
import type { AnyObject } from "../model/objects.ts";
import { type Interest, wants } from "./interest.ts";
import { ObjectIndex } from "./object-index.ts";

/**
 * An index that somebody else folds, in the same process, and that is exactly as far as the view
 * whenever the view's component is given its turn.
 */
export interface FoldedElsewhere {
  readonly objects: ObjectIndex;
  /** Grows when the index has taken a leap that no stream has told of. */
  readonly leaps: number;
}

export class View {
  readonly interest: Interest;
  revision: Revision = 0;
  /** The highest leadership this view has seen; commands decided on it carry this epoch. */
  epoch: Epoch = 0;
  private own = new ObjectIndex();
  private readonly keys = new Set<ObjectKey>();
  private elsewhere: FoldedElsewhere | undefined;
  /** Of the index elsewhere, when it was last listed. */
  private leaps: number | undefined;

  constructor(interest: Interest) {
    this.interest = interest;
  }

  get objects(): ObjectIndex {
    return this.own;
  }

  /**
   * Does not fold any more, but looks into an index that is kept anyway: a plane with a million
   * objects need not have them twice. The same inputs lead to the same changes either way. Before
   * the first list only.
   */
  lookInto(elsewhere: FoldedElsewhere): void {
    this.elsewhere = elsewhere;
    this.own = elsewhere.objects;
  }

  /** Folds commits newer than the view and returns the changes that mattered. */
  follow(commits: readonly Commit[], to: Revision, epoch: Epoch): readonly Change[] {
    const changes: Change[] = [];
    for (const commit of commits) {
      // A stream that was resumed, or a late packet of an older one, must not take the view back
      // (VW1).
      if (commit.revision <= this.revision) continue;
      for (const change of commit.changes) {
        if (!wants(this.interest, change)) continue;
        changes.push(this.take(change));
      }
    }
    if (to > this.revision) this.revision = to;
    if (epoch > this.epoch) this.epoch = epoch;
    return changes;
  }

  /** Replaces everything by a list. A list older than the view is refused: undefined. */
  replace(
    objects: readonly AnyObject[],
    revision: Revision,
    epoch: Epoch,
  ): readonly Change[] | undefined {
    // Time travel is how a stale API server makes a controller delete live work (VW2).
    if (revision < this.revision) return undefined;
    const changes = this.listed(objects);
    this.revision = revision;
    if (epoch > this.epoch) this.epoch = epoch;
    return changes;
  }

  private listed(objects: readonly AnyObject[]): readonly Change[] {
    if (this.elsewhere === undefined) {
      return this.keys.size === 0 ? this.fill(objects) : this.compare(objects);
    }
    // What the stream told it is in the index: only what came by no stream is news.
    if (this.leaps === this.elsewhere.leaps) return [];
    this.leaps = this.elsewhere.leaps;
    return objects.map((after) => ({ key: after.key, before: undefined, after }));
  }

  /**
   * The first list of all: there is nothing to compare it with, and on a large plane that is half
   * of its cost.
   */
  private fill(objects: readonly AnyObject[]): readonly Change[] {
    return objects.map((after) => this.take({ key: after.key, before: undefined, after }));
  }

  private compare(objects: readonly AnyObject[]): readonly Change[] {
    const changes: Change[] = [];
    const listed = new Set<ObjectKey>();
    for (const object of objects) {
      listed.add(object.key);
      const held = this.objects.get(object.key);
      if (held?.meta.revision !== object.meta.revision) {
        changes.push(this.take({ key: object.key, before: held, after: object }));
      }
    }
    // What the list does not name any more has vanished unseen (VW3).
    for (const key of this.keys) {
      if (!listed.has(key)) changes.push(this.take({ key, before: undefined, after: undefined }));
    }
    return changes;
  }

  /** What changed here: the log's own record of it, unless this view held something else before. */
  private take(change: Change): Change {
    if (this.elsewhere !== undefined) return change;
    const { key, after } = change;
    const before = this.objects.fold(change);
    if (after === undefined) this.keys.delete(key);
    else if (before === undefined) this.keys.add(key);
    return before === change.before ? change : { key, before, after };
  }
}
