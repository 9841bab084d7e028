/**
 * Every other wake-up that a controller owes: a ledger for people who look for a fault in the plane
 * itself, closed until it is asked for. The address says whether it is open.
 */
import { reasonWords } from "../../../src/api/views/wait-words.ts";
import { queryState } from "../app/query-state.ts";
import { hrefWith } from "../app/router.ts";
import { Badge } from "../parts/badge.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import type { WaitRow } from "./wait-row.ts";

const tab = queryState("tab");

/** The next to be due; a filter finds the others. */
const SHOWN = 100;

export function OtherWaits({ rows }: { readonly rows: readonly WaitRow[] }) {
  const isOpen = tab.value === "owed";
  return (
    <details
      class="other-waits"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== isOpen) tab.value = currentTarget.open ? "owed" : "";
      }}
    >
      <summary>Other waits of controllers, for debugging ({rows.length})</summary>
      {isOpen && <Ledger rows={rows} />}
    </details>
  );
}

function Ledger({ rows }: { readonly rows: readonly WaitRow[] }) {
  return (
    <>
      <table class="table" aria-label="Other waits">
        <thead>
          <tr>
            <th scope="col">Object</th>
            <th scope="col" class="wide-only">
              Controller
            </th>
            <th scope="col">Reason</th>
            <th scope="col">Retry</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN).map(({ wait, subject, owner, reason, text, deadline }) => (
            <tr key={wait}>
              <td>
                <a href={hrefWith({ wait })}>{subject.replace("//", "/")}</a>
              </td>
              <td class="wide-only">{owner}</td>
              <td>
                <Badge tone="wait">
                  <span title={text}>{reasonWords(reason)}</span>
                </Badge>
              </td>
              <td>
                <RelativeTime at={deadline} form="due" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > SHOWN && (
        <p class="quiet">and {rows.length - SHOWN} more: filter waits to find one.</p>
      )}
    </>
  );
}
