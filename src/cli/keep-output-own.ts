/**
 * A file that a shell has just made for the output of a command that prints a secret: other users
 * must not read it.
 */
import { fchmodSync, fstatSync } from "node:fs";

export function keepOutputOwn(): void {
  try {
    const output = fstatSync(process.stdout.fd);
    if (output.isFile() && output.size === 0) fchmodSync(process.stdout.fd, 0o600);
  } catch {
    // No file, or not ours: its owner has said who reads it.
  }
}
