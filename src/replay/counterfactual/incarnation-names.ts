/**
 * Names the lives of replicas in a way that two runs share: uids and revisions count commits and
 * differ as soon as one run has a commit more than the other; the replica, its life and how often
 * that life was bound do not.
 */
import type { Change, Commit } from "../../core/protocol/commit-record.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { AnyObject, Replica } from "../../core/model/objects.ts";
import { holdsNode } from "../../core/model/stage.ts";

/** `replica#life#n`: the n-th time that such a life was bound. */
export type LifeName = string;

export interface LiveIncarnation {
  readonly name: LifeName;
  readonly replica: Replica;
}

export type LifeMove =
  | { readonly kind: "bound" | "stopping"; readonly life: LiveIncarnation; readonly atMs: number }
  | { readonly kind: "ended"; readonly life: LiveIncarnation; readonly atMs: number };

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

  follow(commit: Commit): readonly LifeMove[] {
    return commit.changes.flatMap((change) => this.move(change, commit.atMs));
  }

  private move({ key, after }: Change, atMs: number): readonly LifeMove[] {
    const before = this.current.get(key);
    const replica = after?.kind === "Replica" ? after : undefined;
    if (replica === undefined || !holdsNode(replica.status.stage)) {
      if (before === undefined) return [];
      this.current.delete(key);
      return [{ kind: "ended", life: before, atMs }];
    }
    const isSame =
      before?.replica.meta.uid === replica.meta.uid &&
      before.replica.status.life === replica.status.life;
    const life = { name: isSame ? before.name : this.nameNext(replica), replica };
    this.current.set(key, life);
    if (!isSame) return [{ kind: "bound", life, atMs }];
    const wasAsked = before.replica.status.stopping !== undefined;
    if (wasAsked || replica.status.stopping === undefined) return [];
    return [{ kind: "stopping", life, atMs }];
  }

  private nameNext({ key, status }: Replica): LifeName {
    const of = `${key}#${status.life}`;
    const times = this.bound.get(of) ?? 0;
    this.bound.set(of, times + 1);
    return `${of}#${times}`;
  }
}
