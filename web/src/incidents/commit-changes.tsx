/** What a commit changed: each object with the cells that are other than before. */
import type { ShownCommit } from "../../../src/incident/incident-document.ts";
import { columnsOf, objectAt } from "./reading/held-by.ts";
import type { Cells } from "./reading/incident-index.ts";
import type { IncidentModel } from "./reading/incident-model.ts";

/** A commit may bind hundreds; the first say what it is. */
const MAX_CHANGES = 12;

export interface CommitChangesProps {
  readonly model: IncidentModel;
  readonly commits: readonly ShownCommit[];
}

export function CommitChanges({ model, commits }: CommitChangesProps) {
  if (commits.length === 0) return null;
  return (
    <>
      {commits.map((commit) => (
        <div key={commit.revision}>
          <h3>
            Revision {commit.revision} by {commit.actor}
          </h3>
          <ul class="incident-changes">
            {commit.changes.slice(0, MAX_CHANGES).map(({ key, cells }) => (
              <li key={key}>
                <button
                  type="button"
                  class="button button-quiet"
                  title="Show the views of it"
                  onClick={() => model.change({ key })}
                >
                  <code>{key}</code>
                </button>{" "}
                {changeText(objectAt(model.index, key, commit.revision - 1), cells ?? undefined)}
              </li>
            ))}
          </ul>
          {commit.changes.length > MAX_CHANGES && (
            <p class="quiet">and {commit.changes.length - MAX_CHANGES} more</p>
          )}
        </div>
      ))}
    </>
  );
}

/** e.g. "stage: queued → bound, node: – → n1" */
export function changeText(before: Cells | undefined, after: Cells | undefined): string {
  if (!after) return "deleted";
  const columns = columnsOf([after, before]);
  if (!before)
    return `created: ${columns.map((name) => `${name} ${String(after[name])}`).join(", ")}`;
  const changed = columns.filter((name) => before[name] !== after[name]);
  if (changed.length === 0) return "no visible change";
  return changed.map((name) => `${name}: ${side(before, name)} → ${side(after, name)}`).join(", ");
}

const side = (cells: Cells, name: string): string => String(cells[name] ?? "–");
