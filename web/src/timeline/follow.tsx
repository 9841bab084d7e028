/**
 * Has the explanation read again when there is something new to say: the thing itself changed, or a
 * controller said something else about it, which no commit tells. Draws nothing.
 */
import { useEffect } from "preact/hooks";
import type { Explanation } from "../../../src/api/explain/explanation.ts";
import { afterPauses } from "../live/after-pauses.ts";
import { useObjects, useView } from "../live/use-live.ts";
import type { ObjectQuery } from "../live/object-watch.ts";
import { type Subject, subjectOfWait, waitedForOf, watchedBy } from "./timeline-subject.ts";

export interface FollowProps {
  readonly subject: Subject;
  readonly explained: Explanation | undefined;
  readonly reload: () => void;
}

export function Follow({ subject, explained, reload }: FollowProps) {
  const watched = watchedBy(subject);
  if (watched === undefined) return null;
  // Also while nothing is waited for: a wait that begins is not told by any commit.
  const waits = explained?.now.waits.map(({ of }) => of.toLowerCase()) ?? [];
  const subjects = new Set([...waits, ...waitedForOf(subject)]);
  return (
    <>
      <FollowObject query={watched} reload={reload} />
      <FollowWaits subjects={subjects} reload={reload} />
    </>
  );
}

function FollowObject({
  query,
  reload,
}: { readonly query: ObjectQuery } & Pick<FollowProps, "reload">) {
  const { rows } = useObjects(query);
  useEffect(() => afterPauses(reload, (again) => rows.listen(again)), [rows]);
  return null;
}

interface FollowWaitsProps extends Pick<FollowProps, "reload"> {
  readonly subjects: ReadonlySet<string>;
}

function FollowWaits({ subjects, reload }: FollowWaitsProps) {
  const { rows } = useView("queue");
  const named = [...subjects].toSorted().join(" ");
  useEffect(() => {
    const isAbout = (key: string): boolean => subjects.has(subjectOfWait(key));
    return afterPauses(reload, (again) =>
      rows.listen(({ changed, gone, isAll }) => {
        const keys = isAll ? [...rows.peek().keys()] : [...changed, ...gone];
        if (keys.some(isAbout)) again();
      }),
    );
  }, [rows, named]);
  return null;
}
