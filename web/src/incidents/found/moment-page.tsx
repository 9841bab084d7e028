/** Finds the chapter that recorded a revision, and opens it there. */
import { useEffect } from "preact/hooks";
import { hrefOf } from "../../app/route.ts";
import { navigate } from "../../app/router.ts";
import { useFetched } from "../../live/use-fetched.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorState } from "../../parts/error-state.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import type { Chapter, Recordings } from "../recordings.ts";

export function MomentPage({ revision }: { readonly revision: string }) {
  const asked = useFetched<Recordings>("/recordings");
  const { value, failure } = asked;
  const chapter = value === undefined ? undefined : chapterOf(value.chapters, Number(revision));
  const number = chapter?.canReplay === true ? `${chapter.number}` : undefined;
  useEffect(() => {
    if (number === undefined) return;
    navigate(hrefOf("incidents", ["chapter", number], { around: revision }), { replace: true });
  }, [number, revision]);
  return (
    <>
      <PageHeader title={`Incidents: revision ${revision}`}>
        <a class="button" href={hrefOf("incidents")}>
          All incidents
        </a>
      </PageHeader>
      {failure !== undefined && (
        <ErrorState
          title="Cannot read the recording."
          failure={failure}
          retry={() => asked.reload()}
        />
      )}
      {failure === undefined && (value === undefined || number !== undefined) && (
        <Skeleton rows={6} label="Looking for the chapter that recorded it" />
      )}
      {value !== undefined && number === undefined && (
        <EmptyState title={`No recording of revision ${revision} can be replayed.`}>
          <p>{chapter?.obstacle ?? value.reason ?? missing(value.chapters)}</p>
          <p>
            See what happened in the <a href={hrefOf("audit")}>audit trail</a>, or ask another plane
            of this log: each records while it leads.
          </p>
        </EmptyState>
      )}
    </>
  );
}

/** The newest that has it: after a restart the next chapter begins with what the last one ended. */
export const chapterOf = (chapters: readonly Chapter[], revision: number): Chapter | undefined =>
  chapters.findLast(
    ({ firstRevision, lastRevision }) =>
      firstRevision !== undefined &&
      lastRevision !== undefined &&
      firstRevision <= revision &&
      revision <= lastRevision,
  );

function missing(chapters: readonly Chapter[]): string {
  const first = chapters.find(({ firstRevision }) => firstRevision !== undefined)?.firstRevision;
  return `The chapters that this plane keeps begin at revision ${first ?? 0}.`;
}
