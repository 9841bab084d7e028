/**
 * How much is left of an override: a bar that runs down while it is looked at, and the same in
 * words.
 */
import { nowMs } from "../live/clock.ts";
import { RelativeTime } from "../parts/relative-time.tsx";
import { SegmentBar } from "../parts/segment-bar.tsx";

export interface TimeLeftProps {
  readonly since: string;
  readonly until: string;
}

/** With less than this part of it left, its owner should extend it if needed. */
const NEARLY_OVER = 0.1;

export function TimeLeft({ since, until }: TimeLeftProps) {
  const untilMs = Date.parse(until);
  const whole = Math.max(1, untilMs - Date.parse(since));
  const left = Math.min(whole, Math.max(0, untilMs - nowMs.value));
  const tone = left / whole < NEARLY_OVER ? "wait" : "done";
  return (
    <div class="time-left">
      <SegmentBar whole={whole} segments={[{ label: "left", amount: left, tone }]} />
      <span>
        {left === 0 ? (
          "It has expired and is being removed."
        ) : (
          <>
            ends <RelativeTime at={until} /> <span class="quiet">{clockText(untilMs)}</span>
          </>
        )}
      </span>
    </div>
  );
}

/** To the second, as the commands say it. */
const clockText = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
