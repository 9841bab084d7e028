/** What the kernel shows of the processes of a sandbox, from outside. */
import { readFileSync } from "node:fs";
import type { ProcessFolder } from "../../process/process-folder.ts";
import { SANDBOX_NOTE } from "./sandbox-scripts.ts";

const SIGTERM = 15;

/**
 * Whether the first process of the command is the replica's own and not deaf to SIGTERM. Before
 * that it is on its way, deaf as bubblewrap is; a command that made itself deaf misses nothing.
 */
export function hears(folder: ProcessFolder, uid: number): boolean {
  const init = /"child-pid": (\d+)/.exec(textOf(folder.file(SANDBOX_NOTE)))?.[1];
  const [first = ""] = textOf(`/proc/${init}/task/${init}/children`).split(" ");
  const status = textOf(`/proc/${first}/status`);
  const ignored = BigInt(`0x${/^SigIgn:\t([0-9a-f]+)$/m.exec(status)?.[1] ?? "f".repeat(16)}`);
  const isDeaf = (ignored & (1n << BigInt(SIGTERM - 1))) !== 0n;
  return new RegExp(`^Uid:\\t${uid}\\t`, "m").test(status) && !isDeaf;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
