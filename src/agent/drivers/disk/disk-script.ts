/**
 * The script that gives a replica room before its sandbox or container is made: a disk that is a
 * file of the node, or memory, and over an image a layer that takes the replica's changes. All of
 * it is mounted in a namespace of the replica's own and goes with its last process.
 */
import { join } from "node:path";
import { writeDurably } from "../../../shell/write-durably.ts";
import { NOT_STARTED } from "../../process/shim-scripts.ts";

/** A disk with less room is full: a program that writes in blocks of 64 KiB finds none. */
const FULL_BYTES = 65_536;

/**
 * Arguments: the disk's file or the bytes of memory, where to mount it, where to say what went
 * wrong, the size for people, the owner, the image's files or "-", and the command. The script
 * stays: it alone can look at the disk when the command is over. It is not deaf to a request to
 * stop, because the command would be, too.
 */
const DISK = `# Written by the Berth agent. Gives a replica room on a disk, then runs it.
room=$1 at=$2 note=$3 size=$4 owner=$5 image=$6
shift 6
umask 022
trap : HUP INT TERM
fail() {
  echo "its node could not make its $1: $said" > "$note"
  exit ${NOT_STARTED}
}
case $room in
/*) said=$(mount -t ext4 -o loop,nosuid,nodev,noatime "$room" "$at" 2>&1) || fail disk ;;
*) said=$(mount -t tmpfs -o "nosuid,nodev,mode=755,size=$room" tmpfs "$at" 2>&1) || fail "layer in memory" ;;
esac
cd "$at" || exit ${NOT_STARTED}
said=$(mkdir -m 700 work 2>&1 && chown "$owner" work 2>&1) || fail "work directory"
if [ "$image" != - ]; then
  # The image belongs to the machine's root: in the layer its files get the owner of the replica, and
  # their content stays where it is until it is changed.
  said=$(mkdir image changes overlay root 2>&1 && mount --bind "$image" image 2>&1 &&
    mount -t overlay -o nosuid,nodev,lowerdir=image,upperdir=changes,workdir=overlay,metacopy=on overlay root 2>&1 &&
    chown -hR "$owner" root 2>&1) || fail "writable image"
fi
cd /
"$@"
code=$?
case $room in
/*)
  # Blocks, bytes of one, and files that it has room for.
  if set -- $(stat -f -c '%a %S %d' "$at") && [ "$#" = 3 ]; then
    { [ "$(($1 * $2))" -ge ${FULL_BYTES} ] && [ "$3" -gt 0 ]; } ||
      echo "its disk of $size is full" > "$note"
  fi
  ;;
esac
exit "$code"
`;

export function installDiskScript(folder: string): string {
  const file = join(folder, "disk.sh");
  writeDurably(file, DISK);
  return file;
}
