/**
 * A part of a chapter of this plane's recording: the plane replays it and sends what came of it.
 */
import { useSignal } from "@preact/signals";
import { queryState } from "../app/query-state.ts";
import { hrefOf } from "../app/route.ts";
import { setQuery } from "../app/router.ts";
import type { IncidentDocument } from "../../../src/incident/incident-document.ts";
import { useFetched } from "../live/use-fetched.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { ErrorState } from "../parts/error-state.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { SearchChapter } from "./found/search-chapter.tsx";
import { IncidentView } from "./incident-view.tsx";
import { PLACE_WORDS } from "./place-in-url.ts";
import { queryKeeper } from "./place-keeper.ts";

const around = queryState("around");
const turns = queryState("turns", { fallback: "2000" });

/** The most that the plane sends at once is the last of them. */
const CHOICES = ["500", "2000", "5000", "20000"];

export function ChapterIncident({ chapter }: { readonly chapter: string }) {
  // The newest part is another one a moment later: a link without a revision leads to where its
  // writer stood.
  const near = useSignal(new URLSearchParams(location.search).get("near") ?? "");
  const jumps = useSignal(0);
  const query = new URLSearchParams({ turns: turns.value });
  const revision = around.value === "" ? near.value : around.value;
  if (revision !== "") query.set("around", revision);
  const path = `/recordings/${encodeURIComponent(chapter)}/incident?${query.toString()}`;
  const asked = useFetched<IncidentDocument>(path);
  const { value, failure } = asked;
  return (
    <>
      <PageHeader title={`Incidents: chapter ${chapter}`}>
        <WhichPart
          changed={(change) => {
            near.value = "";
            lookElsewhere(change);
          }}
        />
        <a class="button" href={hrefOf("incidents")}>
          All incidents
        </a>
      </PageHeader>
      {failure !== undefined && (
        <ErrorState
          title={`Cannot show chapter ${chapter}.`}
          failure={failure}
          retry={() => asked.reload()}
        />
      )}
      {failure === undefined && value === undefined && (
        <Skeleton rows={14} label={`The plane is replaying chapter ${chapter}`} />
      )}
      <SearchChapter chapter={chapter} opened={() => void (jumps.value += 1)} />
      {value !== undefined && <Shown key={jumps.value} document={value} />}
    </>
  );
}

function Shown({ document }: { readonly document: IncidentDocument }) {
  if (document.turns.length > 0) return <IncidentView document={document} keeper={queryKeeper} />;
  return (
    <EmptyState title="No turns in this part.">
      Choose another revision, or load more turns.
    </EmptyState>
  );
}

interface Change {
  readonly around?: string;
  readonly turns?: string;
}

function WhichPart({ changed }: { readonly changed: (change: Change) => void }) {
  return (
    <>
      <label>
        Around revision{" "}
        <input
          type="text"
          inputMode="numeric"
          size={9}
          placeholder="the newest"
          value={around.value}
          onChange={({ currentTarget }) => changed({ around: currentTarget.value.trim() })}
        />
      </label>
      <label>
        <span class="unseen">Number of turns</span>
        <select
          value={turns.value}
          onChange={({ currentTarget }) => changed({ turns: currentTarget.value })}
        >
          {CHOICES.map((count) => (
            <option key={count} value={count}>
              {count} turns
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

/** Another part has other turns, so the place in this one means nothing there. */
function lookElsewhere(change: Change): void {
  setQuery({ ...Object.fromEntries(PLACE_WORDS.map((word) => [word, undefined])), ...change });
}
