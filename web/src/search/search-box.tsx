/**
 * The search of the whole plane: `/` brings the cursor here, the arrows choose, Enter opens, Esc
 * returns to where the reader was. It is a combobox with a list, as screen readers know them.
 */
import { useEffect, useRef } from "preact/hooks";
import type { SearchResult } from "./search-results.ts";
import type { Search } from "./use-search.ts";
import { useSearchBox } from "./use-search-box.ts";

const LIST_ID = "search-results";
const optionId = (at: number): string => `search-result-${at}`;

export function SearchBox() {
  const box = useSearchBox();
  const isListed = box.isOpen.value;
  const chosen = box.chosen.value;
  return (
    <div class="search">
      <input
        ref={box.input}
        type="text"
        role="combobox"
        class="search-input"
        placeholder="Search"
        aria-label="Search"
        aria-autocomplete="list"
        aria-expanded={isListed}
        aria-controls={LIST_ID}
        aria-keyshortcuts="/"
        {...(isListed && chosen >= 0 ? { "aria-activedescendant": optionId(chosen) } : {})}
        autocomplete="off"
        spellcheck={false}
        value={box.typed.value}
        onFocus={box.show}
        onBlur={box.close}
        onKeyDown={box.press}
        onInput={({ currentTarget }) => box.type(currentTarget.value)}
      />
      <kbd aria-hidden="true">/</kbd>
      <Results
        isListed={isListed}
        results={box.results}
        search={box.search}
        typed={box.typed.value}
        chosen={chosen}
        open={box.open}
      />
    </div>
  );
}

interface ResultsProps {
  readonly isListed: boolean;
  readonly results: readonly SearchResult[];
  readonly search: Search;
  readonly typed: string;
  readonly chosen: number;
  readonly open: (result: SearchResult) => void;
}

function Results({ isListed, results, search, typed, chosen, open }: ResultsProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <div class="search-results" hidden={!isListed}>
      <ul id={LIST_ID} ref={list} role="listbox" aria-label="Search results">
        {results.map((result, at) => (
          <li
            key={result.href}
            id={optionId(at)}
            role="option"
            aria-selected={at === chosen}
            // The box would lose the focus, and close, before the click arrives.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => open(result)}
          >
            <span class="search-label">{result.label}</span>
            <span class="quiet">{result.kind}</span>
          </li>
        ))}
      </ul>
      <p class="quiet search-says" role="status">
        {saysOf(search, typed.trim(), results.length)}
      </p>
    </div>
  );
}

function saysOf({ text, found, count, failure }: Search, typed: string, listed: number): string {
  if (typed === "") return "Type a part of a name.";
  if (failure !== undefined && text === typed) return failure.message;
  if (text !== typed) return "Searching…";
  if (count > found.length) return `${found.length} of ${count} shown: type more of the name.`;
  if (listed === 0) return "Nothing has this name.";
  return listed === 1 ? "1 result" : `${listed} results`;
}
