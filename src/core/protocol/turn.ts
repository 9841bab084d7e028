/**
 * The only time and the only randomness a component has. Randomness is keyed by what it is for, not
 * drawn from a shared stream, so that one event more or less leaves every other draw where it was.
 */
export interface Turn {
  /**
   * Milliseconds on this process's clock: monotonic within one incarnation, comparable with nothing
   * else.
   */
  readonly now: number;
  /**
   * An unsigned 32-bit number that depends on the run's seed, the component, `site` and `subject`
   * alone.
   */
  random(site: string, subject: string): number;
}
