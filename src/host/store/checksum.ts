/**
 * Checksums that hang together: each covers the one before it, so a row that is missing, repeated
 * or out of its place is noticed as surely as one whose content changed.
 */
import { createHash } from "node:crypto";

export type Checksum = string;

/**
 * 128 bits: far beyond what chance can hit, and short enough to read to somebody over the phone.
 */
const HEX_DIGITS = 32;

/** What the first link of a chain covers. */
export const CHAIN_START: Checksum = "0".repeat(HEX_DIGITS);

export function chained(previous: Checksum, label: string, body: Uint8Array): Checksum {
  return createHash("sha256")
    .update(`${previous} ${label}\n`)
    .update(body)
    .digest("hex")
    .slice(0, HEX_DIGITS);
}
