/** Where the output of a replica's processes is on this machine, for whoever wants to read it. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ObjectKey } from "../core/model/ids.ts";
import { ProcessFolder } from "./process-folder.ts";
import { folderPrefix } from "./process-shelf.ts";

export interface ProcessLogs {
  readonly life: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The newest process first. What was rotated away is beside each file, with `.1` at its end. */
export function findProcessLogs(agentFolder: string, replica: ObjectKey): readonly ProcessLogs[] {
  const shelf = join(agentFolder, "processes");
  if (!existsSync(shelf)) return [];
  const prefix = folderPrefix(replica);
  return readdirSync(shelf)
    .filter((name) => name.startsWith(prefix))
    .map((name) => {
      const folder = new ProcessFolder(join(shelf, name));
      return {
        life: Number(name.slice(prefix.length).split("+")[0]),
        stdout: folder.stdout,
        stderr: folder.stderr,
        madeMs: statSync(folder.path).birthtimeMs,
      };
    })
    .toSorted((a, b) => b.life - a.life || b.madeMs - a.madeMs)
    .map(({ life, stdout, stderr }) => ({ life, stdout, stderr }));
}
