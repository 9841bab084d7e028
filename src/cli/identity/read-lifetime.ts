/** How long a token lives: a duration, or whole days, which durations do not have. */
import { parseDuration } from "../../quantity/duration.ts";
import { UserError } from "../../shell/errors.ts";

const DAY_MS = 86_400_000;

export function readLifetime(flag: string, text: string, mostMs: number): number {
  const days = /^(\d{1,6})d$/.exec(text)?.[1];
  const ms = days === undefined ? parseDuration(text) : Number(days) * DAY_MS;
  if (ms !== undefined && ms > 0 && ms <= mostMs) return ms;
  const most = mostMs >= DAY_MS ? `${Math.floor(mostMs / DAY_MS)}d` : `${mostMs / 60_000}m`;
  throw new UserError(
    "bad-usage",
    `${flag}: found "${text}", expected a duration such as 12h or 30d, at most ${most}.`,
  );
}
