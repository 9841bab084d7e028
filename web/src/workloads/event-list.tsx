/** What happened to a workload lately, the newest first. */
import { EmptyState } from "../parts/empty-state.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { StatusWord } from "../parts/status-word.tsx";

export interface ShownEvent {
  readonly metadata: { readonly name: string };
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly lastTimestamp: string;
  readonly source: { readonly component: string };
}

/** More than a person reads; the API has the others. */
const SHOWN = 50;

export function EventList({
  events,
}: {
  readonly events: { readonly items: readonly ShownEvent[] };
}) {
  const newest = events.items
    .toSorted((a, b) => Date.parse(b.lastTimestamp) - Date.parse(a.lastTimestamp))
    .slice(0, SHOWN);
  if (newest.length === 0) {
    return (
      <EmptyState title="No recent events.">
        Events are kept for a limited time; the timeline has the full history.
      </EmptyState>
    );
  }
  return (
    <table class="rules times-first">
      <caption class="unseen">Events</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">What</th>
          <th scope="col">Message</th>
          <th scope="col" class="wide-only">
            By
          </th>
        </tr>
      </thead>
      <tbody>
        {newest.map(({ metadata, type, reason, message, count, lastTimestamp, source }) => (
          <tr key={metadata.name}>
            <td>
              <RelativeTime at={lastTimestamp} />
            </td>
            <td>
              <StatusWord tone={type === "Warning" ? "wait" : "busy"}>{reason}</StatusWord>
              {count > 1 && <span class="quiet"> {count}×</span>}
            </td>
            <td>{message}</td>
            <td class="wide-only quiet">{source.component}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
