/**
 * A bar in parts, such as what a quota is used for. The text beside it says the same; the bar
 * itself is hidden from readers of text.
 */
import type { Tone } from "./stage-tone.ts";

export interface Segment {
  readonly label: string;
  readonly amount: number;
  readonly tone: Tone;
}

export interface SegmentBarProps {
  readonly segments: readonly Segment[];
  /** Of which the segments are parts; left out, they are the whole. */
  readonly whole?: number;
}

export function SegmentBar({ segments, whole }: SegmentBarProps) {
  const sum = segments.reduce((total, { amount }) => total + amount, 0);
  const all = Math.max(whole ?? sum, sum, Number.MIN_VALUE);
  return (
    <span class="bar" aria-hidden="true">
      {segments
        .filter(({ amount }) => amount > 0)
        .map(({ label, amount, tone }) => (
          <span
            key={label}
            class={`bar-part fill-${tone}`}
            style={{ width: `${(amount / all) * 100}%` }}
            title={`${label}: ${amount}`}
          />
        ))}
    </span>
  );
}
