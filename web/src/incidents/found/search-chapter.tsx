/** Finds words in all turns of a chapter; the plane replays it for that, whatever part is shown. */
import { useSignal } from "@preact/signals";
import type { FoundTurn, FoundTurns } from "../../../../src/incident/find-in-chapter.ts";
import { hrefOf } from "../../app/route.ts";
import { useFetched } from "../../live/use-fetched.ts";
import { ErrorState } from "../../parts/error-state.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";

export interface SearchChapterProps {
  readonly chapter: string;
  /** Another turn is opened; it may be in the part that is shown already. */
  readonly opened: () => void;
}

export function SearchChapter({ chapter, opened }: SearchChapterProps) {
  const typed = useSignal("");
  const words = useSignal("");
  const query = new URLSearchParams({ find: words.value });
  const path = `/recordings/${encodeURIComponent(chapter)}/turns?${query.toString()}`;
  const asked = useFetched<FoundTurns>(words.value === "" ? undefined : path);
  return (
    <details class="chapter-search">
      <summary>Search the whole chapter</summary>
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          words.value = typed.value.trim();
        }}
      >
        <label>
          <span class="unseen">Words to find in all turns of the chapter</span>
          <input
            type="search"
            maxLength={200}
            placeholder="Words in any turn, such as a node's name"
            value={typed.value}
            onInput={({ currentTarget }) => void (typed.value = currentTarget.value)}
          />
        </label>{" "}
        <button type="submit" class="button">
          Search
        </button>
      </form>
      {asked.isLoading && <Skeleton rows={3} label={`Searching all turns of chapter ${chapter}`} />}
      {asked.failure !== undefined && (
        <ErrorState
          title="Cannot search the chapter."
          failure={asked.failure}
          retry={() => asked.reload()}
        />
      )}
      {asked.value !== undefined && (
        <Answer answer={asked.value} chapter={chapter} opened={opened} />
      )}
    </details>
  );
}

function Answer(of: SearchChapterProps & { readonly answer: FoundTurns }) {
  const { turns, count, found } = of.answer;
  const shown = found.length < count ? `; the newest ${found.length} are shown` : "";
  return (
    <>
      <p class="quiet" aria-live="polite">
        Found in {count} of {turns} turns of the chapter{shown}.
      </p>
      <ol class="chapter-found">
        {found.map((turn) => (
          <li key={turn.turn}>
            <a href={hrefOfTurn(of.chapter, turn)} onClick={of.opened}>
              <time dateTime={new Date(turn.atMs).toISOString()}>
                {new Date(turn.atMs).toISOString().slice(11, 23)}
              </time>{" "}
              <strong>{turn.component}</strong> {turn.text}
            </a>
          </li>
        ))}
      </ol>
    </>
  );
}

const hrefOfTurn = (chapter: string, { turn, near }: FoundTurn): string =>
  hrefOf("incidents", ["chapter", chapter], {
    around: near === undefined ? undefined : `${near}`,
    turn,
  });
