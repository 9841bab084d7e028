/**
 * How long ago something was, growing older while it is looked at; the exact time is in the title.
 */
import { nowMs } from "../live/clock.ts";
import { ageText } from "./age-text.ts";

type Form = "ago" | "age" | "due";

export interface RelativeTimeProps {
  /** RFC 3339, or milliseconds since 1970. */
  readonly at: string | number | undefined;
  /** `age`: without "ago". `due`: a deadline, which is now once it has passed. */
  readonly form?: Form;
}

export function RelativeTime({ at, form = "ago" }: RelativeTimeProps) {
  const atMs = typeof at === "string" ? Date.parse(at) : at;
  if (atMs === undefined || Number.isNaN(atMs)) return <span class="quiet">–</span>;
  const exact = new Date(atMs).toISOString();
  return (
    <time dateTime={exact} title={exact}>
      {timeText(atMs - nowMs.value, form)}
    </time>
  );
}

/** A second or two of difference between two clocks is no future. */
const NOW_MS = 2_000;

function timeText(leftMs: number, form: Form): string {
  const age = ageText(leftMs > 0 && leftMs <= NOW_MS ? 0 : Math.abs(leftMs));
  if (form === "age") return age;
  if (leftMs > NOW_MS) return `in ${age}`;
  return form === "due" ? "now" : `${age} ago`;
}
