/**
 * What is promised about the fleet and whether it holds now: each promise with its reason, since
 * when, the smallest fix and its history; and what the loss of each zone would break.
 */
import { useMemo } from "preact/hooks";
import type { ShownPromise, ShownPromises } from "../../../src/api/views/shown-promises.ts";
import { queryState } from "../app/query-state.ts";
import { isOfScope, tenantScope } from "../app/tenant-scope.ts";
import { nowMs } from "../live/clock.ts";
import { useFetched } from "../live/use-fetched.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { ErrorState } from "../parts/error-state.tsx";
import { FilterBox } from "../parts/filter-box.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { textFilter } from "../parts/text-filter.ts";
import { useAgain } from "../steering/use-overrides.ts";
import { LossList } from "./loss-list.tsx";
import { PromiseCard } from "./promise-card.tsx";
import { countsText, inOrder } from "./promise-words.ts";
import "./promises.css";

/** A check takes seconds to minutes; a verdict that moved is seen soon after. */
const AGAIN_MS = 5_000;

const filter = queryState("filter");

export function PromisesPage() {
  const fetched = useFetched<ShownPromises>("/promises");
  useAgain(fetched, Math.floor(nowMs.value / AGAIN_MS));
  const { value, failure } = fetched;
  return (
    <>
      <PageHeader
        title="Promises"
        about="Each promise is checked against the fleet as it is, and again when the fleet changes."
      />
      {value !== undefined ? (
        <Promises shown={value} />
      ) : failure !== undefined ? (
        <ErrorState
          title="Cannot read the promises."
          failure={failure}
          retry={() => fetched.reload()}
        />
      ) : (
        <Skeleton rows={4} label="Reading the promises" />
      )}
    </>
  );
}

function Promises({ shown }: { readonly shown: ShownPromises }) {
  const { promises, losses } = shown;
  const ofScope = useMemo(
    () => inOrder(promises.filter(({ namespace }) => isOfScope(namespace))),
    [promises, tenantScope.value],
  );
  const rows = useMemo(() => {
    const fits = textFilter(filter.value);
    return ofScope.filter(({ namespace, name, promise, verdict }) =>
      fits(`${namespace}/${name} ${promise} ${verdict}`),
    );
  }, [ofScope, filter.value]);
  if (promises.length === 0) return <NoPromise />;
  return (
    <>
      <p class="promises-sum">
        <strong>{countsText(ofScope)}</strong> <Checked shown={shown} />
      </p>
      <LossList losses={losses} promises={ofScope} />
      <section aria-labelledby="promised">
        <h2 id="promised">Promised</h2>
        <FilterBox
          state={filter}
          label="Filter promises"
          shown={rows.length}
          all={ofScope.length}
        />
        {rows.length === 0 ? (
          <EmptyState title="No promise matches.">
            Clear the filter, or choose all tenants.
          </EmptyState>
        ) : (
          <ul class="promises">
            {rows.map((promise: ShownPromise) => (
              <li key={`${promise.namespace}/${promise.name}`}>
                <PromiseCard promise={promise} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function Checked({ shown }: { readonly shown: ShownPromises }) {
  const { checked, checkedRevision, isCurrent } = shown;
  if (checked === undefined) return <span class="quiet">The first check is under way.</span>;
  return (
    <span class="quiet">
      Checked <RelativeTime at={checked} /> at revision {checkedRevision}
      {isCurrent ? "." : "; the fleet has changed since and is checked again."}
    </span>
  );
}

function NoPromise() {
  return (
    <EmptyState title="Nothing is promised yet.">
      <p>
        Write a first promise with <code>berth review init</code>, and give it to the plane with{" "}
        <code>berth apply -f promises.yaml</code>.
      </p>
      <p>
        A promise says what must survive which failure, for example that four replicas serve again
        five minutes after the loss of a region.
      </p>
    </EmptyState>
  );
}
