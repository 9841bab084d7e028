/** What this machine has, as far as this process may use it. */
import { availableParallelism, totalmem } from "node:os";

const MIB = 2 ** 20;

export function discoverCapacity(): { readonly cpuMillis: number; readonly memoryMiB: number } {
  // In a container the limit is what counts; without one the kernel reports a number beyond all
  // memory, or 0.
  const limit = process.constrainedMemory();
  const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return { cpuMillis: availableParallelism() * 1_000, memoryMiB: Math.floor(bytes / MIB) };
}
