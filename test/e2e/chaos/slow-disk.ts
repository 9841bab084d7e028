/** A disk that is slow for one process: the kernel lets it write only so many bytes a second (cgroup v1, blkio). */
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = "/sys/fs/cgroup/blkio";

/** About eight pages: a batch of the log takes a large part of a second, and a snapshot many. */
const BYTES_PER_SECOND = 32_768;

export class SlowDisk {
  private readonly group = join(ROOT, `berth-chaos-${process.pid}`);
  private readonly device: string;

  /** Of the file system that has this folder. */
  constructor(folder: string) {
    const { dev } = statSync(folder);
    this.device = `${(dev >> 8) & 0xfff}:${dev & 0xff}`;
  }

  /** False where there is no such hierarchy, we may not use it, or the file system has no disk of its own. */
  prepare(): boolean {
    try {
      if (!existsSync(this.group)) mkdirSync(this.group);
      this.set(0);
      return true;
    } catch {
      return false;
    }
  }

  /** From now on, and for as long as it lives or until `heal`. */
  slowDown(pid: number): void {
    try {
      this.set(BYTES_PER_SECOND);
      writeFileSync(join(this.group, "cgroup.procs"), String(pid));
    } catch (error) {
      // It died a moment ago; the next one has its own turn.
      if (existsSync(`/proc/${pid}`)) throw error;
    }
  }

  /** Whoever is in it writes as fast as the disk does. */
  heal(): void {
    this.set(0);
  }

  /** Bytes that were written slowly: a fault that hit nothing proves nothing. */
  get written(): number {
    const told = readFileSync(join(this.group, "blkio.throttle.io_service_bytes"), "utf8");
    return Number(/^\d+:\d+ Write (\d+)$/m.exec(told)?.[1] ?? 0);
  }

  /** Whoever is still in it goes where it came from. */
  remove(): void {
    if (!existsSync(this.group)) return;
    const left = readFileSync(join(this.group, "cgroup.procs"), "utf8");
    for (const pid of left.split("\n").filter((line) => line !== "")) {
      try {
        writeFileSync(join(ROOT, "cgroup.procs"), pid);
      } catch {
        // It has ended meanwhile.
      }
    }
    rmdirSync(this.group);
  }

  private set(bytesPerSecond: number): void {
    const bound = join(this.group, "blkio.throttle.write_bps_device");
    writeFileSync(bound, `${this.device} ${bytesPerSecond}`);
  }
}
