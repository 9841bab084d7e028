/**
 * One resource of an account: what is used and reserved of what it may use, as a bar and in words.
 */
import { SegmentBar } from "../parts/segment-bar.tsx";
import { shareText } from "../parts/amount-text.ts";
import { onScale } from "./on-scale.ts";
import type { AccountRow } from "./quota-row.ts";

export interface UseBarProps {
  readonly row: AccountRow;
  /** Which resource: 0 CPU, 1 memory, 2 devices. */
  readonly at: 0 | 1 | 2;
  readonly text: (amount: number) => string;
}

export function UseBar({
  row: { limit, used, reserved, borrowed, overdrawn, kind },
  at,
  text,
}: UseBarProps) {
  if (limit === null) return <span class="quiet">no quota: no replica is admitted</span>;
  const [lent, over] = [kind === "tenant" ? borrowed[at] : 0, overdrawn[at]];
  const { parts, limitAt } = onScale({ limit: limit[at], used: used[at], reserved: reserved[at] });
  return (
    <span class="use">
      <span class="use-bar">
        <SegmentBar
          whole={parts.whole}
          segments={[
            { label: "used", amount: parts.used, tone: "good" },
            { label: "reserved", amount: parts.reserved, tone: "busy" },
            { label: "over the limit", amount: parts.over, tone: "bad" },
          ]}
        />
        {limitAt < 1 && (
          <span class="use-limit" style={{ left: `${limitAt * 100}%` }} aria-hidden="true" />
        )}
      </span>
      <span class="use-text">
        {text(used[at])} used of {text(limit[at])} ({shareText(used[at] + reserved[at], limit[at])})
        {reserved[at] > 0 && `, ${text(reserved[at])} reserved`}
        {lent > 0 && `, ${text(lent)} borrowed`}
        {over > 0 && `, ${text(over)} overdrawn`}
      </span>
    </span>
  );
}
