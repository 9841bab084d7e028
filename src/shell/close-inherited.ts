/**
 * Closes files that this process inherited and did not ask for: they would be open in everything
 * that it starts, and what it starts may belong to others. What it opened itself is marked to be
 * closed by the kernel already.
 */
import { closeSync, readdirSync, readFileSync } from "node:fs";

/** In octal, as the kernel shows the flags of an open file. */
const CLOSED_ON_EXEC = 0o2_000_000;
const LAST_STANDARD = 2;

/** Returns how many. Nowhere but on Linux can they be seen. */
export function closeInherited(): number {
  const inherited = filesOpen().filter((file) => file > LAST_STANDARD && isInherited(file));
  for (const file of inherited) closeSync(file);
  return inherited.length;
}

function filesOpen(): readonly number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

function isInherited(file: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${file}`, "utf8"));
    return (Number.parseInt(flags?.[1] ?? "2000000", 8) & CLOSED_ON_EXEC) === 0;
  } catch {
    return false;
  }
}
