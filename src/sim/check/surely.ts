/** Time that has surely passed on every clock. */

/** Clocks may be off by a hundredth, and an append takes a moment. */
export const surely = (ms: number): number => ms - (2 * ms) / 100 - 2_000;
