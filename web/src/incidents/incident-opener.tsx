/**
 * Opens an incident from a file of the reader's own: chosen, or dropped here. It stays on this
 * machine.
 */
import { useSignal } from "@preact/signals";
import type { IncidentDocument } from "../../../src/incident/incident-document.ts";
import { readIncident } from "./reading/read-incident.ts";

export interface IncidentOpenerProps {
  readonly opened: (document: IncidentDocument) => void;
}

export function IncidentOpener({ opened }: IncidentOpenerProps) {
  const isOver = useSignal(false);
  const refusal = useSignal<string | undefined>(undefined);
  const open = async (file: File | undefined): Promise<void> => {
    refusal.value = file && (await readFile(file, opened));
  };
  return (
    <div
      class={isOver.value ? "incident-drop is-over" : "incident-drop"}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => void (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        void open(event.dataTransfer?.files[0]);
      }}
    >
      <label>
        Open a page that <code>--html</code> created, or the JSON of an incident:{" "}
        <input
          type="file"
          accept=".html,.json,text/html,application/json"
          onChange={({ currentTarget }) => void open(currentTarget.files?.[0])}
        />
      </label>
      <p class="quiet">Or drop it here. The file stays in this browser.</p>
      {refusal.value !== undefined && (
        <p class="refusal" role="alert">
          {refusal.value}
        </p>
      )}
    </div>
  );
}

/** Why the file cannot be shown; undefined when it is. */
async function readFile(
  file: File,
  opened: IncidentOpenerProps["opened"],
): Promise<string | undefined> {
  const read = await readIncident(await file.text());
  if (read.kind === "empty") return `${file.name} contains no incident.`;
  if (read.kind === "unreadable") return `${file.name}: ${read.says} ${read.todo}`;
  opened(read.document);
  return undefined;
}
