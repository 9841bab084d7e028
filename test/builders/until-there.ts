/** Waiting for real processes to come and go. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Also no longer when it has ended and nobody has taken note. */
export const isThere = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};

export async function until(what: string, look: () => boolean): Promise<void> {
  for (const endMs = Date.now() + 120_000; !look(); await sleep(10)) {
    if (Date.now() > endMs) throw new Error(`Waited in vain for ${what}.`);
  }
}
