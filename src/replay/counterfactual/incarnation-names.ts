/**
 * Names the incarnations of replicas in a way that two runs share: uids and revisions count commits
 * and differ as soon as one run has a commit more than the other; the replica, its incarnation and
 * how often that incarnation was bound do not.
 */
import type { Change, Commit } from "../../core/protocol/commit-record.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { AnyObject, Replica } from "../../core/model/objects.ts";
import { holdsNode } from "../../core/model/stage.ts";

/** `replica#incarnation#n`: the n-th time that such an incarnation was bound. */
export type IncarnationName = string;

export interface LiveIncarnation {
  readonly name: IncarnationName;
  readonly replica: Replica;
}

export type IncarnationMove =
  | {
      readonly kind: "bound" | "stopping";
      readonly incarnation: LiveIncarnation;
      readonly atMs: number;
    }
  | { readonly kind: "ended"; readonly incarnation: LiveIncarnation; readonly atMs: number };

export class IncarnationNames {
  private readonly current = new Map<ObjectKey, LiveIncarnation>();
  private readonly bound = new Map<string, number>();

  /** What held a node before anything was told. */
  begin(objects: Iterable<AnyObject>): void {
    for (const object of objects) {
      if (object.kind !== "Replica" || !holdsNode(object.status.stage)) continue;
      this.current.set(object.key, { name: this.nameNext(object), replica: object });
    }
  }

  of(replica: ObjectKey): LiveIncarnation | undefined {
    return this.current.get(replica);
  }

  follow(commit: Commit): readonly IncarnationMove[] {
    return commit.changes.flatMap((change) => this.move(change, commit.atMs));
  }

  private move({ key, after }: Change, atMs: number): readonly IncarnationMove[] {
    const before = this.current.get(key);
    const replica = after?.kind === "Replica" ? after : undefined;
    if (replica === undefined || !holdsNode(replica.status.stage)) {
      if (before === undefined) return [];
      this.current.delete(key);
      return [{ kind: "ended", incarnation: before, atMs }];
    }
    const isSame =
      before?.replica.meta.uid === replica.meta.uid &&
      before.replica.status.incarnation === replica.status.incarnation;
    const incarnation = { name: isSame ? before.name : this.nameNext(replica), replica };
    this.current.set(key, incarnation);
    if (!isSame) return [{ kind: "bound", incarnation, atMs }];
    const wasAsked = before.replica.status.stopping !== undefined;
    if (wasAsked || replica.status.stopping === undefined) return [];
    return [{ kind: "stopping", incarnation, atMs }];
  }

  private nameNext({ key, status }: Replica): IncarnationName {
    const of = `${key}#${status.incarnation}`;
    const times = this.bound.get(of) ?? 0;
    this.bound.set(of, times + 1);
    return `${of}#${times}`;
  }
}
