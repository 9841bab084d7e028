/** The replicas hidden from one agent: those bound to its node since the fault began. */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";

export class Blindness {
  untilMs = 0;
  private readonly node: string;
  private readonly hidden = new Set<ObjectKey>();

  constructor(node: string) {
    this.node = node;
  }

  ofObjects(objects: readonly AnyObject[]): readonly AnyObject[] {
    return objects.filter((object) => {
      if (this.isNew(object)) this.hidden.add(object.key);
      return !this.hidden.has(object.key);
    });
  }

  ofCommits(commits: readonly Commit[]): readonly Commit[] {
    return commits.flatMap((commit) => {
      const changes = commit.changes.filter(({ key, after }) => {
        if (after !== undefined && this.isNew(after)) this.hidden.add(key);
        return !this.hidden.has(key);
      });
      return changes.length === 0 ? [] : [{ ...commit, changes }];
    });
  }

  /** Whether the agent has not claimed it yet. */
  private isNew(object: AnyObject): boolean {
    const { kind } = object;
    return (
      kind === "Replica" && object.status.stage === "bound" && object.status.node === this.node
    );
  }
}
