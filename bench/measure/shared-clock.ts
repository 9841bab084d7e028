/**
 * Milliseconds on the one clock that all processes of a machine read alike; only differences mean
 * anything.
 */
export const sharedNowMs = (): number => Number(process.hrtime.bigint()) / 1e6;
