/**
 * One resource of an account: what is used and reserved of what it may use, as a bar and in words.
 */
import { SegmentBar } from "../parts/segment-bar.tsx";
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
  return (
    <span class="use">
      <SegmentBar
        whole={limit[at]}
        segments={[
          { label: "used", amount: used[at], tone: over > 0 ? "bad" : "good" },
          { label: "reserved", amount: reserved[at], tone: "busy" },
        ]}
      />
      <span class="use-text">
        {text(used[at])} of {text(limit[at])}
        {reserved[at] > 0 && `, ${text(reserved[at])} reserved`}
        {lent > 0 && `, ${text(lent)} borrowed`}
        {over > 0 && `, ${text(over)} overdrawn`}
      </span>
    </span>
  );
}
