/**
 * The two scripts around bubblewrap: one becomes the sandbox of a replica, one enters it. The
 * options of bubblewrap are in a file: any process of the sandbox can read the words of its first.
 */
import { join } from "node:path";
import { writeDurably } from "../../../shell/write-durably.ts";
import { toolPath } from "../find-tool.ts";
import { NOT_STARTED } from "../../process/shim-scripts.ts";

/** What bubblewrap writes when the sandbox is there. */
export const SANDBOX_NOTE = "sandbox.json";
export const SANDBOX_WORDS = "sandbox.args";

/**
 * A request to stop is for the command, and bubblewrap's own processes would die of it and take the
 * command with them: they are deaf to it, and the command hears again.
 */
const start = (
  bwrap: string,
): string => `# Written by the Berth agent. Becomes the sandbox of a replica.
dir=$1 filter=$2
shift 2
ulimit -c 0
trap '' TERM
exec 3< "$dir/${SANDBOX_WORDS}" 4< "$filter" 5> "$dir/${SANDBOX_NOTE}" || exit ${NOT_STARTED}
# The folders that bubblewrap makes are for the replica's user, too.
umask 022
exec "${bwrap}" --args 3 --seccomp 4 --info-fd 5 -- "$@"
`;

/**
 * Another command of the replica: enters the namespaces of the sandbox, and takes there the same
 * filter and the same want of rights.
 */
const enter = (
  bwrap: string,
  nsenter: string,
): string => `# Written by the Berth agent. Runs a command in the sandbox of a replica.
dir=$1 filter=$2
shift 2
ulimit -c 0
pid=
while read -r word value; do
  [ "$word" = '"child-pid":' ] && pid=\${value%,}
done < "$dir/${SANDBOX_NOTE}"
[ -n "$pid" ] || exit ${NOT_STARTED}
exec 4< "$filter" || exit ${NOT_STARTED}
umask 022
exec "${nsenter}" --target "$pid" --mount --pid --ipc --uts --net -- "${bwrap}" --dev-bind / / --seccomp 4 "$@"
`;

export interface SandboxScripts {
  readonly start: string;
  readonly inside: string;
}

export function installSandboxScripts(folder: string): SandboxScripts {
  const scripts = { start: join(folder, "sandbox.sh"), inside: join(folder, "in-sandbox.sh") };
  const bwrap = toolPath("bwrap");
  writeDurably(scripts.start, start(bwrap));
  writeDurably(scripts.inside, enter(bwrap, toolPath("nsenter")));
  return scripts;
}
