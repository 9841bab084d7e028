/** A time of day for people, worked out in whole numbers: core has no calendar but this one. */

const DAY_MS = 86_400_000;
/** Days from the first of March of the year 0 to the first of January 1970. */
const DAYS_TO_1970 = 719_468;
/** After so many days the calendar repeats itself. */
const DAYS_OF_400_YEARS = 146_097;

const two = (value: number): string => String(value).padStart(2, "0");

/** e.g. "2026-11-16T12:30:00Z"; years begin in March here, so that the odd day comes last. */
export function utcText(ms: number): string {
  const day = Math.floor(ms / DAY_MS) + DAYS_TO_1970;
  const era = Math.floor(day / DAYS_OF_400_YEARS);
  const dayOfEra = day - era * DAYS_OF_400_YEARS;
  const leaps =
    Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leaps) / 365);
  const before = 365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  const dayOfYear = dayOfEra - before;
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const date = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const seconds = Math.floor((ms - Math.floor(ms / DAY_MS) * DAY_MS) / 1_000);
  const clock = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${year}-${two(month)}-${two(date)}T${clock.map(two).join(":")}Z`;
}
