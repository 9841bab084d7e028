/**
 * What there is, counted by kind; choosing one shows only that, choosing it again shows all. The
 * choice is part of the address.
 */
import { hrefWith } from "../app/router.ts";

export interface Chip {
  /** In the address. */
  readonly value: string;
  /** For people; left out: the value is a word already. */
  readonly text?: string;
  readonly count: number;
}

export interface ChipFilterProps {
  /** Of the whole row, for screen readers: "Reasons". */
  readonly label: string;
  /** Of the address. */
  readonly parameter: string;
  readonly chips: readonly Chip[];
  /** "" for all. */
  readonly chosen: string;
  /** Of a chosen value that no chip has any more. */
  readonly lostText?: (value: string) => string;
}

export function ChipFilter({ label, parameter, chips, chosen, lostText }: ChipFilterProps) {
  // One that was chosen stays, so that it can be taken back when nothing is like that any more.
  const isLost = chosen !== "" && !chips.some(({ value }) => value === chosen);
  const lost = { value: chosen, text: lostText?.(chosen) ?? chosen, count: 0 };
  const shown: readonly Chip[] = isLost ? [...chips, lost] : chips;
  if (shown.length === 0) return null;
  return (
    <nav class="chips" aria-label={label}>
      {shown.map(({ value, text = value, count }) => {
        const isChosen = value === chosen;
        return (
          <a
            key={value}
            class={isChosen ? "chip chip-chosen" : "chip"}
            aria-current={isChosen}
            href={hrefWith({ [parameter]: isChosen ? undefined : value })}
          >
            {text} <strong>{count}</strong>
            {isChosen && (
              <>
                <span aria-hidden="true"> ✕</span>
                <span class="unseen">, show all</span>
              </>
            )}
          </a>
        );
      })}
    </nav>
  );
}
