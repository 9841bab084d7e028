/**
 * Who a process runs as. Only root can become somebody else, and does so by setpriv, after the
 * fork.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

const run = promisify(execFile);

/** Undefined when the process simply runs as the agent does. */
export async function findUser(name: string): Promise<RunAs | undefined> {
  if (name === "") return undefined;
  // Asking id instead of reading /etc/passwd also finds users that a directory service knows.
  const ask = async (what: "-u" | "-g"): Promise<number> =>
    Number((await run("id", [what, "--", name])).stdout.trim());
  let found: RunAs;
  try {
    found = { uid: await ask("-u"), gid: await ask("-g") };
  } catch {
    throw new Error(`There is no user ${name} on this node.`);
  }
  const own = process.getuid?.();
  if (own === found.uid) return undefined;
  if (own !== 0) {
    throw new Error(`The agent is not root and cannot run a process as ${name}.`);
  }
  return found;
}

/** What stands in front of a command to run it as this user. */
export function becoming(user: RunAs | undefined): readonly string[] {
  if (user === undefined) return [];
  return ["setpriv", `--reuid=${user.uid}`, `--regid=${user.gid}`, "--init-groups", "--"];
}
