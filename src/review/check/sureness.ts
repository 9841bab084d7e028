/**
 * How many runs show a share. Some runs that keep a promise do not show that 999 of 1,000 would:
 * the share is shown when so few failures would be unlikely if it were not true.
 */

/** One chance in twenty of calling a promise kept that is not. */
const DOUBT = 0.05;

/** Whether so many broken of so many runs show that at most a share `mayBreak` of all breaks. */
export const isShown = (runs: number, broken: number, mayBreak: number): boolean =>
  chanceOfAtMost(runs, broken, mayBreak) <= DOUBT;

/** The fewest runs that show it when none of them breaks. */
export const runsToShow = (mayBreak: number): number =>
  Math.ceil(Math.log(DOUBT) / Math.log(1 - mayBreak));

/** The share that runs without a failure show, in percent with one digit, rounded down. */
export const shownPercent = (runs: number): number => Math.floor(1_000 * DOUBT ** (1 / runs)) / 10;

/** Of at most `broken` failures in `runs` when each fails with this chance. */
function chanceOfAtMost(runs: number, broken: number, chance: number): number {
  let term = (1 - chance) ** runs;
  let sum = term;
  for (let at = 0; at < broken; at += 1) {
    term *= ((runs - at) / (at + 1)) * (chance / (1 - chance));
    sum += term;
  }
  return sum;
}
