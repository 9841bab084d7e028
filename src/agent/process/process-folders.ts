/**
 * The folders of this node's processes. A folder with a record is a process somebody may still ask
 * about; one without is over and kept for its logs, until enough newer ones are.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type ObjectKey, parseKey } from "../../core/model/ids.ts";
import { AGENT_LIMITS } from "../agent-limits.ts";
import { GuardedProcess } from "./guarded-process.ts";
import { makeDataFolder } from "../../shell/private-folder.ts";
import { ProcessFolder } from "./process-folder.ts";

export class ProcessFolders {
  private readonly path: string;
  /**
   * Folders that are kept for their logs, the oldest first. Read once, before any process of this
   * agent has a folder: each end would otherwise read the folders of all others, and take one that
   * is being made for one that is over.
   */
  private readonly settled: Set<string>;
  private removed: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
    makeDataFolder(path);
    this.settled = this.withoutRecord();
  }

  /**
   * A name is used again when a workload is made anew, so every process gets a folder of its own.
   */
  add(replica: ObjectKey, incarnation: number): ProcessFolder {
    const suffix = randomBytes(4).toString("hex");
    const folder = join(this.path, `${folderPrefix(replica)}${incarnation}+${suffix}`);
    mkdirSync(folder, { mode: 0o700 });
    return new ProcessFolder(folder);
  }

  /** Processes an earlier agent has written down, the newest of each replica last. */
  recorded(): readonly GuardedProcess[] {
    return this.folders()
      .flatMap((folder) => {
        const record = folder.readRecord();
        return record === undefined ? [] : [new GuardedProcess({ folder, record, wasTold: true })];
      })
      .toSorted(
        (a, b) =>
          a.record.incarnation - b.record.incarnation || a.record.orderedMs - b.record.orderedMs,
      );
  }

  /** It is not needed any more: only the logs stay. */
  settle(folder: ProcessFolder): void {
    rmSync(folder.file("record.json"), { force: true });
    rmSync(folder.environment, { force: true });
    // What the process wrote may be large; its removal runs in the background.
    this.remove(folder.work);
    this.settled.delete(folder.path);
    this.settled.add(folder.path);
    for (const path of this.settled) {
      if (this.settled.size <= AGENT_LIMITS.endedKept.value) break;
      this.settled.delete(path);
      this.remove(path);
    }
  }

  /** What earlier agents have settled, the oldest first. */
  private withoutRecord(): Set<string> {
    const found = this.folders()
      .filter((folder) => folder.readRecord() === undefined)
      .map(({ path }) => ({
        path,
        // One that is being removed at this moment is the oldest of all.
        changedMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
      }));
    return new Set(found.toSorted((a, b) => a.changedMs - b.changedMs).map(({ path }) => path));
  }

  /** One after the other: a thousand ends at once would be a thousand walks at once. */
  private remove(path: string): void {
    this.removed = this.removed.then(() =>
      rm(path, { recursive: true, force: true }).catch(() => undefined),
    );
  }

  /** After a boot: none of them runs, and none of their names means anything. */
  settleAll(): void {
    for (const folder of this.folders()) {
      if (folder.readRecord() !== undefined) this.settle(folder);
    }
  }

  private folders(): readonly ProcessFolder[] {
    return readdirSync(this.path).map((name) => new ProcessFolder(join(this.path, name)));
  }
}

/**
 * How the folders of a replica's processes begin; the incarnation follows. No name has a plus in it
 * any more.
 */
export function folderPrefix(replica: ObjectKey): string {
  const { namespace, name } = parseKey(replica);
  return `${encodeURIComponent(namespace)}+${encodeURIComponent(name)}+`;
}
