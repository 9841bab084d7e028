/**
 * What the parts of a log add up to: a snapshot and the commits after it, each with what it
 * replaced. The store reads them from its file, and a replay from the copy that a recording has of
 * them.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Snapshot } from "../../core/protocol/snapshot.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { decodeBatch, withBefore } from "./batch-encoding.ts";
import type { LogPart } from "./load-log.ts";
import type { Claimed, StoredCommit } from "./log-store.ts";
import { TemplateReader } from "./shared-templates.ts";
import { SnapshotReader } from "./snapshot-chunks.ts";

export class LoadedLog {
  private reader: SnapshotReader | undefined;
  private readonly stored: StoredCommit[] = [];
  private readonly templates = new TemplateReader();

  add(part: LogPart): void {
    switch (part.kind) {
      case "head":
        this.reader = part.head && new SnapshotReader(part.head, this.templates);
        break;
      case "chunk":
        this.reader?.add(part.body);
        break;
      case "batch":
        for (const commit of decodeBatch(part.body, this.templates)) this.stored.push(commit);
        break;
      case "note":
        break;
    }
  }

  contents(): Pick<Claimed, "snapshot" | "commits"> {
    const snapshot = this.reader?.snapshot();
    return { snapshot, commits: fillIn(snapshot, this.stored) };
  }
}

/**
 * What each commit replaced: the snapshot says it for the first, the commits before for the others.
 */
function fillIn(
  snapshot: Snapshot | undefined,
  stored: readonly StoredCommit[],
): readonly Commit[] {
  const from = snapshot?.revision ?? 0;
  const tail = stored.filter(({ revision }) => revision > from);
  // A map is all it takes: building an index of everything would double the time of a start.
  const held = new Map<ObjectKey, AnyObject>();
  if (tail.length > 0) for (const object of snapshot?.objects ?? []) held.set(object.key, object);
  return tail.map((commit) => withBefore(commit, held));
}
