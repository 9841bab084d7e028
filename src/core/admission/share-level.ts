/**
 * The levels of requests, the most urgent first. Seats that no level owns go to the first level
 * that waits for one.
 */
export const SHARE_LEVELS = ["leases", "controllers", "system", "people", "bulk"] as const;

export type ShareLevel = (typeof SHARE_LEVELS)[number];
