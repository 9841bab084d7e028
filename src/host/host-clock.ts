/**
 * The time a process tells its components: the wall clock once, at start, and from then on the
 * monotonic clock. It never steps within one incarnation, whatever happens to the machine's wall
 * clock (CL1).
 */
export interface HostClock {
  nowMs(): number;
}

export function createHostClock(): HostClock {
  const wallAtStart = Date.now();
  const monotonicAtStart = performance.now();
  return { nowMs: () => wallAtStart + Math.floor(performance.now() - monotonicAtStart) };
}
