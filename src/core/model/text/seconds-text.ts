/** A time that was measured, for people: tenths of a second are as much as anybody reads. */
export const secondsText = (ms: number): string =>
  `${Math.trunc(ms / 1000)}.${Math.trunc((ms % 1000) / 100)} s`;
