/** A child must not outlive the benchmark, however the benchmark ends. */
import type { ChildProcess } from "node:child_process";

const living = new Set<ChildProcess>();
let isListening = false;

/** Returns how to let go of a child that has ended. */
export function endWithUs(child: ChildProcess): () => void {
  if (!isListening) process.on("exit", killAll);
  isListening = true;
  living.add(child);
  const letGo = (): void => void living.delete(child);
  child.once("exit", letGo);
  return letGo;
}

export function killAll(): void {
  for (const child of living) child.kill("SIGKILL");
}
