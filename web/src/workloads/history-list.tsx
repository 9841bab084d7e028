/** Templates that a service had before, each of which it can be taken back to. */
import { EmptyState } from "../parts/empty-state.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { StatusWord } from "../parts/status-word.tsx";
import { askToUndo } from "./ask-about-rollout.tsx";
import type { PastTemplate } from "./workload-object.ts";
import type { Workload } from "./workload-row.ts";

export interface HistoryListProps {
  readonly workload: Workload;
  readonly history: readonly PastTemplate[];
}

export function HistoryList({ workload, history }: HistoryListProps) {
  if (history.length === 0) {
    return (
      <EmptyState title="There are no earlier templates.">
        After a change, the previous template is kept here for a rollback.
      </EmptyState>
    );
  }
  return (
    <table class="rules">
      <caption class="unseen">Earlier templates</caption>
      <thead>
        <tr>
          <th scope="col">Generation</th>
          <th scope="col">Since</th>
          <th scope="col">Result</th>
          <th scope="col">Command</th>
          <th scope="col">
            <span class="unseen">Roll back</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {history.toReversed().map((past) => (
          <tr key={past.generation}>
            <th scope="row">{past.generation}</th>
            <td>
              <RelativeTime at={past.since} />
            </td>
            <td>
              <StatusWord tone={past.failed === undefined ? (past.served ? "good" : "off") : "bad"}>
                {past.failed === undefined ? (past.served ? "served" : "never served") : "failed"}
              </StatusWord>{" "}
              {past.failed}
            </td>
            <td>
              <code>{commandText(past)}</code>
            </td>
            <td>
              <button
                type="button"
                class="button"
                onClick={() => void askToUndo(workload, past.generation)}
              >
                Roll back…
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function commandText({ template }: PastTemplate): string {
  const { command = [], args = [] } = (template["run"] ?? {}) as {
    readonly command?: readonly string[];
    readonly args?: readonly string[];
  };
  return [...command, ...args].join(" ");
}
