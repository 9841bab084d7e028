/** What people with roles do, as it stands in a file: `{ at: 20s, by: ana, does: bind }`. */
import type { PlainFields } from "../manifest/write-fields.ts";
import { formatDuration } from "../quantity/duration.ts";
import { PEOPLE, PERSON_ACTS, type PersonAct } from "../sim/roles/person-act.ts";
import type { Cursor } from "./cursor.ts";

export function readPersonAct(cursor: Cursor): PersonAct {
  const fields = cursor.fields(["at", "by", "does"]);
  return {
    by: fields.need("by").choice(PEOPLE),
    does: fields.need("does").choice(PERSON_ACTS),
    atMs: fields.need("at").durationMs(),
  };
}

export const plainPersonAct = ({ atMs, by, does }: PersonAct): PlainFields => ({
  at: formatDuration(atMs),
  by,
  does,
});
