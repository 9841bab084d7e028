/**
 * Disks that are slow for all members of etcd: the kernel lets them write only so many bytes a second. Where the machine does not
 * let us, members are stopped in short bursts, which is as slow and not the disk's doing.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { SlowDisk } from "../chaos/slow-disk.ts";
import { type Cluster, MEMBERS } from "./cluster.ts";

/** Stopped four fifths of the time, in bursts that are shorter than an election. */
const STOPPED_MS = 400;
const RUNNING_MS = 100;

export async function slowDisks({ etcd, folder }: Cluster, forMs: number): Promise<void> {
  const members = Array.from({ length: MEMBERS }, (_, at) => etcd.member(at));
  const disk = new SlowDisk(folder);
  if (disk.prepare()) {
    try {
      for (const { pid } of members) if (pid !== undefined) disk.slowDown(pid);
      await sleep(forMs);
    } finally {
      disk.heal();
      disk.remove();
    }
    return;
  }
  const endMs = performance.now() + forMs;
  while (performance.now() < endMs) {
    for (const member of members) member.pause();
    await sleep(STOPPED_MS);
    for (const member of members) member.resume();
    await sleep(RUNNING_MS);
  }
}
