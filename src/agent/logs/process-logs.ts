/** Where the output of a replica's processes is on this machine, for readers of logs. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ObjectKey } from "../../core/model/ids.ts";
import { ProcessFolder } from "../process/process-folder.ts";
import { folderPrefix } from "../process/process-folders.ts";

export interface ProcessLogs {
  readonly incarnation: number;
  /** Of the process that wrote them. */
  readonly folder: ProcessFolder;
  readonly stdout: string;
  readonly stderr: string;
}

/** The newest process first. The rotated file is beside each file, with `.1` at its end. */
export function findProcessLogs(agentFolder: string, replica: ObjectKey): readonly ProcessLogs[] {
  const folders = join(agentFolder, "processes");
  if (!existsSync(folders)) return [];
  const prefix = folderPrefix(replica);
  return (
    readdirSync(folders)
      .filter((name) => name.startsWith(prefix))
      .map((name) => {
        const folder = new ProcessFolder(join(folders, name));
        return {
          incarnation: Number(name.slice(prefix.length).split("+")[0]),
          folder,
          stdout: folder.stdout,
          stderr: folder.stderr,
          madeMs: statSync(folder.path).birthtimeMs,
        };
      })
      // By age and not by incarnation: a namesake that was made anew counts its incarnations from
      // one again.
      .toSorted((a, b) => b.madeMs - a.madeMs || b.incarnation - a.incarnation)
      .map(({ incarnation, folder, stdout, stderr }) => ({ incarnation, folder, stdout, stderr }))
  );
}
