/**
 * The resourceVersion of an object as it is shown: the revision at which anything that can be seen
 * of it last changed. Clients compare nothing else to know whether to look again.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { ObjectKey, Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { affectedBy, SHOWS_OTHERS } from "../watch/affected-by.ts";

export class ShownRevisions {
  private readonly touched = new Map<ObjectKey, Revision>();
  /** Changes before this server began are unknown, so it counts as touched just then. */
  private readonly began: Revision;
  private readonly plane: Pick<PlanePort, "objects">;

  constructor(plane: Pick<PlanePort, "objects" | "revision">) {
    this.plane = plane;
    this.began = plane.revision;
  }

  note(commits: readonly Commit[]): void {
    for (const { revision, changes } of commits) {
      for (const change of changes) {
        for (const key of affectedBy(change, this.plane.objects)) {
          this.touched.set(key, revision);
        }
        if (change.after === undefined) this.touched.delete(change.key);
      }
    }
  }

  of(object: AnyObject): Revision {
    const { revision } = object.meta;
    if (!SHOWS_OTHERS.has(object.kind)) return revision;
    return Math.max(revision, this.touched.get(object.key) ?? this.began);
  }
}
