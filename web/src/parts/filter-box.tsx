/**
 * Where a list is narrowed down by typing. The text is kept in the address; `f` brings the cursor
 * here.
 */
import type { QueryState } from "../app/query-state.ts";

export interface FilterBoxProps {
  readonly state: QueryState;
  /** "Filter workloads" */
  readonly label: string;
  /** How many are left, and of how many. */
  readonly shown?: number;
  readonly all?: number;
}

export function FilterBox({ state, label, shown, all }: FilterBoxProps) {
  return (
    <label class="filter-box">
      <span class="unseen">{label}</span>
      <input
        type="search"
        data-filter
        placeholder={label}
        autocomplete="off"
        spellcheck={false}
        value={state.value}
        onInput={({ currentTarget }) => void (state.value = currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          // The first press empties it, and is not the one that closes what is open beside it.
          event.stopPropagation();
          if (state.value === "") event.currentTarget.blur();
          else state.value = "";
        }}
      />
      {shown !== undefined && all !== undefined && (
        <span class="quiet" aria-live="polite">
          {shown === all ? all : `${shown} of ${all}`}
        </span>
      )}
    </label>
  );
}
