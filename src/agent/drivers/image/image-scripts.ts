/**
 * The scripts around crun: one becomes the container of a replica, one enters it. The replica is in
 * its cgroups already, so crun makes none; on a machine with both versions of cgroups it refuses to
 * work unless the second is hidden from it.
 */
import { join } from "node:path";
import { writeDurably } from "../../../shell/write-durably.ts";
import { toolPath } from "../find-tool.ts";

const HIDE = `
if mountpoint -q /sys/fs/cgroup/unified; then umount -l /sys/fs/cgroup/unified; fi
`;

/** Arguments: where crun keeps its state, then its own words. */
const around = (
  crun: string,
): string => `# Written by the Berth agent. Runs crun in a mount namespace of its own.
state=$1
shift
# The folders that crun makes are for the replica's user, too.
umask 022
${HIDE}
exec "${crun}" --root "$state" --cgroup-manager=disabled "$@"
`;

export function installImageScript(folder: string): string {
  const file = join(folder, "crun.sh");
  writeDurably(file, around(toolPath("crun")));
  return file;
}

/** What stands in front of the words of crun. */
export const crunWords = (script: string, state: string): readonly string[] => [
  toolPath("unshare"),
  "--mount",
  "/bin/sh",
  script,
  state,
];
