/**
 * The folders of this node's processes. A folder with a record is a process somebody may still ask about;
 * one without is over and kept for its logs, until enough newer ones are.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type ObjectKey, parseKey } from "../core/model/ids.ts";
import { GuardedProcess } from "./guarded-process.ts";
import { ProcessFolder } from "./process-folder.ts";

/** Logs of so many ended processes are kept: enough to look into a crash loop. */
const KEPT_ENDED = 20;

export class ProcessShelf {
  private readonly path: string;

  constructor(path: string) {
    this.path = path;
    mkdirSync(path, { recursive: true, mode: 0o711 });
  }

  /** A name is used again when a workload is made anew, so every process gets a folder of its own. */
  add(replica: ObjectKey, life: number): ProcessFolder {
    const suffix = randomBytes(4).toString("hex");
    const folder = join(this.path, `${folderPrefix(replica)}${life}+${suffix}`);
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
      .toSorted((a, b) => a.record.life - b.record.life || a.record.orderedMs - b.record.orderedMs);
  }

  /** Nobody will ask about it any more: only the logs stay. */
  settle(folder: ProcessFolder): void {
    rmSync(folder.file("record.json"), { force: true });
    rmSync(folder.environment, { force: true });
    // What the process wrote may be large; nobody waits for it to be gone.
    void rm(folder.work, { recursive: true, force: true }).catch(() => undefined);
    const settled = this.folders()
      .filter((candidate) => candidate.readRecord() === undefined)
      .map(({ path }) => ({
        path,
        // One that is being removed at this moment is the oldest of all.
        changedMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
      }))
      .toSorted((a, b) => b.changedMs - a.changedMs);
    for (const { path } of settled.slice(KEPT_ENDED)) remove(path);
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

/** How the folders of a replica's processes begin; the life follows. No name has a plus in it any more. */
export function folderPrefix(replica: ObjectKey): string {
  const { namespace, name } = parseKey(replica);
  return `${encodeURIComponent(namespace)}+${encodeURIComponent(name)}+`;
}

function remove(path: string): void {
  void rm(path, { recursive: true, force: true }).catch(() => undefined);
}
