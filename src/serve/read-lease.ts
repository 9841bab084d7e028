/** How long a leader's lease lasts, as `--lease SECONDS` gives it. */
import { UserError } from "../shell/errors.ts";
import { readWholeNumber } from "../shell/read-whole-number.ts";

/**
 * An election in etcd takes seconds, and a plane that waits for a minute is not highly available.
 */
const FEWEST_SECONDS = 2;
const MOST_SECONDS = 60;

export function readLease(text: string): number {
  const seconds = readWholeNumber("--lease", text);
  if (seconds >= FEWEST_SECONDS && seconds <= MOST_SECONDS) return seconds;
  throw new UserError(
    "bad-usage",
    `--lease: found ${seconds}, expected ${FEWEST_SECONDS} to ${MOST_SECONDS} seconds.`,
  );
}
