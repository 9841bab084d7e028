/**
 * What a benchmark ran on: a figure without its machine says nothing. The date is the caller's to
 * give.
 */
import { arch, cpus, platform, release, totalmem } from "node:os";

export interface RanOn {
  /** RFC 3339. */
  readonly date: string;
  readonly node: string;
  readonly cores: number;
  readonly cpu: string;
  readonly memoryMiB: number;
  readonly system: string;
  /** Where the log was kept; "none" for a benchmark without one. */
  readonly store: string;
}

export function ranOn({ date, store }: Pick<RanOn, "date" | "store">): RanOn {
  const all = cpus();
  return {
    date,
    node: process.version,
    cores: all.length,
    cpu: all[0]?.model.trim() ?? "unknown",
    memoryMiB: Math.round(totalmem() / 2 ** 20),
    system: `${platform()} ${release()} ${arch()}`,
    store,
  };
}

export const ranOnText = ({ date, node, cores, cpu, store }: RanOn): string =>
  `${cpu}, ${cores} cores, Node ${node}, store ${store}, ${date}`;
